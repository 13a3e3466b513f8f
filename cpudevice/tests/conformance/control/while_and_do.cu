// barriers in while and do-while loops
#include "conformance.h"

__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    int i = 0, v = threadIdx.x;
    while (i < n) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + 1) % T];
        __syncthreads();
        i++;
    }
    do {
        s[threadIdx.x] = v;
        __syncthreads();
        v += s[0];
        __syncthreads();
    } while (--i > 1);
    out[threadIdx.x] = v * 10 + i;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 4);
    return check(out, T, [](int t) {
        int zero = 4, v = (t + 4) % T; // thread 0's value, and this thread's
        for (int i = 0; i < 3; i++) {
            v += zero;
            zero *= 2;
        }
        return v * 10 + 1;
    });
}
