// a scan of a block: the sums of its warps are scanned by as many lanes as there are warps, which name just those
#include "conformance.h"

__global__ void k(int *data, int width)
{
    extern __shared__ int sums[];
    int id = blockIdx.x * blockDim.x + threadIdx.x, lane = id % warpSize, warp = threadIdx.x / warpSize, value = data[id];
    for (int i = 1; i <= width; i *= 2) {
        int n = __shfl_up_sync(0xffffffffu, value, i, width);
        if (lane >= i)
            value += n;
    }
    if (threadIdx.x % warpSize == warpSize - 1)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0 && lane < (blockDim.x / warpSize)) {
        int sum = sums[lane];
        int mask = (1 << (blockDim.x / warpSize)) - 1;
        for (int i = 1; i <= (blockDim.x / warpSize); i *= 2) {
            int n = __shfl_up_sync(mask, sum, i, (blockDim.x / warpSize));
            if (lane >= i)
                sum += n;
        }
        sums[lane] = sum;
    }
    __syncthreads();
    data[id] = value + (warp > 0 ? sums[warp - 1] : 0);
}
int main()
{
    enum { N = 256 };
    int *data = managed(2 * N), want[2 * N];
    for (int i = 0; i < 2 * N; i++) {
        data[i] = i * 13 % 31 - 9;
        want[i] = data[i] + (i % N ? want[i - 1] : 0);
    }
    k<<<2, N, 8 * sizeof(int)>>>(data, 32);
    return check(data, 2 * N, [&](int i) { return want[i]; });
}
