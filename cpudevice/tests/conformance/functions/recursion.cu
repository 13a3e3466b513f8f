// recursion, direct and mutual, without barriers
#include "conformance.h"

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ bool odd(int n);
__device__ bool even(int n) { return n == 0 || odd(n - 1); }
__device__ bool odd(int n) { return n != 0 && even(n - 1); }
__global__ void k(int *out)
{
    int v = fibonacci(threadIdx.x % 12);
    __syncthreads();
    out[threadIdx.x] = v * 2 + even(threadIdx.x);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int a = 0, b = 1;
        for (int i = 0; i < t % 12; i++) {
            int c = a + b;
            a = b, b = c;
        }
        return 2 * a + (t % 2 == 0);
    });
}
