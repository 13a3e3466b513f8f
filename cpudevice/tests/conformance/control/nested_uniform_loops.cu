// three uniform loops, barriers on every level
#include "conformance.h"

__global__ void k(int *out, int a, int b)
{
    __shared__ int s[T];
    int v = 0;
    for (int i = 0; i < a; i++) {
        s[threadIdx.x] = i + threadIdx.x;
        __syncthreads();
        for (int j = i; j < b; j++) {
            v += s[(threadIdx.x + j) % T];
            __syncthreads();
            for (int k = 0; k < 2; ++k) {
                s[threadIdx.x] += k;
                __syncthreads();
            }
        }
        v *= 2;
        __syncthreads();
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 3, 4);
    return check(out, T, [](int t) {
        int v = 0;
        for (int i = 0; i < 3; i++) {
            for (int j = i; j < 4; j++)
                v += i + (t + j) % T + (j - i);
            v *= 2;
        }
        return v;
    });
}
