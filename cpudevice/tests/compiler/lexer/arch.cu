// __CUDA_ARCH__, which the device's side of a __host__ __device__ function sees and the host's does not.
// TEST: __CUDA_ARCH__ on both sides
// RUN: $cucc -Wall -Werror -o $exe $case; $exe
// MATCHES: ^11517 14617 32 107 2 10 2 line {line __LINE__}
// TEST: __CUDA_ARCH__ on both sides, checked
// RUN: $cucc --check -o $exe $case; $exe || :
// MATCHES: ^11517 14617 32 107 2 10 2 line {line __LINE__}
// TEST: the lines after it are the program's
// RUN: $cucc --check -o $exe $case; $exe || :
// MATCHES: at .*arch.cu:{line cudaMallocManaged(&o,}
#include <cstdio>
#ifdef __CUDA_ARCH__
#define SIDE 1
#else
#define SIDE 2
static int host_only(int x) { return x + 100; }
#endif
struct S {
    int v;
    __host__ __device__ S() : v(0)
    {
#if __CUDA_ARCH__ >= 900
        v = 7;
#elif !defined(__CUDA_ARCH__)
        v = host_only(7);
#else
        v = "an architecture that was not asked for";
#endif
    }
};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#error
#endif
#if __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *p, double x) { return *p += x; }
#endif
__host__ __device__ int side() { return SIDE; }
template <class T> __host__ __device__ T either(T x)
{
#ifdef __CUDA_ARCH__
    if (x > 0) { return x + threadIdx.x; }
#else
    if (x > 0) { printf("host\n"); return 2 * x; }
#endif
    return -x;
}
__global__ void k(int *o, double *d)
{
    auto lambda = [=] __host__ __device__ (int i) {
#ifdef __CUDA_ARCH__
        return i;
#else
        return -i;
#endif
    };
    o[threadIdx.x] = S().v + 10 * side() + 100 * either(5) + 1000 * lambda(1) + 10000 * SIDE;
    atomicAdd(d, 1.0);
}
int main()
{
    int *o;
    double *d;
    cudaMallocManaged(&o, 32 * sizeof(int));
    cudaMallocManaged(&d, sizeof *d);
    *d = 0;
    k<<<1, 32>>>(o, d);
    cudaDeviceSynchronize();
#ifdef __CUDA_ARCH__
    return 1;
#endif
    printf("%d %d %g %d %d %d %d line %d\n", o[0], o[31], *d, S().v, side(), either(5), SIDE, __LINE__);
}
