// preprocessor conditions inside a kernel, a call and an initialiser
#include "conformance.h"

#define FAST 1
__device__ int add(int a, int b) { return a + b; }
__global__ void k(int *out)
{
    int v[] = {
        1,
#if FAST > 0 && !defined(SLOW)
        2,
#else
        3,
        4,
#endif
        (int)threadIdx.x
    };
#ifdef FAST
    __syncthreads();
#endif
    out[threadIdx.x] = add(v[2],
#if 0
                           1000
#elif defined FAST
                           sizeof v / sizeof *v
#endif
    );
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 3; });
}
