/* Exercise 14.2 a square in registers (2 points)
 *
 * A block computes 32 x 32 elements of C with 64 threads, each a 4 x 4 square. The tiles of A and B come into shared
 * memory as before. Write the inner loop: for each k, read 4 values of A and 4 of B once, and multiply each by each.
 * Then write the results, some of which may be outside C.
 *
 * Limits at 64x96x40:
 *   shared loads <= 5000
 *   global loads <= 600
 *
 * Hint 1: keep the 8 values in two small arrays with constant indices; the compiler makes registers of them.
 *
 * Hint 2: the thread's square begins at row `row` and column `column` of the tile, and the tile at (m0, n0) of C.
 *
 * After a pass:
 * A thread computes a square of results, so 2 T loads from shared memory serve T x T multiplications. The sums stay in
 * registers all the way. Next: exercise 14.3, which makes those loads wide.
 */
#include "lab.h"
#include "product.h"

__global__ void gemm_kernel(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int TILE = 32, BK = 8, T = 4, THREADS = (TILE / T) * (TILE / T);
    __shared__ float As[TILE][BK], Bs[BK][TILE];
    int tid = threadIdx.x;
    int m0 = blockIdx.y * TILE, n0 = blockIdx.x * TILE;
    int row = tid / (TILE / T) * T, column = tid % (TILE / T) * T;
    float sum[T][T] = {{0}};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = tid; i < TILE * BK; i += THREADS) {
            int am = i / BK, ak = i % BK, bk = i / TILE, bn = i % TILE;
            As[am][ak] = m0 + am < M && k0 + ak < K ? A[(size_t)(m0 + am) * K + k0 + ak] : 0;
            Bs[bk][bn] = k0 + bk < K && n0 + bn < N ? B[(size_t)(k0 + bk) * N + n0 + bn] : 0;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            // TODO(ex02): 4 values of A, 4 of B, 16 multiply-adds into sum (about 8 lines)
            // >>> answer
            // stub: sum[0][0] += As[row][k] * Bs[k][column];
            float a[T], b[T];
            for (int i = 0; i < T; i++)
                a[i] = As[row + i][k];
            for (int j = 0; j < T; j++)
                b[j] = Bs[k][column + j];
            for (int i = 0; i < T; i++)
                for (int j = 0; j < T; j++)
                    sum[i][j] += a[i] * b[j];
            // <<< answer
        }
        __syncthreads();
    }
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) {
            // TODO(ex02): write sum[i][j], if it is in C (about 2 lines)
            // >>> answer
            // stub: C[0] = sum[i][j] + 0 * M * N;
            if (m0 + row + i < M && n0 + column + j < N)
                C[(size_t)(m0 + row + i) * N + n0 + column + j] = sum[i][j];
            // <<< answer
        }
}

static void gemm(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(64), grid((N + 31) / 32, (M + 31) / 32);
    gemm_kernel<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}

typedef void Gemm(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream);

static const LabRung rungs[] = {{1, "4 x 4 registers", LAB_LAUNCH(Gemm, gemm), LAB_F32, 0, 0}};

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
    .name = "ex02_register_tile",
    .title = "16 multiply-adds for 8 loads",
    .dims = "M N K",
    .size = "2048x2048x2048",
    .cpu_size = "192x192x128",
    .test_sizes = "1x1x1 33x31x17 32x32x8 64x96x40 70x5x9 3x0x4 5x7x0",
    .rungs = rungs,
    .rung_count = 1,
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .bytes = product_bytes,
    .flops = product_flops,
};

LAB_MAIN(lab)
