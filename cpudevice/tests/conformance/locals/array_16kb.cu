// a local array of 16 KB in each thread
#include "conformance.h"

__global__ void k(int *out)
{
    int big[4096];
    for (int i = 0; i < 4096; i++)
        big[i] = i ^ threadIdx.x;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 4096; i += 97)
        sum += big[i];
    __syncthreads();
    out[threadIdx.x] = sum + big[4095];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int sum = 4095 ^ t;
        for (int i = 0; i < 4096; i += 97)
            sum += i ^ t;
        return sum;
    });
}
