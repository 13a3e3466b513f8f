// tail launches run after the kernel that asked for them and its children
#include "conformance.h"

__global__ void child(int *out) { out[threadIdx.x] += 5; }
__global__ void tail(int *out) { out[threadIdx.x] *= 2; }
__global__ void parent(int *out)
{
    out[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        tail<<<1, T, 0, cudaStreamTailLaunch>>>(out);
        child<<<1, T>>>(out);
    }
}
int main()
{
    int *out = managed(T);
    parent<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 5) * 2; });
}
