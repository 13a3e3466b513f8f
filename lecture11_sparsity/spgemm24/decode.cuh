/* decode.cuh: y = W x for a handful of columns of x, W 2:4 sparse or dense: the product of decoding, a matter of bytes.
 *
 *   W   M x K, bf16; 2:4: values M x sparse24_ld(K) and metadata      x   K x N, N = 8 NT      y   M x N, bf16
 *
 * With 16 columns each element of W is used 16 times: far too few for arithmetic to matter. What matters is that W
 * comes in at the full bandwidth of memory, and 2:4 makes it 9/16 of the bytes. So: a block takes BM whole rows (no
 * second pass to add up pieces of K, and x is read only M / BM times, from the L2), and keeps STAGES - 1 stages of
 * DEPTH columns in flight, more than 100 KB per SM, which is what hides a memory latency of about a microsecond.
 * The warps of a block share its rows BM / 16 ways and the depth of each stage KWARPS ways.
 */
#ifndef SPGEMM24_DECODE_CUH
#define SPGEMM24_DECODE_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stdint.h>

#include "ptx.cuh"
#include "sparse.h"

template <bool SPARSE_, int BM_, int KWARPS_, int DEPTH_, int STAGES_, int NT_> struct DecodeTile {
    static constexpr bool SPARSE = SPARSE_;
    static constexpr int BM = BM_, KWARPS = KWARPS_, DEPTH = DEPTH_, STAGES = STAGES_, NT = NT_;
    static constexpr int THREADS = BM / 16 * KWARPS * 32;
    static constexpr int A_ROW = SPARSE ? DEPTH : 2 * DEPTH; /* bytes of a row of W in a stage */
    static constexpr int A_CHUNKS = A_ROW / 16, B_ROW = NT * 16, META_ROW = DEPTH / 64 * 128;
    static constexpr int A_BYTES = BM * A_ROW, B_BYTES = DEPTH * B_ROW;
    static constexpr int META_BYTES = SPARSE ? BM / 16 * META_ROW : 0;
    static constexpr int STAGE_BYTES = A_BYTES + B_BYTES + META_BYTES;
    static constexpr int SHARED_BYTES = STAGES * STAGE_BYTES;
    static_assert(A_CHUNKS >= 8, "the swizzle needs rows of at least 128 bytes");
    static_assert(DEPTH % (64 * KWARPS) == 0, "each warp takes whole tiles of metadata of a stage");
    static_assert(BM * A_CHUNKS % THREADS == 0 && DEPTH * NT % THREADS == 0,
                  "each thread copies the same number of chunks");
    static_assert(META_BYTES / 16 <= THREADS, "one chunk of metadata a thread at most");
    static_assert(KWARPS * BM * NT * 8 * 4 <= SHARED_BYTES, "the partial sums are added up in the same memory");
    static_assert(SHARED_BYTES <= 227 * 1024, "the stages must fit in an SM's shared memory");
};

/* Place of the 16-byte chunk (row k, column tile n) of x in a stage: rows are only 32 bytes (NT = 2) or 16, and
 * ldmatrix reads 8 of them at once, which must lie in different banks. */
template <class T> __device__ __forceinline__ int decode_b_place(int k, int n)
{
    return T::NT == 2 ? k * 32 + ((n ^ (k >> 2 & 1)) * 16) : k * 16;
}

template <class T>
__global__ void __launch_bounds__(T::THREADS)
    decode_kernel(const void *W, const uint32_t *meta, const void *x, void *y, int M, int K, int ldw)
{
    extern __shared__ __align__(128) char shared[];
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const int wm = warp % (T::BM / 16), wk = warp / (T::BM / 16);
    const int m0 = blockIdx.x * T::BM;
    const int rounds = (K + T::DEPTH - 1) / T::DEPTH, k_tiles = (K + 63) / 64;
    const int w_bytes = (T::SPARSE ? ldw : K) * 2;

    auto load = [&](int round) {
        char *stage = shared + round % T::STAGES * T::STAGE_BYTES;
#pragma unroll
        for (int i = 0; i < T::BM * T::A_CHUNKS / T::THREADS; i++) {
            int index = tid + i * T::THREADS, row = index / T::A_CHUNKS, chunk = index % T::A_CHUNKS;
            int byte = round * T::A_ROW + chunk * 16;
            cp_async_16(stage + row * T::A_ROW + (chunk ^ (row & 7)) * 16,
                        (const char *)W + (size_t)(m0 + row) * ldw * 2 + byte, m0 + row < M && byte < w_bytes);
        }
        if constexpr (T::SPARSE) {
            if (tid < T::META_BYTES / 16) {
                int row = tid / (T::META_ROW / 16), byte = round * T::META_ROW + tid % (T::META_ROW / 16) * 16;
                cp_async_16(stage + T::A_BYTES + T::B_BYTES + tid * 16,
                            (const char *)meta + (size_t)(m0 / 16 + row) * k_tiles * 128 + byte,
                            m0 + row * 16 < M && byte < k_tiles * 128);
            }
        }
#pragma unroll
        for (int i = 0; i < T::DEPTH * T::NT / T::THREADS; i++) {
            int index = tid + i * T::THREADS, k = index / T::NT, n = index % T::NT;
            cp_async_16(stage + T::A_BYTES + decode_b_place<T>(k, n),
                        (const char *)x + ((size_t)(round * T::DEPTH + k) * T::NT + n) * 16, round * T::DEPTH + k < K);
        }
    };

    float d[T::NT][4] = {};
#pragma unroll
    for (int s = 0; s < T::STAGES - 1; s++) {
        if (s < rounds)
            load(s);
        cp_async_commit();
    }
    for (int round = 0; round < rounds; round++) {
        cp_async_wait<T::STAGES - 2>();
        __syncthreads();
        if (round + T::STAGES - 1 < rounds)
            load(round + T::STAGES - 1);
        cp_async_commit();

        const char *stage = shared + round % T::STAGES * T::STAGE_BYTES;
        const char *b_stage = stage + T::A_BYTES;
        const int row = wm * 16 + lane % 16;
#pragma unroll
        for (int t = 0; t < T::DEPTH / 64 / T::KWARPS; t++) {
            const int tile = wk * (T::DEPTH / 64 / T::KWARPS) + t; /* 64 columns of W, one word of metadata per lane */
            uint32_t a[4], b[4];
            if constexpr (T::SPARSE) {
                uint32_t e = ((const uint32_t *)(b_stage + T::B_BYTES + wm * T::META_ROW))[tile * 32 + lane];
#pragma unroll
                for (int step = 0; step < 2; step++) {
                    int chunk = tile * 4 + step * 2 + lane / 16;
                    ldmatrix_x4(a, stage + row * T::A_ROW + (chunk ^ (row & 7)) * 16);
#pragma unroll
                    for (int n = 0; n < T::NT; n++) {
                        ldmatrix_x4_trans(b, b_stage + decode_b_place<T>(tile * 64 + step * 32 + lane, n));
                        if (step == 0)
                            mma_sp_m16n8k32_bf16<0>(d[n], a, b, e);
                        else
                            mma_sp_m16n8k32_bf16<1>(d[n], a, b, e);
                    }
                }
            } else {
#pragma unroll
                for (int step = 0; step < 2; step++) {
                    uint32_t a2[4];
                    int chunk = tile * 8 + step * 4 + lane / 16;
                    ldmatrix_x4(a, stage + row * T::A_ROW + (chunk ^ (row & 7)) * 16);
                    ldmatrix_x4(a2, stage + row * T::A_ROW + (chunk + 2 ^ (row & 7)) * 16);
#pragma unroll
                    for (int n = 0; n < T::NT; n++) {
                        ldmatrix_x4_trans(b, b_stage + decode_b_place<T>(tile * 64 + step * 32 + lane, n));
                        mma_m16n8k16_bf16(d[n], a, b);
                        mma_m16n8k16_bf16(d[n], a2, b + 2);
                    }
                }
            }
        }
    }

    /* Add up what the KWARPS warps of the same rows found. */
    cp_async_wait<0>();
    __syncthreads();
    float *sum = (float *)shared; /* KWARPS x BM x N */
    constexpr int N = T::NT * 8;
#pragma unroll
    for (int n = 0; n < T::NT; n++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            sum[(wk * T::BM + wm * 16 + lane / 4 + e / 2 * 8) * N + n * 8 + lane % 4 * 2 + e % 2] = d[n][e];
    __syncthreads();
    for (int i = tid; i < T::BM * N / 2; i += T::THREADS) {
        float2 v = {0, 0};
#pragma unroll
        for (int w = 0; w < T::KWARPS; w++) {
            v.x += sum[w * T::BM * N + 2 * i];
            v.y += sum[w * T::BM * N + 2 * i + 1];
        }
        if (m0 + 2 * i / N < M)
            ((__nv_bfloat162 *)y)[(size_t)m0 * N / 2 + i] = __floats2bfloat162_rn(v.x, v.y);
    }
}

template <class T>
static void decode_launch(const void *W, const uint32_t *meta, const void *x, void *y, int M, int K, int ldw,
                          cudaStream_t stream)
{
    static bool ready = false;
    if (!ready) {
        cudaFuncSetAttribute(decode_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::SHARED_BYTES);
        ready = true;
    }
    decode_kernel<T><<<(M + T::BM - 1) / T::BM, T::THREADS, T::SHARED_BYTES, stream>>>(W, meta, x, y, M, K, ldw);
}

#endif
