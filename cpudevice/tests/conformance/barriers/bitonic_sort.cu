// bitonic sort: two nested uniform loops, a thread-dependent direction
#include "conformance.h"

__global__ void k(unsigned *out, const unsigned *in)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    for (unsigned size = 2; size <= 128; size *= 2)
        for (unsigned d = size / 2; d; d /= 2) {
            __syncthreads();
            unsigned o = t ^ d;
            if (o > t && (s[t] > s[o]) == !(t & size)) {
                unsigned x = s[t];
                s[t] = s[o];
                s[o] = x;
            }
        }
    __syncthreads();
    out[t] = s[t];
}
int main()
{
    unsigned *out = managed<unsigned>(128), *in = managed<unsigned>(128), v[128];
    for (unsigned i = 0; i < 128; i++)
        v[i] = in[i] = i * 2654435761u >> 8;
    k<<<1, 128>>>(out, in);
    for (int i = 1; i < 128; i++)
        for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
            unsigned x = v[j];
            v[j] = v[j - 1], v[j - 1] = x;
        }
    return check(out, 128, [&](int t) { return v[t]; });
}
