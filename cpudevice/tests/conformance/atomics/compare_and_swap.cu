// compare-and-swap loops: a maximum of floats and an addition of doubles
#include "conformance.h"

__device__ void max_float(float *to, float v)
{
    int *p = (int *)to, old = *(volatile int *)p, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= v)
            return;
        old = atomicCAS(p, assumed, __float_as_int(v));
    } while (old != assumed);
}
__device__ void add_double(double *to, double v)
{
    unsigned long long *p = (unsigned long long *)to, old = atomicAdd(p, 0ull), assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
    } while (assumed != old);
}
__global__ void k(float *f, double *d)
{
    max_float(f, (threadIdx.x * 37 % 64) * 0.5f);
    add_double(d, threadIdx.x * 0.25);
}
int main()
{
    double *d = managed<double>(2);
    float *f = managed<float>(1);
    d[0] = 0, *f = -1;
    k<<<2, T>>>(f, d);
    cudaDeviceSynchronize();
    d[1] = *f;
    return check(d, 2, [](int i) { return i ? 31.5 : 2016 * 0.25 * 2; });
}
