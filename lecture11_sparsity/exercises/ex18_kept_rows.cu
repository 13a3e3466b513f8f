/* Exercise 11.18 V:N:M: only the kept rows of B (3 points)
 *
 * C = A B on tensor cores, where three quarters of A are zeros. A is 16:2:8: of every 8 columns, the 16 rows of a strip
 * together keep four, and of these each row keeps two. So a strip is an ordinary 2:4 matrix with half as many columns,
 * and a list says which row of B each of them meets; kept has K / 2 entries per strip. The multiplication is given: a
 * block multiplies a strip by 128 columns of B. It takes 64 kept rows per step, and expects them in tile.
 *
 * Fill in two places. Before the loop, the block copies its strip's list into shared memory. In each step it fills
 * tile: row i is row list[k0 + i] of B from column n0 on, with zeros for columns past the last. Read B in pieces of 16
 * bytes. Read no other row of B, and do not read the list from global memory again. Where must the block wait?
 *
 * Limits at 32x256x512:
 *   sectors of global loads <= 14500
 *   global loads <= 1300
 */
#include <stdlib.h>

#include "lab.h"
#include "ptx.cuh"
#include "sparse.h"

enum { STRIP = 16, COLUMNS = 128, STEP = 64, MOST_K = 4096 };
typedef uint16_t TileRow[COLUMNS + 8]; /* padded: the 8 rows that ldmatrix reads at once are in different banks */

/* d += the step's values of A, columns 32 HALF to 32 HALF + 31, times those rows of the tile; 32 columns per warp. */
template <int HALF>
static __device__ void multiply(float d[4][4], const uint16_t *values, int ld, uint32_t meta, const TileRow *tile)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    uint32_t a[4], b[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        a[i] = *(const uint32_t *)(values + (g + i % 2 * 8) * ld + HALF * 16 + 2 * t + i / 2 * 8);
#pragma unroll
    for (int j = 0; j < 4; j++) {
        ldmatrix_x4_trans(b, &tile[HALF * 32 + lane][warp * 32 + j * 8]);
        mma_sp_m16n8k32_bf16<HALF>(d[j], a, b, meta);
    }
}

/* values: M x K / 4, and meta: 2:4 of the strips, 32 words per step (sparse.h). K is a multiple of 128, N one of 8. */
__global__ void kept_kernel(const uint16_t *values, const uint32_t *meta, const int *kept, const uint16_t *B, float *C,
                            int N, int K)
{
    __shared__ __align__(16) TileRow tile[STEP];
    __shared__ int list[MOST_K / 2];
    const int strip = blockIdx.y, n0 = blockIdx.x * COLUMNS, half = K / 2;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    float d[4][4] = {{0}};
    // TODO(ex18): copy the strip's list into shared memory (about 2 lines)
    (void)kept, (void)&list;
    for (int k0 = 0; k0 < half; k0 += STEP) {
        // TODO(ex18): fill the tile with 64 kept rows of B, and wait where it is necessary (about 8 lines)
        (void)B;
        const uint16_t *from = values + (size_t)strip * STRIP * (half / 2) + k0 / 2;
        const uint32_t word = meta[((size_t)strip * (half / STEP) + k0 / STEP) * 32 + lane];
        multiply<0>(d, from, half / 2, word, tile);
        multiply<1>(d, from, half / 2, word, tile);
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int n = n0 + warp * 32 + j * 8 + 2 * t;
        float *to = C + ((size_t)strip * STRIP + g) * N + n;
        if (n < N) {
            *(float2 *)to = make_float2(d[j][0], d[j][1]);
            *(float2 *)(to + (size_t)8 * N) = make_float2(d[j][2], d[j][3]);
        }
    }
}

static const LabRung rungs[] = {{1, "yours", NULL, LAB_F32, LAB_NEEDS_SM80, 0}};

enum { VALUES, META, KEPT, B_ROWS };

static const char *setup(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2], half = K / 2;
    if (M % STRIP || N % 8 || K % 128)
        return "M is a multiple of 16, N of 8 and K of 128 in this exercise";
    if (M > 65536 || N > 65536 || K > MOST_K || K == 0)
        return "M and N are at most 65536 and K is 128 to 4096 in this exercise";
    uint16_t *narrow = (uint16_t *)malloc(M * half * 2 + 1);
    if (!narrow)
        die("out of memory");
    for (size_t i = 0; i < M * half; i++)
        narrow[i] = bf16_from_float((float)(2 * random_uniform(c->seed, i) - 1));
    uint16_t *values = (uint16_t *)lab_input(c, VALUES, sparse24_value_count(M, half), LAB_BF16);
    sparse24_compress_bf16(narrow, M, half, half, values,
                           (uint32_t *)lab_input(c, META, sparse24_meta_words(M, half), LAB_S32));
    free(narrow);
    int *kept = (int *)lab_input(c, KEPT, M / STRIP * half, LAB_S32);
    for (size_t i = 0, n = 0; n < M / STRIP * half; i++) { /* four of 8: each is taken as often as it is still wanted */
        const size_t wanted = 4 - n % 4, left = 8 - i % 8;
        if ((n / 4 == i / 8) && random_u64(c->seed + 1, i) % left < wanted)
            kept[n++] = (int)(i % K);
    }
    lab_input(c, B_ROWS, K * N, LAB_BF16);
    lab_fill_uniform(c, B_ROWS, -1, 1);
    lab_output(c, M * N, LAB_F32);
    c->out_width = N;
    c->atol = c->rtol = 1e-4;
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], half = c->dim[2] / 2;
    uint16_t *narrow = (uint16_t *)malloc(M * half * 2 + 1);
    if (!narrow)
        die("out of memory");
    sparse24_decompress_bf16(lab_h_in_u16(c, VALUES), lab_h_in_u32(c, META), M, half, narrow, half, NULL);
    for (size_t m = 0; m < M; m++) {
        double *row = c->expect + m * N;
        for (size_t n = 0; n < N; n++)
            row[n] = 0;
        for (size_t i = 0; i < half; i++) {
            const double a = bf16_to_float(narrow[m * half + i]);
            const uint16_t *b = lab_h_in_u16(c, B_ROWS) + (size_t)lab_h_in_s32(c, KEPT)[m / STRIP * half + i] * N;
            for (size_t n = 0; n < N && a != 0; n++)
                row[n] += a * bf16_to_float(b[n]);
        }
    }
    free(narrow);
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    const dim3 grid((unsigned)((c->dim[1] + COLUMNS - 1) / COLUMNS), (unsigned)(c->dim[0] / STRIP));
    kept_kernel<<<grid, 128, 0, c->stream>>>(lab_in_u16(c, VALUES), lab_in_u32(c, META), lab_in_s32(c, KEPT),
                                             lab_in_u16(c, B_ROWS), lab_out_f32(c), (int)c->dim[1], (int)c->dim[2]);
}

static double flops(const LabCase *c)
{
    return 2.0 * (double)c->dim[0] * (double)c->dim[1] * (double)c->dim[2]; /* of the dense product */
}

static const Lab lab = {
    .order = 18,
    .name = "ex18_kept_rows",
    .title = "V:N:M: only the kept rows of B",
    .dims = "M N K",
    .size = "4096x4096x4096",
    .cpu_size = "64x256x512",
    .test_sizes = "16x8x128 48x200x256 32x256x512",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .flops = flops,
};
LAB_MAIN(lab)
