/* bsr.cuh: C = A B, A in block CSR (square blocks of BLOCK), by tensor cores.
 *
 *   A   M x K: row_start (M / BLOCK + 1), column (one per block), value (blocks x BLOCK x BLOCK, bf16)
 *   B   K x N, bf16      C   M x N, bf16      all row-major; M and K multiples of BLOCK, N one of 8
 *
 * A thread block computes BLOCK x BN of C: for each block of A in its block row it fetches that block and the BLOCK
 * rows of B that it meets, through the pipeline of spgemm24/mma.cuh. Each row of B that is fetched serves only BLOCK
 * rows of C; so the smaller the block, the more of the time goes into fetching B from the L2, and at 90 % the blocks
 * must be large before the tensor cores matter. A stage holds 64 columns of A: one block of 64, two of 32, ...
 * For blocks of 8 the tile is padded to the 16 rows of an mma with zeros.
 */
#ifndef SPMM_BLOCK_BSR_CUH
#define SPMM_BLOCK_BSR_CUH

#include <algorithm>

#include "../spgemm24/mma.cuh"

struct BsrArguments {
    const int *row_start, *column;
    const int *order; /* block rows, those with the most blocks first: the long ones must not come last */
    const uint16_t *value;
    const void *B;
    void *C;
    int M, N, K;
};

/* BN columns of C per thread block, cut into warps of WM x WN. */
template <int BLOCK_, int BN_, int WM_, int WN_, int STAGES_> struct BsrTile {
    static constexpr int BLOCK = BLOCK_, BM = BLOCK < 16 ? 16 : BLOCK;
    using Mma = MmaTile<2, false, false, BM, BN_, WM_, WN_, STAGES_, 1>;
    static constexpr int PER_STAGE = 64 / BLOCK;
    static_assert(64 % BLOCK == 0 && BLOCK >= 8, "a stage holds whole blocks, each row at least one 16-byte chunk");
};

template <class T> __global__ void __launch_bounds__(T::Mma::THREADS) bsr_kernel(BsrArguments p)
{
    using U = typename T::Mma;
    extern __shared__ __align__(128) char shared[];
    const int block_rows = p.M / T::BLOCK;
    const int block_row = p.order[blockIdx.x % block_rows]; /* all block rows of one slab of B, then the next slab */
    const int n0 = blockIdx.x / block_rows * U::BN;
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    const int wm = warp % (U::BM / U::WM) * U::WM, wn = warp / (U::BM / U::WM) * U::WN;
    const int first = p.row_start[block_row], last = p.row_start[block_row + 1];
    const int stages = (last - first + T::PER_STAGE - 1) / T::PER_STAGE;

    /* `column` says which rows of B a stage fetches: it is read a stage ahead, so that the copies do not wait for it.
     * */
    int next_column[T::PER_STAGE];
    auto look_ahead = [&](int s) {
#pragma unroll
        for (int i = 0; i < T::PER_STAGE; i++)
            next_column[i] = first + s * T::PER_STAGE + i < last ? p.column[first + s * T::PER_STAGE + i] : -1;
    };
    auto load = [&](int s) {
        char *stage = shared + s % U::STAGES * U::STAGE_BYTES;
        const int block0 = first + s * T::PER_STAGE;
        constexpr int A_CHUNKS = U::BM * 8;
        for (int index = tid; index < A_CHUNKS; index += U::THREADS) {
            int row = index / 8, chunk = index % 8;
            int block = block0 + chunk * 8 / T::BLOCK;
            bool valid = block < last && row < T::BLOCK;
            const uint16_t *from =
                p.value + (valid ? ((size_t)block * T::BLOCK + row) * T::BLOCK + chunk * 8 % T::BLOCK : 0);
            cp_async_16(stage + row * 128 + (chunk ^ (row & 7)) * 16, from, valid);
        }
        constexpr int B_CHUNKS = U::BN / 8, STEP = U::THREADS / B_CHUNKS;
        static_assert(U::THREADS % B_CHUNKS == 0 && STEP <= 64, "each thread copies whole columns of chunks of B");
        const int chunk = tid % B_CHUNKS;
        const bool valid_n = n0 + chunk * 8 < p.N;
#pragma unroll
        for (int i = 0; i < 64 / STEP; i++) {
            const int row = tid / B_CHUNKS + i * STEP;
            int column = 0;
            if constexpr (STEP <= T::BLOCK) { /* then all of the block's threads are in the same block of A */
                column = next_column[i * STEP / T::BLOCK];
            } else {
#pragma unroll
                for (int j = 0; j < T::PER_STAGE; j++)
                    column = row / T::BLOCK == j ? next_column[j] : column;
            }
            const bool valid = column >= 0 && valid_n;
            const int k = valid ? column * T::BLOCK + row % T::BLOCK : 0;
            cp_async_16(stage + U::A_BYTES + row * U::BN * 2 + (chunk ^ (row & 7)) * 16,
                        (const char *)p.B + ((size_t)k * p.N + (valid ? n0 + chunk * 8 : 0)) * 2, valid);
        }
    };

    float d[U::MI][U::NI][4] = {};
    uint32_t a[2][U::MI][4], b[2][U::NI][2], no_meta;
    const int a_place = mma_a_place<U>(wm), b_place = mma_b_place<U>(wn);
    look_ahead(0);
#pragma unroll
    for (int s = 0; s < U::STAGES - 1; s++) {
        if (s < stages)
            load(s);
        cp_async_commit();
        look_ahead(s + 1);
    }
    for (int s = 0; s < stages; s++) {
        cp_async_wait<U::STAGES - 2>();
        __syncthreads();
        if (s + U::STAGES - 1 < stages)
            load(s + U::STAGES - 1);
        cp_async_commit();
        look_ahead(s + U::STAGES);
        const int stage = s % U::STAGES * U::STAGE_BYTES;
#pragma unroll
        for (int i = 0; i < U::MI; i++)
            mma_load_a<U>(a[0][i], no_meta, shared, stage, a_place, wm, 0, i);
        mma_load_b<U>(b[0], shared, stage, b_place, 0, 0);
#pragma unroll
        for (int step = 0; step < 4; step++) {
            if (step < 3) {
#pragma unroll
                for (int i = 0; i < U::MI; i++)
                    mma_load_a<U>(a[(step + 1) % 2][i], no_meta, shared, stage, a_place, wm, step + 1, i);
                mma_load_b<U>(b[(step + 1) % 2], shared, stage, b_place, step + 1, 0);
            }
#pragma unroll
            for (int i = 0; i < U::MI; i++)
#pragma unroll
                for (int j = 0; j < U::NI; j++)
                    mma_m16n8k16_bf16(d[i][j], a[step % 2][i], b[step % 2][j]);
        }
    }

    /* The tile of C through shared memory, so that whole sectors are written. An empty block row writes zeros. */
    cp_async_wait<0>();
    __syncthreads();
    constexpr int ROW = U::WN * 2, CHUNKS = ROW / 16;
    char *own = shared + warp * (U::WM * ROW);
#pragma unroll
    for (int i = 0; i < U::MI; i++)
#pragma unroll
        for (int j = 0; j < U::NI; j++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                int row = i * 16 + h * 8 + lane / 4, chunk = j ^ (row & (CHUNKS < 8 ? CHUNKS - 1 : 7));
                *(__nv_bfloat162 *)(own + row * ROW + chunk * 16 + lane % 4 * 4) =
                    __floats2bfloat162_rn(d[i][j][2 * h], d[i][j][2 * h + 1]);
            }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < U::WM * CHUNKS / 32; i++) {
        int index = lane + i * 32, row = index / CHUNKS, chunk = index % CHUNKS;
        int m = wm + row, n = n0 + wn + chunk * 8;
        if (m < T::BLOCK && n < p.N)
            *(uint4 *)((char *)p.C + ((size_t)(block_row * T::BLOCK + m) * p.N + n) * 2) =
                *(uint4 *)(own + row * ROW + (chunk ^ (row & (CHUNKS < 8 ? CHUNKS - 1 : 7))) * 16);
    }
}

template <class T> static void bsr_launch(const BsrArguments &p, cudaStream_t stream)
{
    using U = typename T::Mma;
    static bool ready = false;
    if (!ready) {
        cudaFuncSetAttribute(bsr_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, U::SHARED_BYTES);
        ready = true;
    }
    int blocks = p.M / T::BLOCK * ((p.N + U::BN - 1) / U::BN);
    bsr_kernel<T><<<blocks, U::THREADS, U::SHARED_BYTES, stream>>>(p);
}

#endif
