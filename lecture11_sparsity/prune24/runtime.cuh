/* runtime.cuh: sparsify a bf16 matrix while training, when its weights change at every step: one pass over W that
 * writes W compressed and its transpose compressed, values and metadata of both.
 *
 * W (rows x columns) is cut into 4 x 4 tiles, each pruned so that every row and every column keeps two
 * (sparse24_pick_tile_bf16 in common/sparse.h defines which; the choice here is bit for bit the same).
 */
#ifndef PRUNE24_RUNTIME_CUH
#define PRUNE24_RUNTIME_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stdint.h>

#include "ptx.cuh"
#include "sparse.h"

enum { PRUNE24_PATTERNS = 90 };

/* bytes of b:a picked by four selectors of 4 bits, as the instruction PRMT */
__device__ __forceinline__ uint32_t pick_bytes(uint32_t a, uint32_t b, uint32_t selector)
{
    return __byte_perm(a, b, selector);
}

/* What a pattern keeps, in the two forms that are used: selectors for PRMT that take the kept elements of a row (or
 * column) of four, 16 bits each, rows 0 and 1 in take.x, 2 and 3 in take.y, columns in take.z and take.w; and the
 * 4 bits of metadata, those of row r in byte r of rows, those of column c in byte c of columns. Numbers of patterns:
 * 0-5 equal, 6-41 complementary, 42-89 shared, in the order of common/sparse/sparse24.c. */
struct Prune24Pattern {
    uint4 take;
    uint32_t rows, columns;
};

__device__ inline Prune24Pattern prune24_pattern(int number)
{
    const unsigned PAIR_I = 0x211000, PAIR_J = 0x332321; /* hexadecimal digit p: the first, the second of pair p */
    unsigned rows[4];
    auto pair = [&](unsigned p) { return 1u << (PAIR_I >> 4 * p & 15) | 1u << (PAIR_J >> 4 * p & 15); };
    if (number < 6) {
        rows[0] = rows[1] = pair(number);
        rows[2] = rows[3] = 15 ^ rows[0];
    } else if (number < 42) {
        rows[0] = pair((number - 6) / 6);
        rows[1] = 15 ^ rows[0];
        rows[2] = pair((number - 6) % 6);
        rows[3] = 15 ^ rows[2];
    } else {
        unsigned p = (number - 42) / 8, x = (number - 42) % 8;
        unsigned c = 1u << (PAIR_I >> 4 * p & 15), d = 1u << (PAIR_J >> 4 * p & 15);
        unsigned a = 1u << (PAIR_I >> 4 * (5 - p) & 15), b = 1u << (PAIR_J >> 4 * (5 - p) & 15);
        if (x & 4) {
            unsigned t = a;
            a = b;
            b = t;
        }
        rows[0] = a | (x & 1 ? d : c);
        rows[1] = a | (x & 1 ? c : d);
        rows[2] = b | (x & 2 ? d : c);
        rows[3] = b | (x & 2 ? c : d);
    }
    Prune24Pattern pattern = {};
    uint32_t take[4] = {};
    for (int r = 0; r < 8; r++) {
        unsigned kept = 0;
        for (int i = 0; i < 4; i++)
            kept |= (r < 4 ? rows[r] >> i & 1 : rows[i] >> (r - 4) & 1) << i;
        unsigned first = (unsigned)__ffs(kept) - 1, second = 31 - (unsigned)__clz(kept);
        take[r / 2] |= (first * 0x22 + second * 0x2200 + 0x1010) << r % 2 * 16;
        (r < 4 ? pattern.rows : pattern.columns) |= (first | second << 2) << r % 4 * 8;
    }
    pattern.take = make_uint4(take[0], take[1], take[2], take[3]);
    return pattern;
}

/* Number of the pattern that keeps the most of a tile; row r of the tile is the four bf16 of row[r]. */
__device__ __forceinline__ int prune24_pick(const uint2 row[4])
{
    float m[4][4];
#pragma unroll
    for (int r = 0; r < 4; r++) {
        /* two magnitudes at a time, no more than 2^121; of a number and NaN the minimum is the number */
        const __nv_bfloat162 most = __halves2bfloat162(__ushort_as_bfloat16(0x7c00), __ushort_as_bfloat16(0x7c00));
        __nv_bfloat162 lo = __hmin2(__habs2(*(const __nv_bfloat162 *)&row[r].x), most);
        __nv_bfloat162 hi = __hmin2(__habs2(*(const __nv_bfloat162 *)&row[r].y), most);
        m[r][0] = __low2float(lo), m[r][1] = __high2float(lo);
        m[r][2] = __low2float(hi), m[r][3] = __high2float(hi);
    }
    float D[4], E[4], G[4], Q[4], bottom[4];
#pragma unroll
    for (int c = 0; c < 4; c++) {
        bottom[c] = m[2][c] + m[3][c];
        D[c] = m[0][c] - m[1][c];
        G[c] = m[2][c] - m[3][c];
        E[c] = (m[0][c] + m[1][c]) - bottom[c];
        Q[c] = m[1][c] - m[2][c];
    }
    auto tagged = [](float sum, unsigned mask, unsigned tag) {
        return __uint_as_float((__float_as_uint(sum) & ~mask) | tag);
    };
    float equal = 0, upper = 0, lower = 0, shared = 0;
    constexpr int PAIR_I[6] = {0, 0, 0, 1, 1, 2}, PAIR_J[6] = {1, 2, 3, 2, 3, 3};
#pragma unroll
    for (unsigned p = 0; p < 6; p++) {
        const int i = PAIR_I[p], j = PAIR_J[p], k = PAIR_I[5 - p], l = PAIR_J[5 - p];
        const float e = tagged(E[i] + E[j], 7, p), u = tagged(D[i] + D[j], 7, p), v = tagged(G[i] + G[j], 7, p);
        const unsigned crossed = p * 8 + (D[j] > D[i] ? 1 : 0) + (G[j] > G[i] ? 2 : 0) + (E[l] > E[k] ? 4 : 0);
        const float s =
            tagged(((Q[i] + Q[j]) + fmaxf(D[i], D[j])) + (fmaxf(G[i], G[j]) + fmaxf(E[k], E[l])), 63, crossed);
        equal = p == 0 ? e : fmaxf(equal, e);
        upper = p == 0 ? u : fmaxf(upper, u);
        lower = p == 0 ? v : fmaxf(lower, v);
        shared = p == 0 ? s : fmaxf(shared, s);
    }
    const float rows13 = ((m[1][0] + m[1][1]) + (m[1][2] + m[1][3])) + ((m[3][0] + m[3][1]) + (m[3][2] + m[3][3]));
    const float rows23 = (bottom[0] + bottom[1]) + (bottom[2] + bottom[3]);
    int number = equal >= shared ? __float_as_uint(equal) & 7 : 42 + (__float_as_uint(shared) & 63);
    if (rows13 + (upper + lower) > rows23 + fmaxf(equal, shared))
        number = 6 + (__float_as_uint(upper) & 7) * 6 + (__float_as_uint(lower) & 7);
    return number;
}

/* 8 bytes -> 2 words of metadata per lane. Lanes come in fours, as the quarters of a 16 x 16 tile: lane ^ 1 has
 * the other 8 columns, lane ^ LX the other 8 rows; byte r of `bytes` is row r of the lane's quarter. The lane ends
 * with the words of rows R and R + 1 (of 8), where R = 4 (lane is right) + 2 (lane is lower). */
template <int LX> __device__ __forceinline__ uint2 prune24_gather(uint2 bytes, bool right, bool lower)
{
    uint32_t other = __shfl_xor_sync(0xffffffff, right ? bytes.x : bytes.y, 1);
    uint32_t left4 = right ? other : bytes.x, right4 = right ? bytes.y : other;
    uint32_t w0 = pick_bytes(left4, right4, 0x5140), w1 = pick_bytes(left4, right4, 0x7362);
    other = __shfl_xor_sync(0xffffffff, lower ? w0 : w1, LX);
    uint32_t up = lower ? other : w0, down = lower ? w1 : other;
    return make_uint2(pick_bytes(up, down, 0x5410), pick_bytes(up, down, 0x7632));
}

/* What a step of training does with W on the way: W_new = W - rate G, pruned in W's place. In fp32, rounded to bf16. */
struct Prune24Update {
    const uint16_t *G;
    uint16_t *W_new;
    float rate;
};

__device__ __forceinline__ uint32_t prune24_update_pair(uint32_t w, uint32_t g, float rate)
{
    const float2 a = __bfloat1622float2(*(const __nv_bfloat162 *)&w),
                 b = __bfloat1622float2(*(const __nv_bfloat162 *)&g);
    const __nv_bfloat162 r = __floats2bfloat162_rn(__fmaf_rn(-rate, b.x, a.x), __fmaf_rn(-rate, b.y, a.y));
    return *(const uint32_t *)&r;
}

/* Where word `lane` of the metadata's tile (row / 16, column / 64) is: in the order of sparse.h, or in that of
 * hopper_sparse/meta_order.h, in which four tiles along the columns are word by word beside each other. `at` is that of
 * lane 0, a lane further is `step` words further. */
struct Prune24Place {
    size_t at;
    int step;
};
template <bool ROUNDS> __device__ __forceinline__ Prune24Place prune24_place(int row, int column, int columns)
{
    if (!ROUNDS)
        return {((size_t)(row / 16) * (columns / 64) + column / 64) * 32, 1};
    const size_t block = (size_t)(row / 64) * ((columns + 255) / 256) + column / 256;
    return {(block * 128 + row / 16 % 4 * 32) * 4 + column / 64 % 4, 4};
}

/* Each thread takes 8 x 8 elements (four tiles): 16 bytes per load, 8 bytes per store to both outputs. A warp is LX
 * threads across and 32 / LX down; WX of a block's WARPS warps are side by side; RESIDENT blocks fit on a
 * multiprocessor, and are all there are: a block goes from tile to tile, the next AHEAD of them on their way while it
 * works on one. Without that the memory idles while the best patterns are sought (measured: 1.4 times a copy instead).
 * With LINES the block's tile of both outputs goes through shared memory, so that whole lines of 128 bytes are written
 * instead of runs of 64 and 32. ROUNDS: the metadata in the order of wgmma's kernel. UPDATE: W is updated on the way.
 * rows and columns must be multiples of 64. */
template <int LX, int WX, int WARPS, int RESIDENT, int AHEAD, bool LINES, bool ROUNDS, bool UPDATE>
__global__ void __launch_bounds__(WARPS * 32, RESIDENT)
    prune24_both_kernel(const uint16_t *W, int rows, int columns, uint16_t *values, uint32_t *meta, uint16_t *values_t,
                        uint32_t *meta_t, Prune24Update update)
{
    constexpr int LY = 32 / LX, LOADS = UPDATE ? 16 : 8; /* of 16 bytes per thread and tile */
    static_assert(LX % 2 == 0 && LY % 2 == 0, "four lanes gather the metadata of a 16 x 16 tile");
    __shared__ uint4 take[PRUNE24_PATTERNS];
    __shared__ uint2 places[PRUNE24_PATTERNS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int x = lane % LX, y = lane / LX;
    constexpr int ACROSS = WX * LX * 8, DOWN = WARPS / WX * LY * 8; /* a block's tile */
    const int across = (columns + ACROSS - 1) / ACROSS, tiles = across * ((rows + DOWN - 1) / DOWN);

    /* The next AHEAD tiles are on their way into shared memory while this one is worked on. A thread copies what it
     * will read itself, so it need not wait for anybody else. */
    extern __shared__ uint4 ring[]; /* AHEAD + 1 stages of LOADS x the block's threads */
    auto place = [&](int t, int &row, int &column) {
        column = t % across * ACROSS + (warp % WX * LX + x) * 8;
        row = t / across * DOWN + (warp / WX * LY + y) * 8;
        return t < tiles && row < rows && column < columns; /* the same for four lanes that gather: both divide by 16 */
    };
    auto fetch = [&](int t, int stage) {
        int row, column;
        const bool inside = place(t, row, column);
#pragma unroll
        for (int i = 0; i < 8; i++)
            cp_async_16(&ring[(stage * LOADS + i) * WARPS * 32 + threadIdx.x],
                        W + (inside ? (size_t)(row + i) * columns + column : 0), inside);
        if (UPDATE)
#pragma unroll
            for (int i = 0; i < 8; i++)
                cp_async_16(&ring[(stage * LOADS + 8 + i) * WARPS * 32 + threadIdx.x],
                            update.G + (inside ? (size_t)(row + i) * columns + column : 0), inside);
        cp_async_commit();
    };
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        fetch(blockIdx.x + i * gridDim.x, i);
    for (int i = threadIdx.x; i < PRUNE24_PATTERNS; i += WARPS * 32) {
        Prune24Pattern pattern = prune24_pattern(i);
        take[i] = pattern.take;
        places[i] = make_uint2(pattern.rows, pattern.columns);
    }
    __syncthreads();
    int stage = 0;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        int row, column;
        const bool inside = place(t, row, column);
        fetch(t + AHEAD * gridDim.x, stage == 0 ? AHEAD : stage - 1);
        cp_async_wait<AHEAD>();
        uint4 w[8];
#pragma unroll
        for (int i = 0; i < 8; i++)
            w[i] = ring[(stage * LOADS + i) * WARPS * 32 + threadIdx.x];
        if (UPDATE)
#pragma unroll
            for (int i = 0; i < 8; i++) {
                const uint4 g = ring[(stage * LOADS + 8 + i) * WARPS * 32 + threadIdx.x];
                w[i].x = prune24_update_pair(w[i].x, g.x, update.rate);
                w[i].y = prune24_update_pair(w[i].y, g.y, update.rate);
                w[i].z = prune24_update_pair(w[i].z, g.z, update.rate);
                w[i].w = prune24_update_pair(w[i].w, g.w, update.rate);
                if (inside)
                    __stcs((uint4 *)(update.W_new + (size_t)(row + i) * columns + column), w[i]);
            }
        stage = stage == AHEAD ? 0 : stage + 1;

        uint2 bytes = {0, 0}, bytes_t = {0, 0};
        uint2 packed[8], packed_t[8];
#pragma unroll
        for (int ty = 0; ty < 2; ty++)
#pragma unroll
            for (int tx = 0; tx < 2; tx++) {
                uint2 tile[4];
#pragma unroll
                for (int i = 0; i < 4; i++)
                    tile[i] = tx == 0 ? make_uint2(w[ty * 4 + i].x, w[ty * 4 + i].y)
                                      : make_uint2(w[ty * 4 + i].z, w[ty * 4 + i].w);
                const int pattern = prune24_pick(tile);
                const uint4 s = take[pattern];
                const uint32_t select[4] = {s.x, s.y, s.z, s.w};
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    /* along the row, then (i is now a column) along the column: its four elements, gathered first */
                    uint32_t v = pick_bytes(tile[i].x, tile[i].y, select[i / 2] >> i % 2 * 16);
                    (tx == 0 ? packed[ty * 4 + i].x : packed[ty * 4 + i].y) = v;
                    uint32_t lo = i < 2 ? pick_bytes(tile[0].x, tile[1].x, i % 2 ? 0x7632 : 0x5410)
                                        : pick_bytes(tile[0].y, tile[1].y, i % 2 ? 0x7632 : 0x5410);
                    uint32_t hi = i < 2 ? pick_bytes(tile[2].x, tile[3].x, i % 2 ? 0x7632 : 0x5410)
                                        : pick_bytes(tile[2].y, tile[3].y, i % 2 ? 0x7632 : 0x5410);
                    uint32_t vt = pick_bytes(lo, hi, select[2 + i / 2] >> i % 2 * 16);
                    (ty == 0 ? packed_t[tx * 4 + i].x : packed_t[tx * 4 + i].y) = vt;
                }
                /* byte i: the metadata of row i, left tile in the low 4 bits, right tile in the high */
                const uint2 four = places[pattern];
                (ty == 0 ? bytes.x : bytes.y) |= four.x << 4 * tx;
                (tx == 0 ? bytes_t.x : bytes_t.y) |= four.y << 4 * ty;
            }

        const int ld = columns / 2, ld_t = rows / 2;
        if constexpr (LINES) {
            constexpr int CHUNKS = ACROSS / 16, CHUNKS_T = DOWN / 16; /* of 16 bytes in a row of either output */
            char *out = (char *)(ring + (AHEAD + 1) * LOADS * WARPS * 32), *out_t = out + DOWN * CHUNKS * 16;
            const int r0 = (warp / WX * LY + y) * 8, c0 = (warp % WX * LX + x) * 8; /* in the block's tile */
            __syncthreads(); /* the tile before has been copied out */
#pragma unroll
            for (int i = 0; i < 8; i++) {
                const int r = r0 + i, c = c0 + i;
                *(uint2 *)(out + (r * CHUNKS + (c0 / 16 ^ (r / 8 % 2 * (CHUNKS / 2)))) * 16 + c0 % 16) = packed[i];
                *(uint2 *)(out_t + (c * CHUNKS_T + (r0 / 16 ^ c / 8 % CHUNKS_T)) * 16 + r0 % 16) = packed_t[i];
            }
            __syncthreads();
            const int row0 = t / across * DOWN, column0 = t % across * ACROSS;
            for (int i = threadIdx.x; i < DOWN * CHUNKS; i += WARPS * 32) {
                const int r = i / CHUNKS, chunk = i % CHUNKS;
                if (row0 + r < rows && column0 + chunk * 16 < columns)
                    __stcs((uint4 *)(values + (size_t)(row0 + r) * ld + column0 / 2) + chunk,
                           *(const uint4 *)(out + (r * CHUNKS + (chunk ^ (r / 8 % 2 * (CHUNKS / 2)))) * 16));
            }
            for (int i = threadIdx.x; i < ACROSS * CHUNKS_T; i += WARPS * 32) {
                const int c = i / CHUNKS_T, chunk = i % CHUNKS_T;
                if (column0 + c < columns && row0 + chunk * 16 < rows)
                    __stcs((uint4 *)(values_t + (size_t)(column0 + c) * ld_t + row0 / 2) + chunk,
                           *(const uint4 *)(out_t + (c * CHUNKS_T + (chunk ^ c / 8 % CHUNKS_T)) * 16));
            }
        } else if (inside) {
#pragma unroll
            for (int i = 0; i < 8; i++) {
                __stcs((uint2 *)(values + (size_t)(row + i) * ld + column / 2), packed[i]);
                *(uint2 *)(values_t + (size_t)(column + i) * ld_t + row / 2) = packed_t[i];
            }
        }
        const bool right = x & 1, lower = y & 1;
        uint2 e = prune24_gather<LX>(bytes, right, lower);
        /* of the transpose the rows are the columns: the partners change places */
        uint32_t other = __shfl_xor_sync(0xffffffff, lower ? bytes_t.x : bytes_t.y, LX);
        uint32_t left4 = lower ? other : bytes_t.x, right4 = lower ? bytes_t.y : other;
        uint32_t w0 = pick_bytes(left4, right4, 0x5140), w1 = pick_bytes(left4, right4, 0x7362);
        other = __shfl_xor_sync(0xffffffff, right ? w0 : w1, 1);
        uint32_t up = right ? other : w0, down = right ? w1 : other;
        uint2 et = make_uint2(pick_bytes(up, down, 0x5410), pick_bytes(up, down, 0x7632));
        if (inside) {
            int lane_of = 4 * (4 * right + 2 * lower) + column / 16 % 4;
            Prune24Place p = prune24_place<ROUNDS>(row, column, columns);
            meta[p.at + lane_of * p.step] = e.x;
            meta[p.at + (lane_of + 4) * p.step] = e.y;
            lane_of = 4 * (4 * lower + 2 * right) + row / 16 % 4;
            p = prune24_place<ROUNDS>(column, row, rows);
            meta_t[p.at + lane_of * p.step] = et.x;
            meta_t[p.at + (lane_of + 4) * p.step] = et.y;
        }
    }
}

/* `update` only with UPDATE. */
template <int LX, int WX, int WARPS, int RESIDENT, int AHEAD, bool LINES, bool ROUNDS = false, bool UPDATE = false>
static void prune24_both(const uint16_t *W, int rows, int columns, uint16_t *values, uint32_t *meta, uint16_t *values_t,
                         uint32_t *meta_t, cudaStream_t stream, Prune24Update update = {})
{
    const int across = WX * LX * 8, down = WARPS / WX * (32 / LX) * 8;
    const int tiles = (columns + across - 1) / across * ((rows + down - 1) / down);
    const size_t ring_bytes =
        (size_t)(AHEAD + 1) * (UPDATE ? 16 : 8) * 16 * WARPS * 32 + (LINES ? (size_t)across * down * 2 : 0);
    static int blocks = 0;
    if (blocks == 0) {
        int device = 0, processors = 1;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
        cudaFuncSetAttribute(prune24_both_kernel<LX, WX, WARPS, RESIDENT, AHEAD, LINES, ROUNDS, UPDATE>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, (int)ring_bytes);
        blocks = processors * RESIDENT;
    }
    const int grid = tiles < blocks ? tiles : blocks;
    prune24_both_kernel<LX, WX, WARPS, RESIDENT, AHEAD, LINES, ROUNDS, UPDATE>
        <<<grid, WARPS * 32, ring_bytes, stream>>>(W, rows, columns, values, meta, values_t, meta_t, update);
}

#endif
