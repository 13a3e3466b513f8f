// parameters of 64 and 128 bytes' alignment, launched by cudaLaunchKernel and its like from stacks of any depth
#include "conformance.h"

struct alignas(64) Map {
    int v[32];
};
struct alignas(128) Wide {
    int v[64];
};

template <class A> __global__ void k(int *out, A a, int b, A c)
{
    out[threadIdx.x] = a.v[threadIdx.x % 32] + b + c.v[1];
}

template <class A> static int launched(int *out, int depth)
{
    volatile char room[16] = {0}; // 16 bytes more of the stack at each depth
    if (depth > 0)
        return room[depth % 16] + launched<A>(out, depth - 1);
    A a, c;
    for (int i = 0; i < 32; i++)
        a.v[i] = i, c.v[i] = 1000 * i;
    int b = 100;
    void *args[] = {&out, &a, &b, &c};
    cudaLaunchConfig_t config = {};
    config.gridDim = 1, config.blockDim = T;
    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, (const void *)k<A>) != cudaSuccess ||
        cudaLaunchKernel((const void *)k<A>, 1, T, args, 0, 0) != cudaSuccess ||
        cudaLaunchKernelEx(&config, k<A>, out, a, b, c) != cudaSuccess)
        return 1;
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < T; i++)
        if (out[i] != i % 32 + 1100)
            return 1;
    return 0;
}
int main()
{
    int *out = managed(T), wrong = 0;
    for (int depth = 0; depth < 9; depth++)
        wrong += launched<Map>(out, depth) + launched<Wide>(out, depth);
    return wrong ? 1 : check(out, T, [](int i) { return i % 32 + 1100; });
}
