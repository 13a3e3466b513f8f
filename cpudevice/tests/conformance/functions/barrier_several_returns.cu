// a function with a barrier and several returns, uniform and divergent
#include "conformance.h"

__device__ int pick(int *s, int n)
{
    s[threadIdx.x] = threadIdx.x;
    if (n == 0)
        return -1;
    __syncthreads();
    if (threadIdx.x < n)
        return s[n - 1 - threadIdx.x];
    for (int i = 0; i < 5; i++)
        if (s[threadIdx.x] % 5 == i)
            return 100 + i;
    return 200;
}
__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    int v = pick(s, n);
    __syncthreads();
    s[threadIdx.x] = v;
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x + 1) % T];
}
int main()
{
    int *out = managed(2 * T);
    k<<<1, T>>>(out, 0);
    k<<<1, T>>>(out + T, 20);
    return check(out, 2 * T, [](int i) {
        int t = (i % T + 1) % T;
        return i < T ? -1 : t < 20 ? 19 - t : 100 + t % 5;
    });
}
