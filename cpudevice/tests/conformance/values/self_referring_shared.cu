// a thread's own slot read and written between barriers that other threads need
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    s[threadIdx.x] = 1;
    for (int i = 0; i < 3; i++) {
        int sum = s[threadIdx.x] + i;
        s[threadIdx.x] = sum;
        __syncthreads();
        int other = s[(threadIdx.x + 1 + i) % T];
        __syncthreads();
        s[threadIdx.x] += other * threadIdx.x;
    }
    out[threadIdx.x] = s[threadIdx.x];
}
int main()
{
    int *out = managed(T), s[T], o[T];
    k<<<1, T>>>(out);
    for (int t = 0; t < T; t++)
        s[t] = 1;
    for (int i = 0; i < 3; i++) {
        for (int t = 0; t < T; t++)
            s[t] += i;
        for (int t = 0; t < T; t++)
            o[t] = s[(t + 1 + i) % T];
        for (int t = 0; t < T; t++)
            s[t] += o[t] * t;
    }
    return check(out, T, [&](int t) { return s[t]; });
}
