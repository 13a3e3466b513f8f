// memory fences beside barriers, and volatile shared memory in one warp
#include "conformance.h"

__global__ void k(int *out, volatile int *global)
{
    __shared__ volatile int s[T];
    s[threadIdx.x] = threadIdx.x;
    global[threadIdx.x] = threadIdx.x * 2;
    __threadfence_block();
    __threadfence();
    __syncthreads();
    int v = s[T - 1 - threadIdx.x] + global[(threadIdx.x + 1) % T];
    __threadfence_system();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T), *global = managed(T);
    k<<<1, T>>>(out, global);
    return check(out, T, [](int t) { return T - 1 - t + 2 * ((t + 1) % T); });
}
