// a switch in a loop: break leaves the switch, continue goes on with the loop
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = 0;
    s[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < 6; i++) {
        __syncthreads();
        switch (i % 3) {
        case 0: v += s[i]; continue;
        case 1:
            __syncthreads();
            v += 100;
            break;
        case 2: {
            if (i == 5)
                break;
            v *= 2;
        }
        }
        v++;
    }
    out[threadIdx.x] = v + threadIdx.x;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    int v = 0;
    v += 0;        // i = 0
    v += 100, v++; // 1
    v *= 2, v++;   // 2
    v += 3;        // 3
    v += 100, v++; // 4
    v++;           // 5
    return check(out, T, [=](int t) { return v + t; });
}
