// atomics made of atomicCAS in a loop, among shuffles and beside a grid-stride loop by while
#include "conformance.h"

__device__ float largest_of(float *address, float value)
{
    int *bits = (int *)address, old = atomicAdd(bits, 0), assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__device__ double add_to(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = atomicAdd(bits, 0ull), assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void k(float *most, double *sum, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = -1e30f;
    double y = 0;
    while (i < n) {
        x = fmaxf(x, in[i]);
        y += in[i];
        i += gridDim.x * blockDim.x;
    }
    for (int offset = 16; offset > 0; offset >>= 1)
        x = fmaxf(x, __shfl_down_sync(0xffffffff, x, offset));
    if (threadIdx.x % 32 == 0)
        largest_of(most, x);
    add_to(sum, y);
}
int main()
{
    enum { N = 5000 };
    float *most = managed<float>(1), *in = managed<float>(N);
    double *sum = managed<double>(1), all = 0, top = -1e30;
    *most = -1e30f;
    *sum = 0;
    for (int i = 0; i < N; i++) {
        in[i] = i * 7919 % 10007 - 3000;
        all += in[i];
        top = in[i] > top ? in[i] : top;
    }
    k<<<5, T>>>(most, sum, in, N);
    cudaDeviceSynchronize();
    double found = *most;
    return check(sum, 1, [&](int) { return found == top ? all : -1; });
}
