// a barrier behind macros, with and without arguments and a semicolon
#include "conformance.h"

#define BARRIER __syncthreads
#define WAIT() __syncthreads();
#define SYNC_IF(c)                                                                                                     \
    do {                                                                                                               \
        if (c)                                                                                                         \
            BARRIER();                                                                                                 \
    } while (false)
__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    WAIT()
    int v = s[T - 1 - threadIdx.x];
    SYNC_IF(n > 0);
    s[threadIdx.x] = v * 2;
    BARRIER();
    out[threadIdx.x] = s[(threadIdx.x + 1) % T];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 1);
    return check(out, T, [](int t) { return 2 * (T - 1 - (t + 1) % T); });
}
