/* Exercise 14.5 the next tile travels (3 points)
 *
 * There are two buffers in shared memory: while tile t is multiplied, cp.async brings tile t + 1 into the other.
 * copy_tile(t) is given; it issues tile t's copies and waits for nothing. Issue the copies, close the groups, wait, and
 * place the barriers.
 *
 * cp_async_commit() closes a group of copies; cp_async_wait<n>() waits until at most the newest n groups of this thread
 * are still in flight. It says nothing about other threads' copies: these need a barrier.
 *
 * The limit "copies under way" counts the copies that are in flight while a tile is multiplied. The cp_async_wait<8>()
 * in the loop is given for it: it waits for nothing, and counts the copies that it leaves in flight. Tile t + 1 may be
 * issued before or after the wait for tile t.
 *
 * Limits at 64x64x64:
 *   copies under way >= 150000
 */
#include "lab.h"
#include "product.h"
#include "ptx.cuh"

__global__ void gemm_kernel(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int TILE = 16;
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int m = blockIdx.y * TILE + ty, n = blockIdx.x * TILE + tx;
    auto copy_tile = [&](int t) {
        int ak = t * TILE + tx, bk = t * TILE + ty;
        bool a_valid = m < M && ak < K, b_valid = bk < K && n < N; /* what is not valid is filled with zeros */
        cp_async_4(&As[t % 2][ty][tx], a_valid ? A + (size_t)m * K + ak : A, a_valid);
        cp_async_4(&Bs[t % 2][ty][tx], b_valid ? B + (size_t)bk * N + n : B, b_valid);
    };
    float sum = 0;
    int tiles = (K + TILE - 1) / TILE;
    // TODO(ex05): issue tile 0, if there is one (about 3 lines)
    for (int t = 0; t < tiles; t++) {
        // TODO(ex05): issue tile t + 1, and make sure that all of tile t is here (about 5 lines)
        (void)copy_tile;
        for (int k = 0; k < TILE; k++) {
            cp_async_wait<8>(); /* for the limit */
            sum += As[t % 2][ty][k] * Bs[t % 2][k][tx];
        }
        // TODO(ex05): before the next round overwrites this buffer (1 line)
    }
    if (m < M && n < N)
        C[(size_t)m * N + n] = sum;
}

static void gemm(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
    gemm_kernel<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}

typedef void Gemm(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream);

static const LabRung rungs[] = {{1, "double buffer", LAB_LAUNCH(Gemm, gemm), LAB_F32, LAB_NEEDS_SM80, 0}};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 1 << 16 || N > 1 << 16 || K > 1 << 16)
        return "M, N and K are at most 65536 in this exercise";
    lab_input(c, 0, M * K, LAB_F32);
    lab_input(c, 1, K * N, LAB_F32);
    lab_output(c, M * N, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = N;
    c->atol = 1e-6 * (1 + (double)K) / 4;
    c->rtol = 1e-5;
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return; /* a grid of no blocks is an error in CUDA */
    ((Gemm *)r->launch)(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1],
                        (int)c->dim[2], c->stream);
}

static const Lab lab = {
    .name = "ex05_double_buffer",
    .title = "copies and multiplications at the same time",
    .dims = "M N K",
    .size = "2048x2048x2048",
    .cpu_size = "192x192x128",
    .test_sizes = "1x1x1 33x31x17 16x16x16 48x32x64 20x50x100 3x0x4 5x7x0",
    .rungs = rungs,
    .rung_count = 1,
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .bytes = product_bytes,
    .flops = product_flops,
};

LAB_MAIN(lab)
