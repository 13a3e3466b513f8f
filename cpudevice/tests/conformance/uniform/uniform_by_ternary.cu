// two counters that begin equal in all threads; which one is advanced depends on the thread
#include "conformance.h"

__global__ void k(int *out, int rounds)
{
    int a = 0, b = 0;
    for (int i = 0; i < rounds; i++) {
        (threadIdx.x & 1 ? a : b) = i + 1;
        __syncthreads();
        (threadIdx.x & 2 ? a : b)++;
    }
    __syncthreads();
    out[threadIdx.x] = a * 100 + b;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 3);
    return check(out, T, [](int t) {
        int v[2] = {0, 0};
        for (int i = 0; i < 3; i++)
            v[t % 2 == 0] = i + 1, v[t / 2 % 2 == 0]++;
        return v[0] * 100 + v[1];
    });
}
