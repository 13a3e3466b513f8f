// A macro that puts its parameters in parentheses, as every style guide asks: (a) = ...
#include "conformance.h"
#define ADD(acc, x) ((acc) += (x))
__global__ void k(int *out, const int *in)
{
    __shared__ int s[T];
    int sum = 0;
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int i = 0; i <= (int)threadIdx.x; i++)
        ADD(sum, s[i]);
    __syncthreads();
    out[threadIdx.x] = sum;
}
int main()
{
    int *out = managed(T), *in = managed(T);
    for (int i = 0; i < T; i++)
        in[i] = i;
    k<<<1, T>>>(out, in);
    return check(out, T, [](int t) { return t * (t + 1) / 2; });
}
