/* Exercise 5.2 tiles: a matrix product through shared memory (2 points)
 *
 * C = A B, where A is M x K and B is K x N, and M, N and K need not be multiples of the tile's width. The loop over the
 * tiles is given; fill in what a thread loads into each tile, and the two barriers.
 *
 * Limits at 64x64x64:
 *   global loads <= 2000
 *   shared loads >= 1000
 *
 * Hint 1: in step k0 the block needs A[m][k0 .. k0 + TILE) and B[k0 .. k0 + TILE)[n]. Thread (ty, tx) loads one
 * element of each: which row and column of A, which of B?
 *
 * Hint 2: an element outside its matrix is a 0, so that it adds nothing. A needs a guard on its row m and its column
 * k0 + tx; B on its row k0 + ty and its column n.
 *
 * Hint 3: the first barrier keeps a thread from reading what is not there yet. The second keeps a fast thread from
 * overwriting, in the next step, what a slow one is still reading.
 *
 * After a pass:
 * There are two barriers per tile, one before the tile is read and one before it is overwritten; elements outside are
 * 0. Each element comes from memory once per tile instead of once per result. Next: lecture 14, where each thread
 * computes a square of results.
 */
#include "lab.h"
#include "product.h"

enum { TILE = 16 };

__global__ void matmul_kernel(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int m = blockIdx.y * TILE + ty, n = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        // TODO(ex02): bring this thread's element of each tile, or 0, and wait (3 lines)
        // >>> answer
        // stub: As[ty][tx] = Bs[ty][tx] = 0;
        As[ty][tx] = m < M && k0 + tx < K ? A[(size_t)m * K + k0 + tx] : 0;
        Bs[ty][tx] = k0 + ty < K && n < N ? B[(size_t)(k0 + ty) * N + n] : 0;
        __syncthreads();
        // <<< answer
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        // TODO(ex02): what has to happen before the next step may load? (1 line)
        // >>> answer
        __syncthreads();
        // <<< answer
    }
    if (m < M && n < N)
        C[(size_t)m * N + n] = sum;
}

static const LabRung rungs[] = {{1, "tile", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    lab_input(c, 0, M * K, LAB_F32);
    lab_input(c, 1, K * N, LAB_F32);
    lab_output(c, M * N, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = N;
    c->atol = 1e-6 * (1 + (double)K);
    c->rtol = 1e-5;
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    int M = (int)c->dim[0], N = (int)c->dim[1], K = (int)c->dim[2];
    dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    matmul_kernel<<<grid, block, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), M, N, K);
}

static const Lab lab = {
    .order = 2,
    .name = "ex02_tile",
    .title = "a matrix product through shared memory",
    .dims = "M N K",
    .size = "5120x5120x256",
    .cpu_size = "256x256x256",
    .test_sizes = "1x1x1 16x16x16 17x15x33 31x33x32 5x130x61 64x48x80",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .bytes = product_bytes,
    .flops = product_flops,
};
LAB_MAIN(lab)
