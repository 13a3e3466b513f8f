// the counter of the loop round a barrier is advanced by a function
#include "conformance.h"

__device__ void halve(int &n) { n /= 2; }
__global__ void k(int *out)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int n = T / 2; n > 0; halve(n)) {
        if (threadIdx.x < n)
            s[threadIdx.x] += s[threadIdx.x + n];
        __syncthreads();
    }
    out[threadIdx.x] = s[0];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return T * (T - 1) / 2; });
}
