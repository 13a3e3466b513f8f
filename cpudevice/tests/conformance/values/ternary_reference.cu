// a reference bound by a thread-dependent condition, used after the barrier
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int a = 1, b = 2;
    int &r = threadIdx.x % 2 ? a : b;
    const int &c = threadIdx.x % 3 ? r : s[threadIdx.x];
    s[threadIdx.x] = 50;
    __syncthreads();
    r += 10;
    __syncthreads();
    out[threadIdx.x] = a * 10000 + b * 100 + c;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int a = t % 2 ? 11 : 1, b = t % 2 ? 2 : 12;
        return a * 10000 + b * 100 + (t % 3 ? (t % 2 ? 11 : 12) : 50);
    });
}
