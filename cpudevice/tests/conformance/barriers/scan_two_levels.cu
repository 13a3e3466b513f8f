// an inclusive scan over warps and over the block, of a ragged length
#include "conformance.h"

__global__ void k(int *out, const int *in, int n)
{
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5, v = t < n ? in[t] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += left;
    }
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int d = 1; d < 32; d *= 2) {
            int left = __shfl_up_sync(~0u, s, d);
            if (lane >= d)
                s += left;
        }
        sums[lane] = s;
    }
    __syncthreads();
    if (warp)
        v += sums[warp - 1];
    if (t < n)
        out[t] = v;
}
int main()
{
    int *out = managed(201), *in = managed(201), sums[201], sum = 0;
    for (int i = 0; i < 201; i++)
        in[i] = i % 7 - 2, sums[i] = sum += i % 7 - 2;
    k<<<1, 224>>>(out, in, 201);
    return check(out, 201, [&](int t) { return sums[t]; });
}
