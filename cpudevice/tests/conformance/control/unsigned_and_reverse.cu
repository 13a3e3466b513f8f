// loops that count down to zero, over wrapping unsigned values and by doubling
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = threadIdx.x;
    for (unsigned char i = 253; i; i++) {
        s[threadIdx.x] = v;
        __syncthreads();
        v += s[threadIdx.x ^ 1];
        __syncthreads();
    }
    for (int d = 1; d < T; d <<= 1) {
        s[threadIdx.x] = v;
        __syncthreads();
        if (threadIdx.x >= d)
            v += s[threadIdx.x - d];
        __syncthreads();
    }
    for (int i = 3; i-- > 0;)
        __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    int want[T], sum = 0;
    for (int t = 0; t < T; t++) {
        int pair = t + (t ^ 1); // after the first round both of a pair hold their sum
        sum += 4 * pair;
        want[t] = sum;
    }
    return check(out, T, [&](int t) { return want[t]; });
}
