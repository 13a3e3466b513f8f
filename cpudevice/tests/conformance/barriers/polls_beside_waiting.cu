// one thread polls, others wait at a barrier, and one that has passed an earlier barrier gives the sign
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int sign;
    const unsigned t = threadIdx.x;
    if (t == 0)
        sign = 0;
    for (int round = 1; round <= 3; round++) {
        __syncthreads();
        if (t == 1)
            while (atomicAdd(&sign, 0) != round)
                ;
        else if (t == T / 2)
            atomicExch(&sign, round);
    }
    __syncthreads();
    out[t] = sign + (int)t;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    cudaDeviceSynchronize();
    return check(out, T, [](int t) { return 3 + t; });
}
