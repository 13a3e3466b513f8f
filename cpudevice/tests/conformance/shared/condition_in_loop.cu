// an element of a shared array that one thread reads, under a condition in a loop, before the others write theirs
#include "conformance.h"

__global__ void k(int *out, const int *in)
{
    __shared__ unsigned s[T];
    unsigned t = threadIdx.x, v = 0;
    s[t] = in[t];
    __syncthreads();
    for (unsigned i = 0; i < (in[t] & 3); i++)
        if (!t)
            v += in[i] + s[t * 4 % 33]; // thread 0: s[0], its own
    s[t] = v;
    __syncthreads();
    out[t] = (int)s[t];
}
int main()
{
    int *out = managed(T), *in = managed(T);
    for (int i = 0; i < T; i++)
        in[i] = 3 + 4 * i;
    k<<<1, T>>>(out, in);
    return check(out, T, [](int t) { return t ? 0 : (3 + 7 + 11) + 3 * 3; });
}
