/* Exercise 14.7 the last block adds up (3 points)
 *
 * A thin product has few tiles and a long K. SPLITS blocks share a tile of 16 x 16: each sums its part of K and leaves
 * it in parts[tile][split]. The last of them to finish, whichever it is, adds the parts up, in the order of their
 * numbers, and writes C. Who is last? Each block takes one ticket from tickets[tile], which begins at 0.
 *
 * The lab launches the kernel several times with the same tickets, so the last block must leave them as it found them.
 *
 * Limits at 16x64x300:
 *   global atomics <= 150
 */
#include "lab.h"
#include "product.h"

enum { TILE = 16, SPLITS = 5 };

__global__ void gemm_kernel(const float *A, const float *B, float *C, int M, int N, int K, float *parts,
                            unsigned *tickets)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    __shared__ bool last;
    int ty = threadIdx.y, tx = threadIdx.x, tile = blockIdx.y * gridDim.x + blockIdx.x, split = blockIdx.z;
    int m = blockIdx.y * TILE + ty, n = blockIdx.x * TILE + tx;
    int steps = (K + TILE - 1) / TILE, first = steps * split / SPLITS, end = steps * (split + 1) / SPLITS;
    float sum = 0;
    for (int k0 = first * TILE; k0 < end * TILE; k0 += TILE) {
        As[ty][tx] = m < M && k0 + tx < K ? A[(size_t)m * K + k0 + tx] : 0;
        Bs[ty][tx] = n < N && k0 + ty < K ? B[(size_t)(k0 + ty) * N + n] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    float *part = parts + ((size_t)tile * SPLITS + split) * TILE * TILE;
    part[ty * TILE + tx] = sum;
    // TODO(ex07): publish the part, take a ticket, and let all but the last block return (about 9 lines)
    last = tickets[tile] == 0;
    const float *all = parts + (size_t)tile * SPLITS * TILE * TILE;
    float total = 0;
    // TODO(ex07): add up this element of all parts (about 2 lines)
    total = all[ty * TILE + tx];
    if (m < M && n < N)
        C[(size_t)m * N + n] = total;
}

static float *workspace; /* tickets, then parts */

static void gemm(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE, SPLITS);
    size_t tiles = (size_t)grid.x * grid.y;
    float *parts = workspace + tiles;
    for (int launch = 0; launch < 3; launch++) { /* three times: are the tickets as they were? */
        CUDA_CHECK(cudaMemsetAsync(parts, 0xff, tiles * SPLITS * TILE * TILE * sizeof(float), stream));
        CUDA_CHECK(cudaMemsetAsync(C, 0xff, (size_t)M * N * sizeof(float), stream));
        gemm_kernel<<<grid, block, 0, stream>>>(A, B, C, M, N, K, parts, (unsigned *)workspace);
    }
}

typedef void Gemm(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream);

static const LabRung rungs[] = {{1, "split-K, three launches", LAB_LAUNCH(Gemm, gemm), LAB_F32, 0, 0}};

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
    size_t tiles = (M + TILE - 1) / TILE * ((N + TILE - 1) / TILE);
    workspace = (float *)lab_scratch(c, tiles * (1 + SPLITS * TILE * TILE) * sizeof(float) + 1);
    CUDA_CHECK(cudaMemset(workspace, 0, tiles * sizeof(unsigned)));
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return; /* a grid of no blocks is an error in CUDA */
    ((Gemm *)r->launch)(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1],
                        (int)c->dim[2], c->stream);
}

static double flops(const LabCase *c) { return 3 * 2.0 * (double)c->dim[0] * (double)c->dim[1] * (double)c->dim[2]; }

static const Lab lab = {
    .name = "ex07_split_k",
    .title = "a ticket shows who is last",
    .dims = "M N K",
    .size = "16x2048x8192",
    .cpu_size = "16x128x512",
    .test_sizes = "1x1x1 16x16x80 16x64x300 33x31x17 16x48x5 3x0x4 5x7x0",
    .rungs = rungs,
    .rung_count = 1,
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .bytes = product_bytes,
    .flops = flops,
};

LAB_MAIN(lab)
