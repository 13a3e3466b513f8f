// an object in shared memory with methods that all threads call
#include "conformance.h"

struct Histogram {
    int bins[8];
    __device__ void clear()
    {
        if (threadIdx.x < 8)
            bins[threadIdx.x] = 0;
        __syncthreads();
    }
    __device__ void add(int v) { atomicAdd(&bins[v & 7], 1); }
    __device__ int of(int b) const { return bins[b]; }
};
__global__ void k(int *out, const int *in)
{
    __shared__ Histogram h;
    h.clear();
    h.add(in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = h.of(threadIdx.x % 8);
}
int main()
{
    int *out = managed(T), *in = managed(T), bins[8] = {0};
    for (int i = 0; i < T; i++)
        in[i] = i * i * 7 % 23, bins[in[i] % 8]++;
    k<<<1, T>>>(out, in);
    return check(out, T, [&](int t) { return bins[t % 8]; });
}
