// uniform break and continue round barriers, divergent ones in a loop inside
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = 0;
    for (int i = 0;; i++) {
        if (i % 2 == 0)
            continue;
        s[threadIdx.x] = i + threadIdx.x;
        __syncthreads();
        for (int j = 0; j < T; j++) {
            if (j < threadIdx.x)
                continue;
            if (j > threadIdx.x + 2)
                break;
            v += s[j];
        }
        __syncthreads();
        if (i > 4)
            break;
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int v = 0;
        for (int i = 1; i <= 5; i += 2)
            for (int j = t; j <= t + 2 && j < T; j++)
                v += i + j;
        return v;
    });
}
