// threads return early, from a loop, a branch and a switch, where no barrier follows
#include "conformance.h"

__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = -1;
    __syncthreads();
    if (threadIdx.x >= n)
        return;
    int v = s[n - 1 - threadIdx.x];
    for (int i = 0; i < v; i++) {
        if (i == 12) {
            out[threadIdx.x] = i * 1000;
            return;
        }
        if (i == threadIdx.x)
            break;
    }
    switch (v % 3) {
    case 1: out[threadIdx.x] = v; return;
    case 2: v += 7;
    }
    out[threadIdx.x] = v + 100;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 40);
    return check(out, T, [](int t) {
        if (t >= 40)
            return -1;
        int v = 39 - t;
        if (v > 12 && t >= 12)
            return 12000;
        return v % 3 == 1 ? v : v + (v % 3 == 2 ? 107 : 100);
    });
}
