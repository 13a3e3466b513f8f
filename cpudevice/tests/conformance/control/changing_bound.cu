// the condition of a loop reads what its body changes between barriers
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int left;
    if (threadIdx.x == 0)
        left = 5;
    __syncthreads();
    int rounds = 0;
    while (left > 0) {
        __syncthreads();
        if (threadIdx.x == rounds)
            left -= 2;
        rounds++;
        __syncthreads();
    }
    out[threadIdx.x] = rounds * 100 + left;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 299 + 0 * T; });
}
