/* Transpose, B = A^T: nothing to compute, so all that is left is how memory is touched.
 *
 * A is M x N, B is N x M, fp32, row-major. Every element is read once and written once, as in a copy, and a copy is
 * the ceiling. But a row of A is a column of B: whichever way a warp walks, one side strides. So the tile is
 * transposed in shared memory, where a stride costs no sectors; what it can cost is bank conflicts.
 *
 *   rung                      idea                                                          ./run transpose --rung N
 *   1  coalesced reads only   a warp reads 32 neighbours and writes 32 elements M apart: 32 sectors per request
 *   2  coalesced writes only  the other way round: strided reads hurt less, the cache keeps what the next warp wants
 *   3  shared tile            both sides in rows; but a column of a 32 x 32 tile is in one bank: 32-way conflicts
 *   4  padded                 33 words per row: a column now walks over all banks
 *   5  swizzled               no padding: column x of row y is stored at x ^ y; same effect, no memory lost
 *   6  4 x 4 per thread       a thread transposes 4 x 4 elements in registers, and all traffic moves 16 bytes at a time
 *   7  blocks along B         neighbouring blocks write neighbouring tiles: memory likes long runs of writes better
 *                             than of reads. Larger tiles, other shapes and cache hints gained nothing more
 *
 * Sectors and bank conflicts of each, with no GPU:   ./run transpose --counters --device cpu
 */
#include "ceil_div.cuh"
#include "lab.h"

typedef void Transpose(const float *A, float *B, int M, int N, cudaStream_t stream);

static void transpose_cpu(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1];
    const float *A = lab_h_in_f32(c, 0);
#pragma omp parallel for
    for (size_t m0 = 0; m0 < M; m0 += 32) /* in tiles here too: the CPU's cache lines have the same trouble */
        for (size_t n = 0; n < N; n++)
            for (size_t m = m0; m < M && m < m0 + 32; m++)
                c->expect[n * M + m] = A[m * N + n];
}

enum {
    TILE = 32, /* rungs 1 to 5: a block of 32 x 8 threads does a tile of 32 x 32, four rows per thread */
    ROWS = 8,
};

/* 1 */
__global__ void transpose_kernel1(const float *A, float *B, int M, int N)
{
    int n = blockIdx.x * TILE + threadIdx.x;
    int m = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (m + i < M && n < N)
            B[(size_t)n * M + m + i] = A[(size_t)(m + i) * N + n];
}

static void transpose1(const float *A, float *B, int M, int N, cudaStream_t stream)
{
    dim3 block(TILE, ROWS), grid(ceil_div(N, TILE), ceil_div(M, TILE));
    transpose_kernel1<<<grid, block, 0, stream>>>(A, B, M, N);
}

/* 2: x runs along M, the rows of B. */
__global__ void transpose_kernel2(const float *A, float *B, int M, int N)
{
    int m = blockIdx.x * TILE + threadIdx.x;
    int n = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (m < M && n + i < N)
            B[(size_t)(n + i) * M + m] = A[(size_t)m * N + n + i];
}

static void transpose2(const float *A, float *B, int M, int N, cudaStream_t stream)
{
    dim3 block(TILE, ROWS), grid(ceil_div(M, TILE), ceil_div(N, TILE));
    transpose_kernel2<<<grid, block, 0, stream>>>(A, B, M, N);
}

/* 3: read the tile in rows of A, write it in rows of B. The column read, tile[x][y + i], has a stride of 32 words:
 * all 32 lanes in one bank, 32 turns instead of one. */
__global__ void transpose_kernel3(const float *A, float *B, int M, int N)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int n = blockIdx.x * TILE + x, m = blockIdx.y * TILE + y;
    for (int i = 0; i < TILE; i += ROWS)
        if (m + i < M && n < N)
            tile[y + i][x] = A[(size_t)(m + i) * N + n];
    __syncthreads();
    m = blockIdx.y * TILE + x; /* the block's place in B: the two indices swap roles */
    n = blockIdx.x * TILE + y;
    for (int i = 0; i < TILE; i += ROWS)
        if (m < M && n + i < N)
            B[(size_t)(n + i) * M + m] = tile[x][y + i];
}

static void transpose3(const float *A, float *B, int M, int N, cudaStream_t stream)
{
    dim3 block(TILE, ROWS), grid(ceil_div(N, TILE), ceil_div(M, TILE));
    transpose_kernel3<<<grid, block, 0, stream>>>(A, B, M, N);
}

/* 4 */
__global__ void transpose_kernel4(const float *A, float *B, int M, int N)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int n = blockIdx.x * TILE + x, m = blockIdx.y * TILE + y;
    for (int i = 0; i < TILE; i += ROWS)
        if (m + i < M && n < N)
            tile[y + i][x] = A[(size_t)(m + i) * N + n];
    __syncthreads();
    m = blockIdx.y * TILE + x;
    n = blockIdx.x * TILE + y;
    for (int i = 0; i < TILE; i += ROWS)
        if (m < M && n + i < N)
            B[(size_t)(n + i) * M + m] = tile[x][y + i];
}

static void transpose4(const float *A, float *B, int M, int N, cudaStream_t stream)
{
    dim3 block(TILE, ROWS), grid(ceil_div(N, TILE), ceil_div(M, TILE));
    transpose_kernel4<<<grid, block, 0, stream>>>(A, B, M, N);
}

/* 5: x ^ y is a different bank for every x of a row, and for every y of a column. */
__global__ void transpose_kernel5(const float *A, float *B, int M, int N)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int n = blockIdx.x * TILE + x, m = blockIdx.y * TILE + y;
    for (int i = 0; i < TILE; i += ROWS)
        if (m + i < M && n < N)
            tile[y + i][x ^ (y + i)] = A[(size_t)(m + i) * N + n];
    __syncthreads();
    m = blockIdx.y * TILE + x;
    n = blockIdx.x * TILE + y;
    for (int i = 0; i < TILE; i += ROWS)
        if (m < M && n + i < N)
            B[(size_t)(n + i) * M + m] = tile[x][(y + i) ^ x];
}

static void transpose5(const float *A, float *B, int M, int N, cudaStream_t stream)
{
    dim3 block(TILE, ROWS), grid(ceil_div(N, TILE), ceil_div(M, TILE));
    transpose_kernel5<<<grid, block, 0, stream>>>(A, B, M, N);
}

/* 6 and 7: A thread loads 4 rows of one float4 each: a 4 x 4 micro tile. Turned, its column j is a float4 of row
 * (4 * column + j) of the result, which goes to shared memory whole. There float4 q of row r is at
 * q ^ (r / 4 % width): without that the 16 rows a warp writes at once would start in the same bank.
 * Tiles that stick out of the matrix take the guarded path, one element at a time.
 * ALONG_B: blocks that start together are below each other in A, so side by side in B. */
template <int TM, int TN, int THREADS, bool ALONG_B> /* the tile of A: TM x TN */
__global__ void __launch_bounds__(THREADS) transpose_kernel6(const float *A, float *B, int M, int N)
{
    constexpr int M4 = TM / 4, N4 = TN / 4; /* micro tiles down and across */
    constexpr int EACH = M4 * N4 / THREADS; /* micro tiles of a thread */
    static_assert(EACH * THREADS == M4 * N4, "every thread has the same number of 4 x 4 micro tiles");
    static_assert((M4 & (M4 - 1)) == 0, "the swizzle needs a power of two");
    __shared__ float4 tile[TN * M4]; /* TN rows of TM elements */
    int t = threadIdx.x;
    int tiles_across = (N + TN - 1) / TN, tiles_down = (M + TM - 1) / TM;
    int down = ALONG_B ? blockIdx.x % tiles_down : blockIdx.x / tiles_across;
    int across = ALONG_B ? blockIdx.x / tiles_down : blockIdx.x % tiles_across;
    int m0 = down * TM, n0 = across * TN;
    bool inside = m0 + TM <= M && n0 + TN <= N && M % 4 == 0 && N % 4 == 0;
    if (inside) {
        float4 v[EACH][4];
#pragma unroll
        for (int e = 0; e < EACH; e++) { /* all loads first: the more in flight, the better */
            int q = (e * THREADS + t) % N4, p = (e * THREADS + t) / N4;
#pragma unroll
            for (int j = 0; j < 4; j++)
                v[e][j] = *(const float4 *)&A[(size_t)(m0 + 4 * p + j) * N + n0 + 4 * q];
        }
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            int q = (e * THREADS + t) % N4, p = (e * THREADS + t) / N4;
            int at = 4 * q * M4 + (p ^ (q % M4));
            tile[at] = make_float4(v[e][0].x, v[e][1].x, v[e][2].x, v[e][3].x);
            tile[at + M4] = make_float4(v[e][0].y, v[e][1].y, v[e][2].y, v[e][3].y);
            tile[at + 2 * M4] = make_float4(v[e][0].z, v[e][1].z, v[e][2].z, v[e][3].z);
            tile[at + 3 * M4] = make_float4(v[e][0].w, v[e][1].w, v[e][2].w, v[e][3].w);
        }
        __syncthreads(); /* the whole block is inside, or none of it: no thread waits for ever */
#pragma unroll
        for (int i = t; i < TN * M4; i += THREADS) {
            int q = i % M4, row = i / M4;
            *(float4 *)&B[(size_t)(n0 + row) * M + m0 + 4 * q] = tile[row * M4 + (q ^ (row / 4 % M4))];
        }
    } else {
        for (int i = t; i < TM * TN; i += THREADS) {
            int m = m0 + i % TM, n = n0 + i / TM;
            if (m < M && n < N)
                B[(size_t)n * M + m] = A[(size_t)m * N + n];
        }
    }
}

static void transpose6(const float *A, float *B, int M, int N, cudaStream_t stream)
{
    transpose_kernel6<64, 64, 256, false><<<ceil_div(M, 64) * ceil_div(N, 64), 256, 0, stream>>>(A, B, M, N);
}

static void transpose7(const float *A, float *B, int M, int N, cudaStream_t stream)
{
    transpose_kernel6<64, 64, 256, true><<<ceil_div(M, 64) * ceil_div(N, 64), 256, 0, stream>>>(A, B, M, N);
}

static const LabRung rungs[] = {
    {1, "coalesced reads only", LAB_LAUNCH(Transpose, transpose1), LAB_F32, 0, 0},
    {2, "coalesced writes only", LAB_LAUNCH(Transpose, transpose2), LAB_F32, 0, 0},
    {3, "shared tile", LAB_LAUNCH(Transpose, transpose3), LAB_F32, 0, 0},
    {4, "padded", LAB_LAUNCH(Transpose, transpose4), LAB_F32, 0, 0},
    {5, "swizzled", LAB_LAUNCH(Transpose, transpose5), LAB_F32, 0, 0},
    {6, "4 x 4 per thread", LAB_LAUNCH(Transpose, transpose6), LAB_F32, 0, 0},
    {7, "blocks along B", LAB_LAUNCH(Transpose, transpose7), LAB_F32, 0, 0},
};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1];
    if (M > 65535u * TILE || N > 65535u * TILE)
        return "M and N are at most 2097120: tiles of 32 on the grid's y";
    lab_input(c, 0, M * N, LAB_F32);
    lab_output(c, M * N, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->out_width = M;
    c->atol = c->rtol = 0; /* nothing is computed: bit for bit */
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return;
    ((Transpose *)r->launch)(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1], c->stream);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 3,
    .name = "transpose",
    .title = "reading and writing along rows, with a tile and its banks in between",
    .look = "Rung 3 reads and writes along rows, and is slow because of bank conflicts. Padding (rung 4) or\n"
            "an exclusive or (rung 5) removes them. The last rungs move 16 bytes at a time and write longer\n"
            "runs.",
    .dims = "M N",
    .size = "16384x16384",
    .cpu_size = "1024x1024",
    .test_sizes = "1x1 31x33 32x32 33x31 64x64 64x192 100x68 67x259 1x129 130x1 128x256 0x5 5x0",
    .sweep = "8192x512:8192:512",
    .cpu_sweep = "256x32:512:32",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = transpose_cpu,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
