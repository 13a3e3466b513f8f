/* Exercise 14.3 A transposed on its way in (2 points)
 *
 * A thread wants 4 neighbouring rows of one column of A's tile with one 16-byte load. So the tile is kept transposed,
 * As[k][m], and the transposition happens as it comes in: a thread loads 4 neighbouring k of one row of A from global
 * memory, 16 bytes, and stores them into 4 rows of As. M is arbitrary; N and K are multiples of 4.
 *
 * Limits at 64x96x40:
 *   global loads <= 160
 *   sectors / possible sectors of global loads <= 1.25
 *
 * Hint 1: thread tid takes row tid / (BK / 4) of the tile and the 4 values of k from tid % (BK / 4) * 4 on.
 *
 * Hint 2: a float4 is read with *(const float4 *)(A + place); place must be a multiple of 4, and is, because K is. Rows
 * beyond M and columns beyond K become zeros: reading there is out of bounds, and 0 times the value there is not 0 if
 * that value is infinite or NaN.
 *
 * After a pass:
 * Each thread loads four neighbouring elements of a row of A and stores them in four rows of the tile, so that what a
 * thread needs later is contiguous. Transposing costs bank conflicts once and saves them at every step. Next: exercise
 * 14.4.
 */
#include "lab.h"
#include "product.h"

__global__ void gemm_kernel(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int TILE = 32, BK = 8, T = 4;
    __shared__ __align__(16) float As[BK][TILE + 4], Bs[BK][TILE]; /* 4 more: why? count the banks of the stores */
    int tid = threadIdx.x;
    int m0 = blockIdx.y * TILE, n0 = blockIdx.x * TILE;
    int row = tid / (TILE / T) * T, column = tid % (TILE / T) * T;
    const float4 zero = {0, 0, 0, 0};
    float sum[T][T] = {{0}};
    for (int k0 = 0; k0 < K; k0 += BK) {
        // TODO(ex03): one float4 of A, or zero, stored into As[k .. k + 3][m] (about 6 lines)
        // >>> answer
        // stub: As[tid % BK][tid / BK] = m0 + K + zero.x;
        int am = tid / (BK / 4), ak = tid % (BK / 4) * 4;
        float4 v = m0 + am < M && k0 + ak < K ? *(const float4 *)(A + (size_t)(m0 + am) * K + k0 + ak) : zero;
        As[ak + 0][am] = v.x;
        As[ak + 1][am] = v.y;
        As[ak + 2][am] = v.z;
        As[ak + 3][am] = v.w;
        // <<< answer
        int bk = tid / (TILE / 4), bn = tid % (TILE / 4) * 4;
        *(float4 *)&Bs[bk][bn] =
            k0 + bk < K && n0 + bn < N ? *(const float4 *)(B + (size_t)(k0 + bk) * N + n0 + bn) : zero;
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            float4 a = *(const float4 *)&As[k][row], b = *(const float4 *)&Bs[k][column];
            const float av[T] = {a.x, a.y, a.z, a.w}, bv[T] = {b.x, b.y, b.z, b.w};
            for (int i = 0; i < T; i++)
                for (int j = 0; j < T; j++)
                    sum[i][j] += av[i] * bv[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < T; i++)
        if (m0 + row + i < M && n0 + column < N)
            *(float4 *)(C + (size_t)(m0 + row + i) * N + n0 + column) =
                make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

static void gemm(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(64), grid((N + 31) / 32, (M + 31) / 32);
    gemm_kernel<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}

typedef void Gemm(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream);

static const LabRung rungs[] = {{1, "transposed tile", LAB_LAUNCH(Gemm, gemm), LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 1 << 16 || N > 1 << 16 || K > 1 << 16)
        return "M, N and K are at most 65536 in this exercise";
    if (N % 4 != 0 || K % 4 != 0)
        return "N and K must be multiples of 4";
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
    .name = "ex03_transposed_tile",
    .title = "one 16-byte load for 4 rows of a column",
    .dims = "M N K",
    .size = "2048x2048x2048",
    .cpu_size = "192x192x128",
    .test_sizes = "1x4x4 33x36x20 32x32x8 64x96x40 70x8x12 3x0x4 5x8x0",
    .rungs = rungs,
    .rung_count = 1,
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .bytes = product_bytes,
    .flops = product_flops,
};

LAB_MAIN(lab)
