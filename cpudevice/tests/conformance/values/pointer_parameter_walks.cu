// a pointer parameter that walks through memory in a loop with barriers
#include "conformance.h"

__global__ void k(int *out, const int *in, int rounds)
{
    __shared__ int s[T];
    int sum = 0;
    in += threadIdx.x;
    for (; rounds; rounds--, in += T) {
        s[threadIdx.x] = *in;
        __syncthreads();
        sum = sum * 3 + s[T - 1 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum + rounds;
}
int main()
{
    int *out = managed(T), *in = managed(4 * T);
    for (int i = 0; i < 4 * T; i++)
        in[i] = i % 19;
    k<<<1, T>>>(out, in, 4);
    return check(out, T, [](int t) {
        int sum = 0;
        for (int i = 0; i < 4; i++)
            sum = sum * 3 + (i * T + T - 1 - t) % 19;
        return sum;
    });
}
