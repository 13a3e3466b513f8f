/* The ceilings of the two GEMM ladders: how fast the units are when nothing has to be fetched.
 *
 * Every multiprocessor runs 8 warps that multiply numbers they already hold in registers, K times over. No kernel that
 * must fetch its operands can be faster. And there is a lesson in it: of the two fp32 kernels, which do the same
 * multiply-adds in the same order, one is slower, by which registers it reads together.
 *
 *   rung                     idea                                                      ./run gemm_ceiling --rung N
 *   1  FFMA, one bank        8 x 16 sums per thread; a sum and its value of B in the same register bank
 *   2  FFMA, two banks       the values of B come in swapped pairs: always one even register, one odd
 *   3  mma.sync              64 x 64 per warp, bf16: the tensor core's ceiling by this instruction
 *
 * The register file has two banks, the even registers and the odd. An FFMA reads three registers; one of them, the
 * value of A, can stay in an operand cache while a row of sums is worked through. In rung 1 the other two come from one
 * bank, in rung 2 from both. That rung 1 is a few percent slower is measured; if a bank delivered only one operand per
 * cycle it would be half as fast, so the whole mechanism is not known here. Rung 10 of gemm is built on what was
 * measured.
 */
#include <cuda_bf16.h>

#include "lab.h"
#include "ptx.cuh"

enum { THREADS = 256, TM = 8, TN = 16, FRAGMENTS_M = 4, FRAGMENTS_N = 8, PER_BLOCK = THREADS * TM * TN };
static_assert(PER_BLOCK == THREADS / 32 * FRAGMENTS_M * 16 * FRAGMENTS_N * 8, "as many sums per block in both ladders");

/* 1 and 2: A is 256 x 8, B is 256 x 16, a row for each thread; C[t][i][j] = K A[t][i] B[t][j], for every block the
 * same. `swap` is 0 or 1: the place of a column of B in its 16-byte quad is its number XOR swap. The loads and
 * stores of 16 bytes are what ties columns to registers: four in a row, from a multiple of 4. */
template <int swap>
__global__ void __launch_bounds__(THREADS, 1) ffma_kernel(const float *A, const float *B, float *C, int K)
{
    float a[TM], b[TN], sum[TM][TN] = {{0}};
    for (int i = 0; i < TM; i++)
        a[i] = A[threadIdx.x * TM + i];
    for (int j = 0; j < TN; j += 4) {
        float4 v = *(const float4 *)(B + threadIdx.x * TN + j);
        b[j] = v.x, b[j + 1] = v.y, b[j + 2] = v.z, b[j + 3] = v.w;
    }
#pragma unroll 2
    for (int k = 0; k < K; k++)
#pragma unroll
        for (int i = 0; i < TM; i++)
#pragma unroll
            for (int j = 0; j < TN; j++) {
                int jj = i % 2 ? TN - 1 - j : j;
                sum[i][jj] = fmaf(a[i], b[jj ^ swap], sum[i][jj]);
            }
    float *to = C + ((size_t)blockIdx.x * THREADS + threadIdx.x) * TM * TN;
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            *(float4 *)(to + i * TN + j) = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}

/* 3: A is 64 x 16, B is 16 x 64, C = K A B, for every warp the same. Fragments straight from global memory, element by
 * element: lane l holds of A rows l / 4 and l / 4 + 8, of B column l / 4, of both the k from l % 4 * 2 on. */
__global__ void __launch_bounds__(THREADS, 1) mma_kernel(const uint16_t *A, const uint16_t *B, float *C, int K)
{
    uint32_t a[FRAGMENTS_M][4], b[FRAGMENTS_N][2];
    float sum[FRAGMENTS_M][FRAGMENTS_N][4] = {{{0}}};
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = lane / 4, k0 = lane % 4 * 2;
    for (int i = 0; i < FRAGMENTS_M; i++)
        for (int q = 0; q < 4; q++) {
            const uint16_t *from = A + (i * 16 + row + q % 2 * 8) * 16 + k0 + q / 2 * 8;
            a[i][q] = from[0] | (uint32_t)from[1] << 16;
        }
    for (int j = 0; j < FRAGMENTS_N; j++)
        for (int q = 0; q < 2; q++) {
            const uint16_t *from = B + (k0 + q * 8) * FRAGMENTS_N * 8 + j * 8 + row;
            b[j][q] = from[0] | (uint32_t)from[FRAGMENTS_N * 8] << 16;
        }
    for (int k = 0; k < K; k++)
#pragma unroll
        for (int i = 0; i < FRAGMENTS_M; i++)
#pragma unroll
            for (int j = 0; j < FRAGMENTS_N; j++)
                mma_m16n8k16_bf16(sum[i][j], a[i], b[j]);
    float *to = C + ((size_t)blockIdx.x * (THREADS / 32) + warp) * 64 * 64;
    for (int i = 0; i < FRAGMENTS_M; i++)
        for (int j = 0; j < FRAGMENTS_N; j++)
            for (int q = 0; q < 4; q++)
                to[(i * 16 + row + q / 2 * 8) * 64 + j * 8 + k0 + q % 2] = sum[i][j][q];
}

static const LabRung rungs[] = {
    {1, "FFMA, one bank", NULL, LAB_F32, 0, 0},
    {2, "FFMA, two banks", NULL, LAB_F32, 0, 1},
    {3, "mma.sync", NULL, LAB_BF16, LAB_NEEDS_SM80, 0},
};

/* One block per multiprocessor. */
static int blocks(void)
{
    static int n;
    if (n == 0)
        CUDA_CHECK(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0));
    return n;
}

static const char *setup(LabCase *c)
{
    if (c->dim[0] > 1 << 24)
        return "K is at most 16777216: the sums are fp32";
    lab_input(c, 0, c->type == LAB_F32 ? THREADS * TM : 64 * 16, c->type);
    lab_input(c, 1, c->type == LAB_F32 ? THREADS * TN : 64 * 16, c->type);
    lab_output(c, (size_t)blocks() * PER_BLOCK, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = PER_BLOCK;
    /* K additions, each off by up to half an ulp of a growing sum, and by a whole one in the tensor core, which
     * truncates; the same numbers each time, so the errors may all have one sign. */
    c->rtol = (c->type == LAB_BF16 ? 2.4e-7 : 6e-8) * ((double)c->dim[0] + 1) + 1e-6;
    c->atol = 16 * c->rtol;
    return NULL;
}

/* What rung 2 reads: B with its columns swapped in pairs. */
__global__ void swap_kernel(const float *B, float *swapped, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        swapped[i ^ 1] = B[i];
}

static void reference(LabCase *c)
{
    double K = (double)c->dim[0];
    for (size_t e = 0; e < c->out_count; e++) {
        size_t i = e % PER_BLOCK;
        if (c->type == LAB_F32) { /* C[t][i][j] */
            size_t t = i / (TM * TN);
            c->expect[e] =
                K * lab_get(c->h_in[0], LAB_F32, t * TM + i / TN % TM) * lab_get(c->h_in[1], LAB_F32, t * TN + i % TN);
        } else if (e >= 64 * 64) {
            c->expect[e] = c->expect[e % (64 * 64)]; /* the same for every warp */
        } else {
            c->expect[e] = 0;
            for (size_t k = 0; k < 16; k++)
                c->expect[e] +=
                    K * lab_get(c->h_in[0], LAB_BF16, e / 64 * 16 + k) * lab_get(c->h_in[1], LAB_BF16, k * 64 + e % 64);
        }
    }
}

static void run(const LabRung *r, LabCase *c)
{
    int K = (int)c->dim[0];
    if (c->type == LAB_BF16)
        mma_kernel<<<blocks(), THREADS, 0, c->stream>>>(lab_in_u16(c, 0), lab_in_u16(c, 1), lab_out_f32(c), K);
    else if (r->variant == 0)
        ffma_kernel<0><<<blocks(), THREADS, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), K);
    else {
        float *swapped = (float *)lab_scratch(c, THREADS * TN * sizeof(float));
        swap_kernel<<<THREADS * TN / 256, 256, 0, c->stream>>>(lab_in_f32(c, 1), swapped, THREADS * TN);
        ffma_kernel<1><<<blocks(), THREADS, 0, c->stream>>>(lab_in_f32(c, 0), swapped, lab_out_f32(c), K);
    }
}

static double flops(const LabCase *c)
{
    double K = (double)c->dim[0] * (c->type == LAB_BF16 ? 16 : 1);
    return 2.0 * blocks() * PER_BLOCK * K;
}

static const Lab lab = {
    .order = 2,
    .name = "gemm_ceiling",
    .title = "how fast the units are when nothing has to be fetched",
    .look = "Rungs 1 and 2 do the same multiply-adds in the same order. They differ in which half of the\n"
            "register file the operands are in. Rung 3 is the most that any kernel can get out of mma.sync.",
    .dims = "K",
    .size = "20000",
    .cpu_size = "50",
    .test_sizes = "0 1 2 33 200",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .flops = flops,
};

LAB_MAIN(lab)
