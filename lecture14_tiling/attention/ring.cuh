/* ring.cuh: tiles of a head on their way through rings of shared memory: places, copies, and room for them. */
#ifndef ATTENTION_RING_CUH
#define ATTENTION_RING_CUH

#include "../../common/hopper.cuh"

/* A ring's slot and the parity of its phase. */
template <int STAGES> struct RingPlace {
    int slot = 0;
    uint32_t parity;
    __device__ explicit RingPlace(uint32_t first) : parity(first) {}
    __device__ __forceinline__ void next(void)
    {
        if (++slot == STAGES) {
            slot = 0;
            parity ^= 1;
        }
    }
};

/* Boxes of 64 columns of `rows` tokens, from `token` on. One thread. */
template <int D>
__device__ __forceinline__ void fetch_tile(uint32_t smem, const CUtensorMap *map, int rows, int token, int head,
                                           int batch, uint32_t bar)
{
    mbarrier_arrive_expect(bar, rows * D * 2);
#pragma unroll
    for (int box = 0; box < D / 64; box++)
        tma_load_heads(smem + box * rows * 128, map, box * 64, token, head, batch, bar);
}

/* A block may use so much shared memory. NULL, or why not. */
static inline const char *raise_shared(const void *kernel, int bytes)
{
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) == cudaSuccess
               ? NULL
               : "this device gives a block too little shared memory";
}

#endif
