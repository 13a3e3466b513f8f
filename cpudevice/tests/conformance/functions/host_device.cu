// a __host__ __device__ function, and __CUDA_ARCH__ that tells where it runs
#include "conformance.h"

__host__ __device__ inline int where()
{
#ifdef __CUDA_ARCH__
    return 1000;
#else
    return 2000;
#endif
}
__host__ __device__ int square(int v) { return v * v + where(); }
__global__ void k(int *out)
{
    int v = square(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    int here = square(3);
    return check(out, T, [=](int t) { return t * t + 1000 + (here == 2009 ? 0 : -1); });
}
