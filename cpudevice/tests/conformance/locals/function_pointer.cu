// a pointer to a device function, chosen by thread, lives across a barrier
#include "conformance.h"

__device__ int plus(int a) { return a + 1; }
__device__ int times(int a) { return a * 2; }
__global__ void k(int *out)
{
    int (*f)(int) = threadIdx.x % 2 ? plus : times;
    int (*const both[])(int) = {plus, &times};
    int v = f(threadIdx.x);
    __syncthreads();
    v = f((*plus)(v) - 1);
    __syncthreads();
    out[threadIdx.x] = both[1](v) + (*both[0])(v);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int v = t % 2 ? t + 2 : 4 * t;
        return 3 * v + 1;
    });
}
