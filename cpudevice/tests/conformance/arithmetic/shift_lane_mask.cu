// the masks of lanes below and from a lane on, as widely used headers write them
#include "conformance.h"

__device__ unsigned below() { return 0xffffffffu >> (32 - (threadIdx.x & 31)); }
__device__ unsigned from() { return ~0u << (threadIdx.x % 32 + (threadIdx.x >= 32)); }
template <class T> __device__ T rotated(T x, int n) { return x << n | x >> (8 * (int)sizeof(T) - n); }
__global__ void k(unsigned *out)
{
    unsigned r = rotated(0x80000001u, threadIdx.x % 33);
    out[threadIdx.x] = below() ^ from() * 3 ^ r * 5;
}
int main()
{
    unsigned *out = managed<unsigned>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int lane = t % 32, n = t % 33, first = lane + (t >= 32);
        unsigned low = lane ? ~0u >> (32 - lane) : 0, high = first < 32 ? ~0u << first : 0;
        unsigned r = n == 0 || n == 32 ? 0x80000001u : 0x80000001u << n | 0x80000001u >> (32 - n);
        return low ^ high * 3 ^ r * 5;
    });
}
