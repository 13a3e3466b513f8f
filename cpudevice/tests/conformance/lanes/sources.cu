// lanes beyond the end of a part of the warp, and numbers that are brought back into it
#include "conformance.h"

__global__ void k(int *out)
{
    int t = threadIdx.x, lane = t % 32;
    out[t] = __shfl_sync(0xffffffff, t, lane + 5);
    out[T + t] = __shfl_sync(0xffffffff, t, lane * 3, 8);
    out[2 * T + t] = __shfl_up_sync(0xffffffff, t, 3u, 4);
    out[3 * T + t] = __shfl_down_sync(0xffffffff, t, 40u);
    out[4 * T + t] = __shfl_xor_sync(0xffffffff, t, 31);
    out[5 * T + t] = __shfl_sync(0xffffffff, t, -1, 16);
    out[6 * T + t] = __shfl_down_sync(0xffffffff, t, lane % 3);
    out[7 * T + t] = __shfl_sync(lane < 16 ? 0xffff : 0xffff0000, t, lane < 16 ? 3 : 20);
}
int main()
{
    int *out = managed(8 * T);
    k<<<1, T>>>(out);
    return check(out, 8 * T, [](int i) {
        int t = i % T, lane = t % 32, first = t - lane;
        switch (i / T) {
        case 0: return first + (lane + 5) % 32;
        case 1: return t / 8 * 8 + lane * 3 % 8;
        case 2: return t % 4 < 3 ? t : t - 3;
        case 3: return lane + 8 > 31 ? t : t + 8; // of 40 the five lowest bits
        case 4: return first + 31 - lane;
        case 5: return t / 16 * 16 + 15;
        case 6: return lane + lane % 3 > 31 ? t : t + lane % 3;
        default: return first + (lane < 16 ? 3 : 20);
        }
    });
}
