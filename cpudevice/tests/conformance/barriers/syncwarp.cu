// __syncwarp between writes and reads of a warp's part of shared memory, also with a mask
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int t = threadIdx.x, lane = t % 32, first = t - lane;
    s[t] = t;
    __syncwarp();
    int v = s[first + (lane + 1) % 32];
    __syncwarp();
    if (lane < 16) {
        s[t] = v * 2;
        __syncwarp(0xffff);
        v += s[first + 15 - lane];
    }
    __syncwarp(~0u);
    out[t] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int lane = t % 32, first = t - lane, v = first + (lane + 1) % 32;
        return lane < 16 ? v + 2 * (first + (15 - lane + 1) % 32) : v;
    });
}
