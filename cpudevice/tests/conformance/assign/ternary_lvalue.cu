// the conditional operator names the variable that is changed
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int even = 0, odd = 0, t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int i = 0; i < t; i++)
        (i & 1 ? odd : even) += s[i];
    __syncthreads();
    out[t] = even * 10000 + odd;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int sum[2] = {0, 0};
        for (int i = 0; i < t; i++)
            sum[i % 2] += i;
        return sum[0] * 10000 + sum[1];
    });
}
