// an element is chosen by what stands in global memory being zero
#include "conformance.h"

__global__ void k(int *out, const unsigned *in, const unsigned *x)
{
    __shared__ int s[T];
    bool zero = !x[threadIdx.x];
    unsigned as_number = zero;
    unsigned long as_index = zero;
    s[threadIdx.x] = in[as_index] == as_number ? 7 : 5;
    __syncthreads();
    out[threadIdx.x] = s[T - 1 - threadIdx.x];
}
int main()
{
    int *out = managed(T);
    unsigned *in = managed<unsigned>(2), *x = managed<unsigned>(T);
    in[0] = 0, in[1] = 3;
    for (int i = 0; i < T; i++)
        x[i] = i % 3;
    k<<<1, T>>>(out, in, x);
    return check(out, T, [](int i) { return (T - 1 - i) % 3 ? 7 : 5; });
}
