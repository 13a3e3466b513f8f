// what a comparison has chosen is multiplied, which makes the loop worth a vector without gather instructions too
#include "conformance.h"

__global__ void k(unsigned *out, const unsigned *in, unsigned n)
{
    __shared__ unsigned s[T];
    unsigned v = 0;
    s[(threadIdx.x * 3 + 1) % T] = v / ((!v ? 1u : 0u) | 1u);
    __syncthreads();
    v = (!(s[threadIdx.x] + threadIdx.x % 2) ? 1u : 0u);
    v = n * in[v % 256u] * (v + 2u);
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    unsigned *out = managed<unsigned>(T), *in = managed<unsigned>(256);
    for (int i = 0; i < 256; i++)
        in[i] = i * 2654435761u ^ i >> 3;
    in[0] = 11;
    k<<<1, T>>>(out, in, 13);
    return check(out, T, [](int i) { return i % 2 ? 13u * 11u * 2u : 13u * 2654435761u * 3u; });
}
