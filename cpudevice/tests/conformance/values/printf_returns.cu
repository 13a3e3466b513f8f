// a kernel's printf returns the number of its arguments
#include "conformance.h"

__device__ int said(int a, int b) { return printf("# %d (%d, %s)\n", a, max(a, b), "one, two"); }
__global__ void k(int *out)
{
    int n = 0;
    if (threadIdx.x < 2) {
        n = printf("# none\n");
        n += said(threadIdx.x, 3) * 10 + printf("# 1%%, %f\n", 2.5) * 100;
        printf("# not asked\n");
    }
    out[threadIdx.x] = n;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t < 2 ? 130 : 0; });
}
