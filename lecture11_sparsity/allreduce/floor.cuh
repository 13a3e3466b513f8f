/* floor.cuh: what a sum of small vectors cannot be faster than, measured with the same launches: a kernel that does nothing,
 * and one in which each rank only sends a vector's bytes to the others and waits until theirs have come. It reads no input,
 * adds nothing and writes no output. */
#ifndef FLOOR_CUH
#define FLOOR_CUH

#include "empty.cuh"

__global__ void __launch_bounds__(EMPTY_THREADS) nothing_kernel41(const __grid_constant__ Inboxes v, size_t n)
{
    (void)v, (void)n;
    after_the_kernel_before(false);
}

/* All words of a call are its number, and two inboxes take turns. Of a warp's words only the last is waited for. */
__global__ void __launch_bounds__(EMPTY_THREADS) arrival_kernel42(const __grid_constant__ Inboxes v, size_t n)
{
    after_the_kernel_before(false);
    const unsigned quads = (unsigned)((n + 3) / 4), first = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned step = gridDim.x * blockDim.x, place = blockIdx.x * QUADS_PER_BLOCK + threadIdx.x;
    const unsigned call = *(volatile unsigned *)&v.mine->arrivals[blockIdx.x] + 1;
    const unsigned inbox = (call & 1) * v.ranks;
    int rows = 0;
    for (; first + rows * step < quads; rows++)
        for (int r = 1; r < v.ranks; r++)
            store_slot(&v.slots[rank_after(v.rank, r, v.ranks)][(inbox + v.rank) * SLOTS + place + rows * blockDim.x],
                       make_uint4(call, call, call, call));
    if (rows && (threadIdx.x % 32 == 31 || first + 1 == quads))
        for (int r = 0; r < v.ranks; r++)
            while (r != v.rank &&
                   load_slot(&v.slots[v.rank][(inbox + r) * SLOTS + place + (rows - 1) * blockDim.x]).w != call)
                ;
    __syncthreads(); /* all have read the number of the call */
    if (threadIdx.x == 0)
        v.mine->arrivals[blockIdx.x] = call;
}

#endif
