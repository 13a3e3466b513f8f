/* bitmap.cuh: y = x W', W in the form of bitmap.h: loaded sparse, multiplied dense.
 *
 *   x   tokens x K, bf16, tokens at most 16      W   M x K      y   tokens x M, bf16      all row-major
 *
 * With 16 tokens a product is a matter of W's bytes. A thread block has 64 rows of W, and walks their chunks. A lane
 * takes its byte of the bitmap, and counts the ones of the lanes before it to find its values. What is not stored it
 * sets to zero, and the tensor cores multiply the tile as if nothing were missing. */
#ifndef LOAD_SPARSE_BITMAP_CUH
#define LOAD_SPARSE_BITMAP_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "../../common/hopper.cuh"
#include "bitmap.h"
#include "ptx.cuh"

enum {
    BITMAP_TOKENS = 16,
    BITMAP_X_ROW = BITMAP_COLUMNS * 2 + 16, /* bytes; the 16 spread the tokens over the banks */
    BITMAP_X_BYTES = BITMAP_TOKENS * BITMAP_X_ROW,
    BITMAP_SUM_ROW = BITMAP_ROWS + 4, /* floats, for the same reason */
    BITMAP_SUM_BYTES = BITMAP_WARPS / 2 * BITMAP_TOKENS * BITMAP_SUM_ROW * 4,
    BITMAP_MOST_STAGES = 12,
    BITMAP_SHARED = 227 * 1024,
};

/* The 8 elements of this lane in one tile, as the four registers of operand A. */
__device__ __forceinline__ void bitmap_unpack(uint32_t a[4], uint32_t four_lanes, uint32_t begin,
                                              const uint16_t *values, int lane)
{
    const int shift = lane % 4 * 8;
    const uint32_t bits = four_lanes >> shift;
    const uint16_t *next = values + begin + __popc(four_lanes & ((1u << shift) - 1));
    uint32_t e[8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        e[i] = 0;
        if (bits >> i & 1)
            e[i] = *next++;
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        a[i] = e[2 * i] | e[2 * i + 1] << 16;
}

/* One warp's four tiles of a chunk: sum[m][n] += its tiles times the tokens 8n .. 8n + 7. `x` holds the chunk's columns
 * of the tokens, x_row bytes from token to token; those from `tokens` on count as zeros. `columns` of the chunk are in
 * the matrix. */
template <bool ALL_TOKENS>
__device__ __forceinline__ void bitmap_multiply(float (&sum)[2][2][4], const char *chunk, const char *x, size_t x_row,
                                                int tokens, int columns, int warp, int lane)
{
    const char *head = chunk + warp * BITMAP_WARP_BYTES;
    const uint16_t *values = (const uint16_t *)(chunk + BITMAP_HEAD);
    const uint4 words = *(const uint4 *)(head + lane / 4 * 16);
    const uint2 begins = *(const uint2 *)(head + 128 + lane / 4 * 8);
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const int column = (warp / 2 * 2 + k) * 16;
        if (column >= columns)
            break;
        uint32_t b[2][2];
#pragma unroll
        for (int n = 0; n < 2; n++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int token = n * 8 + lane / 4;
                const char *from = x + token * x_row + (column + h * 8 + lane % 4 * 2) * 2;
                b[n][h] = ALL_TOKENS || token < tokens ? *(const uint32_t *)from : 0;
            }
#pragma unroll
        for (int m = 0; m < 2; m++) {
            const uint32_t word = k ? (m ? words.w : words.z) : m ? words.y : words.x;
            const uint32_t pair = k ? begins.y : begins.x;
            uint32_t a[4];
            bitmap_unpack(a, word, m ? pair >> 16 : pair & 0xffff, values, lane);
#pragma unroll
            for (int n = 0; n < 2; n++)
                mma_m16n8k16_bf16(sum[m][n], a, b[n]);
        }
    }
}

/* Adds up what the eight warps of the same rows found, and writes it. All 512 threads; `shared` is free. */
__device__ __forceinline__ void bitmap_finish(const float (&sum)[2][2][4], float *shared, uint16_t *y, int tokens,
                                              int M, int m0, int thread)
{
    const int warp = thread / 32, lane = thread % 32;
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
        for (int n = 0; n < 2; n++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int token = n * 8 + lane % 4 * 2 + i % 2, row = (warp % 2 * 2 + m) * 16 + lane / 4 + i / 2 * 8;
                shared[(warp / 2 * BITMAP_TOKENS + token) * BITMAP_SUM_ROW + row] = sum[m][n][i];
            }
    named_barrier(1, BITMAP_WARPS * 32);
    for (int i = thread; i < BITMAP_TOKENS * BITMAP_ROWS; i += BITMAP_WARPS * 32) {
        const int token = i / BITMAP_ROWS, row = i % BITMAP_ROWS;
        float all = 0;
#pragma unroll
        for (int w = 0; w < BITMAP_WARPS / 2; w++)
            all += shared[(w * BITMAP_TOKENS + token) * BITMAP_SUM_ROW + row];
        if (token < tokens && m0 + row < M)
            ((__nv_bfloat16 *)y)[(size_t)token * M + m0 + row] = __float2bfloat16(all);
    }
}

/* What both kernels get. */
struct BitmapProduct {
    const char *bytes;
    const uint32_t *start;
    const uint16_t *x;
    uint16_t *y;
    int tokens, M, K;
};

/* Rung 2. Everything straight from global memory. */
__global__ void __launch_bounds__(BITMAP_WARPS * 32, 1) bitmap_kernel2(const __grid_constant__ BitmapProduct p)
{
    extern __shared__ __align__(128) char raw[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int chunks = (p.K + BITMAP_COLUMNS - 1) / BITMAP_COLUMNS;
    float sum[2][2][4] = {};
    for (int c = 0; c < chunks; c++)
        bitmap_multiply<false>(sum, p.bytes + (size_t)p.start[(size_t)blockIdx.x * chunks + c] * 16,
                               (const char *)(p.x + c * BITMAP_COLUMNS), (size_t)p.K * 2, p.tokens,
                               p.K - c * BITMAP_COLUMNS, warp, lane);
    bitmap_finish(sum, (float *)raw, p.y, p.tokens, p.M, blockIdx.x * BITMAP_ROWS, threadIdx.x);
}

/* Rung 3. A 17th warp fetches whole chunks by bulk copies, `stages` ahead; a stage has `stage_bytes`, x first. */
__global__ void __launch_bounds__((BITMAP_WARPS + 1) * 32, 1)
    bitmap_kernel3(const __grid_constant__ BitmapProduct p, int stages, int stage_bytes)
{
#ifdef HOPPER_CODE
    extern __shared__ __align__(128) char raw[];
    __shared__ __align__(8) uint64_t barriers[2 * BITMAP_MOST_STAGES];
    const uint32_t full = shared_address(barriers), empty = full + 8 * BITMAP_MOST_STAGES;
    const int warp = __shfl_sync(~0u, (int)threadIdx.x / 32, 0), lane = threadIdx.x % 32;
    const int chunks = (p.K + BITMAP_COLUMNS - 1) / BITMAP_COLUMNS;

    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, BITMAP_WARPS);
        }
        mbarrier_init_fence();
    }
    /* Tokens that do not exist are zeros in all stages. */
    const int words = (BITMAP_TOKENS - p.tokens) * BITMAP_X_ROW / 4;
    for (int i = threadIdx.x; i < stages * words; i += blockDim.x)
        ((uint32_t *)(raw + (size_t)(i / words) * stage_bytes + p.tokens * BITMAP_X_ROW))[i % words] = 0;
    __syncthreads();

    int slot = 0;
    if (warp == BITMAP_WARPS) { /* ----------------------------------------------------------------------- producer */
        uint32_t parity = 1;
        const uint32_t *start = p.start + (size_t)blockIdx.x * chunks;
        uint32_t here = start[0];
        for (int c = 0; c < chunks; c++) {
            const uint32_t next = start[c + 1], bar = full + 8 * slot;
            const uint32_t stage = shared_address(raw) + slot * stage_bytes;
            const int columns = min(BITMAP_COLUMNS, p.K - c * BITMAP_COLUMNS);
            mbarrier_wait(empty + 8 * slot, parity);
            if (lane == 0) {
                mbarrier_arrive_expect(bar, (next - here) * 16 + p.tokens * columns * 2);
                bulk_load(stage + BITMAP_X_BYTES, p.bytes + (size_t)here * 16, (next - here) * 16, bar);
            }
            __syncwarp();
            if (lane < p.tokens)
                bulk_load(stage + lane * BITMAP_X_ROW, p.x + (size_t)lane * p.K + c * BITMAP_COLUMNS, columns * 2, bar);
            here = next;
            if (++slot == stages) {
                slot = 0;
                parity ^= 1;
            }
        }
    } else { /* -------------------------------------------------------------------------------------------- consumers */
        uint32_t parity = 0;
        float sum[2][2][4] = {};
        for (int c = 0; c < chunks; c++) {
            mbarrier_wait(full + 8 * slot, parity);
            const char *stage = raw + slot * stage_bytes;
            bitmap_multiply<true>(sum, stage + BITMAP_X_BYTES, stage, BITMAP_X_ROW, 16, p.K - c * BITMAP_COLUMNS, warp,
                                  lane);
            __syncwarp();
            if (lane == 0)
                mbarrier_arrive(empty + 8 * slot);
            if (++slot == stages) {
                slot = 0;
                parity ^= 1;
            }
        }
        named_barrier(1, BITMAP_WARPS * 32); /* the stages are free: nothing is in flight any more */
        bitmap_finish(sum, (float *)raw, p.y, p.tokens, p.M, blockIdx.x * BITMAP_ROWS, threadIdx.x);
    }
#endif
}

static const char *bitmap_launch2(const BitmapProduct *p, size_t most, cudaStream_t stream)
{
    (void)most;
    bitmap_kernel2<<<(p->M + BITMAP_ROWS - 1) / BITMAP_ROWS, BITMAP_WARPS * 32, BITMAP_SUM_BYTES, stream>>>(*p);
    return NULL;
}

/* `most`: bytes of the largest chunk. NULL, or why not. */
static const char *bitmap_launch3(const BitmapProduct *p, size_t most, cudaStream_t stream)
{
    const int stage_bytes = BITMAP_X_BYTES + (int)((most + 127) / 128 * 128);
    const int room = BITMAP_SHARED - 2 * BITMAP_MOST_STAGES * 8 - 128, fit = room / stage_bytes;
    const int stages = fit < BITMAP_MOST_STAGES ? fit : BITMAP_MOST_STAGES;
    const int bytes = stages * stage_bytes > BITMAP_SUM_BYTES ? stages * stage_bytes : BITMAP_SUM_BYTES;
    static bool raised = false;
    if (!raised) {
        if (cudaFuncSetAttribute(bitmap_kernel3, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 room > BITMAP_SUM_BYTES ? room : BITMAP_SUM_BYTES) != cudaSuccess)
            return "this device gives a block too little shared memory";
        raised = true;
    }
    bitmap_kernel3<<<(p->M + BITMAP_ROWS - 1) / BITMAP_ROWS, (BITMAP_WARPS + 1) * 32, bytes, stream>>>(*p, stages,
                                                                                                       stage_bytes);
    return NULL;
}

#endif
