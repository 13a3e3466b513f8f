// atomics on members, elements of structs and by references; block and system scopes
#include "conformance.h"

struct Stats {
    int count;
    float sum;
    unsigned long long big;
};
__device__ void record(Stats &s, float v)
{
    atomicAdd(&s.count, 1);
    atomicAdd_block(&s.sum, v);
    atomicAdd_system(&s.big, 1ull << 40);
}
__global__ void k(Stats *out)
{
    __shared__ Stats s[2];
    if (threadIdx.x < 2)
        s[threadIdx.x] = {0, 0, 0};
    __syncthreads();
    record(s[threadIdx.x & 1], threadIdx.x * 0.5f);
    __syncthreads();
    if (threadIdx.x < 2)
        out[threadIdx.x] = s[threadIdx.x];
}
int main()
{
    Stats *s = managed<Stats>(2);
    int *out = managed(6);
    k<<<1, T>>>(s);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++)
        out[3 * i] = s[i].count, out[3 * i + 1] = (int)s[i].sum, out[3 * i + 2] = (int)(s[i].big >> 40);
    const int want[] = {32, 496, 32, 32, 512, 32};
    return check(out, 6, [&](int i) { return want[i]; });
}
