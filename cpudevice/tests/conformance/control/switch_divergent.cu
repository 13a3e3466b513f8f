// a thread-dependent switch without a barrier, nested in another, between barriers
#include "conformance.h"

__global__ void k(int *out)
{
    int v = 0;
    __syncthreads();
    switch (threadIdx.x % 5) {
    case 0:
        switch (threadIdx.x % 2) {
        default: v = 1; break;
        case 1: v = 2;
        }
        v += 10;
        break;
    case 1:
    case 2: v = 3;
    case 3: v += 4; break;
    }
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int fifth = t % 5;
        return fifth == 0 ? (t % 2 ? 12 : 11) : fifth <= 2 ? 7 : fifth == 3 ? 4 : 0;
    });
}
