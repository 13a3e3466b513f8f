/* Exercise 14.6 which lane holds what (3 points)
 *
 * One warp computes a 16 x 8 tile of C with mma.sync.m16n8k16. ldmatrix brings the operands: each lane names the row
 * that begins at the address it gives, and lanes 0-7, 8-15, 16-23 and 24-31 name the rows of four 8 x 8 matrices, which
 * become registers 0 to 3. For A, 16 x 16, register 0 is the upper left 8 x 8, 1 the lower left, 2 the upper right and
 * 3 the lower right. For B, 16 x 8, the two matrices are one above the other. C's registers: lane l holds, in 0 and 1,
 * row l / 4, columns l % 4 * 2 and the next; in 2 and 3 the same columns 8 rows below.
 *
 * Say which row each lane names, and where its four results go. M, N and K are multiples of 16, 8 and 16.
 *
 * Limits at 64x64x64:
 *   shared loads <= 1100
 *
 * Hint 1: A: lanes 0 to 15 name rows 0 to 15 of the left half, lanes 16 to 31 the same rows of the right half, which
 * begins 8 elements later.
 *
 * Hint 2: the .x2 form reads the addresses of lanes 0 to 15 only, but the others must give valid ones too.
 *
 * After a pass:
 * ldmatrix gives every lane the elements that mma expects, and the sums are in pairs in rows g and g + 8. No shuffle is
 * needed. Next: the same by wgmma, exercise 14.15.
 */
#include <cuda_bf16.h>

#include "lab.h"
#include "product.h"
#include "ptx.cuh"

__global__ void gemm_kernel(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K)
{
    __shared__ __align__(16) __nv_bfloat16 As[16][16], Bs[16][8];
    int lane = threadIdx.x, m0 = blockIdx.y * 16, n0 = blockIdx.x * 8;
    float sum[4] = {0, 0, 0, 0};
    (void)M;
    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int i = lane; i < 16 * 16; i += 32)
            As[i / 16][i % 16] = A[(size_t)(m0 + i / 16) * K + k0 + i % 16];
        for (int i = lane; i < 16 * 8; i += 32)
            Bs[i / 8][i % 8] = B[(size_t)(k0 + i / 8) * N + n0 + i % 8];
        __syncwarp();
        uint32_t a[4], b[2];
        // TODO(ex06): the two addresses (2 lines)
        // >>> answer
        // stub: ldmatrix_x4(a, &As[0][0]);
        // stub: ldmatrix_x2_trans(b, &Bs[0][0]);
        ldmatrix_x4(a, &As[lane % 16][lane / 16 * 8]);
        ldmatrix_x2_trans(b, &Bs[lane % 16][0]);
        // <<< answer
        mma_m16n8k16_bf16(sum, a, b);
        __syncwarp(); /* all lanes have read the tile before the next one lands on it */
    }
    for (int i = 0; i < 4; i++) {
        int row, column;
        // TODO(ex06): where sum[i] belongs in the 16 x 8 tile (2 lines)
        // >>> answer
        // stub: row = i;
        // stub: column = lane % 8;
        row = lane / 4 + i / 2 * 8;
        column = lane % 4 * 2 + i % 2;
        // <<< answer
        C[(size_t)(m0 + row) * N + n0 + column] = __float2bfloat16(sum[i]);
    }
}

static void gemm(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K,
                 cudaStream_t stream)
{
    dim3 block(32), grid(N / 8, M / 16);
    gemm_kernel<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}

typedef void Gemm(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K,
                  cudaStream_t stream);

static const LabRung rungs[] = {{1, "one mma.sync per warp", LAB_LAUNCH(Gemm, gemm), LAB_BF16, LAB_NEEDS_SM80, 0}};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 1 << 16 || N > 1 << 16 || K > 1 << 16)
        return "M, N and K are at most 65536 in this exercise";
    if (M % 16 != 0 || N % 8 != 0 || K % 16 != 0)
        return "M, N and K must be multiples of 16, 8 and 16";
    lab_input(c, 0, M * K, LAB_BF16);
    lab_input(c, 1, K * N, LAB_BF16);
    lab_output(c, M * N, LAB_BF16);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = N;
    c->atol = 1e-6 * (1 + (double)K) / 4;
    c->rtol = 1.0 / 256 + 1e-5; /* one rounding to 8 bits of mantissa */
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return; /* a grid of no blocks is an error in CUDA */
    ((Gemm *)r->launch)(lab_in_bf16(c, 0), lab_in_bf16(c, 1), lab_out_bf16(c), (int)c->dim[0], (int)c->dim[1],
                        (int)c->dim[2], c->stream);
}

static const Lab lab = {
    .name = "ex06_mma_fragments",
    .title = "a tensor core's own layout",
    .dims = "M N K",
    .size = "1024x1024x1024",
    .cpu_size = "128x128x64",
    .test_sizes = "16x8x16 32x8x16 16x24x48 64x64x64 0x8x16 16x8x0",
    .rungs = rungs,
    .rung_count = 1,
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .bytes = product_bytes,
    .flops = product_flops,
};

LAB_MAIN(lab)
