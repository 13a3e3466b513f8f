// a variable that begins uniform is changed in divergent code and then used in a uniform loop's body
#include "conformance.h"

__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    int step = n;
    if (threadIdx.x > 20)
        step++;
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] = step * (i + 1);
        __syncthreads();
        step += s[T - 1 - threadIdx.x] & 3;
        __syncthreads();
    }
    out[threadIdx.x] = step;
}
int main()
{
    int *out = managed(T), step[T], s[T];
    k<<<1, T>>>(out, 4);
    for (int t = 0; t < T; t++)
        step[t] = t > 20 ? 5 : 4;
    for (int i = 0; i < 4; i++) {
        for (int t = 0; t < T; t++)
            s[t] = step[t] * (i + 1);
        for (int t = 0; t < T; t++)
            step[t] += s[T - 1 - t] % 4;
    }
    return check(out, T, [&](int t) { return step[t]; });
}
