// lanes that exchange by shared memory and __syncwarp(), all of a warp or those that a mask names
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int t = threadIdx.x, lane = t % 32;
    s[t] = t * 5;
    __syncwarp();
    for (int offset = 16; offset > 0; offset >>= 1) {
        if (lane < offset)
            s[t] += s[t + offset];
        __syncwarp();
    }
    int sum = s[t - lane];
    __syncwarp();
    if (lane < 8) {
        s[t] = lane;
        __syncwarp(0xff);
        sum += s[t - lane + (lane + 1) % 8] * 10000;
    }
    out[t] = sum;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int sum = 0;
        for (int i = t / 32 * 32; i < t / 32 * 32 + 32; i++)
            sum += i * 5;
        return sum + (t % 32 < 8 ? (t % 32 + 1) % 8 * 10000 : 0);
    });
}
