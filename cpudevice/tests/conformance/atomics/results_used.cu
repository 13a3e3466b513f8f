// atomics whose results number the threads: a stack in shared memory
#include "conformance.h"

__global__ void k(int *out, int *seen)
{
    __shared__ int top, stack[T];
    if (threadIdx.x == 0)
        top = 0;
    __syncthreads();
    if (threadIdx.x % 4 == 1)
        stack[atomicAdd(&top, 1)] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = top;
    if (threadIdx.x < top)
        atomicAdd(&seen[stack[threadIdx.x]], 1);
}
int main()
{
    int *out = managed(2 * T), *seen = out + T;
    for (int i = 0; i < T; i++)
        seen[i] = 0;
    k<<<1, T>>>(out, seen);
    return check(out, 2 * T, [](int i) { return i < T ? T / 4 : i % 4 == 1; });
}
