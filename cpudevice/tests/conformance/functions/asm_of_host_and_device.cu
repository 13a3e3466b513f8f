// inline PTX in the device's text of __host__ __device__ functions, templates and members
#include "conformance.h"

struct Adder {
    __host__ __device__ static int add(int a, int b)
    {
#ifdef __CUDA_ARCH__
        int sum;
        asm volatile("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
        return sum;
#else
        return 2000 + a + b;
#endif
    }
};
template <int N> __host__ __device__ int scaled(int v)
{
#ifdef __CUDA_ARCH__
    asm volatile("mul.lo.s32 %0, %0, %1;" : "+r"(v) : "n"(N));
    asm volatile("membar.cta;\n" ::);
    return v;
#else
    asm volatile("" : "+r"(v)); /* the host's own */
    return v * N + 1000;
#endif
}
__global__ void k(int *out)
{
    const int v = scaled<3>(Adder::add(threadIdx.x, 5));
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    const int here = scaled<3>(Adder::add(1, 5));
    return check(out, T, [=](int t) { return 3 * (t + 5) + (here == 3 * 2006 + 1000 ? 0 : -1); });
}
