// references to elements of shared memory, bound on one side of a barrier
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int &mine = s[threadIdx.x];
    const int &next = s[(threadIdx.x + 1) % T];
    mine = threadIdx.x;
    __syncthreads();
    int seen = next;
    __syncthreads();
    mine += 100;
    __syncthreads();
    out[threadIdx.x] = seen * 1000 + next;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int n = (t + 1) % T;
        return n * 1000 + n + 100;
    });
}
