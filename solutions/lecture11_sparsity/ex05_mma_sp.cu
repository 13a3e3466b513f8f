/* Exercise 11.5 feed mma.sp (3 points)
 *
 * One warp, one instruction: D (16 x 8) = A (16 x 32, 2:4) B (32 x 8), bf16 with fp32 sums. A comes compressed: values
 * (16 x 16, row-major) and metadata in the order of sparse.h. With g = lane / 4 and
 * t = lane % 4, each lane hands over
 *   a[0], a[1]   the values of row g and of row g + 8, columns 2 t and 2 t + 1;
 *   a[2], a[3]   the same rows, columns 2 t + 8 and 2 t + 9;
 *   b[i]         of column g of B, the rows 8 i + 2 t and 8 i + 2 t + 1, for i from 0 to 3;
 *   meta         the word of the lane; with selector 0 it is taken from the lanes with t = 0 and t = 1.
 * The element with the smaller index goes into the low half of a register. a[] is filled in; fill in b[]: each
 * lane reads the eight elements that it hands over, and no others.
 *
 * Limits at 1:
 *   global loads <= 24
 *   lanes per request of global loads >= 28
 *
 * Hint 1: pair(low, high) packs two elements into a register.
 *
 * Hint 2: B is row-major, 32 x 8: element (k, n) is B[k * 8 + n].
 *
 * Hint 3: all 32 rows of B are needed, although A has only 16 values per row: the metadata picks among them.
 *
 * After a pass:
 * Each lane provides the elements of B that the instruction expects from it, in pairs of rows; the metadata chooses
 * among them inside the tensor core. Nothing is moved afterwards. Next: the lab spgemm24, which does this for whole
 * matrices.
 */
#include "lab.h"
#include "ptx.cuh"
#include "sparse.h"

static __device__ uint32_t pair(uint16_t low, uint16_t high) { return low | (uint32_t)high << 16; }

__global__ void mma_kernel(const uint16_t *values, const uint32_t *meta, const uint16_t *B, float *D, int ld)
{
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    uint32_t a[4], b[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const uint16_t *from = values + (g + i % 2 * 8) * ld + 2 * t + i / 2 * 8;
        a[i] = pair(from[0], from[1]);
    }
    // TODO(ex05): fill b[0] to b[3] (about 4 lines)
    // >>> answer
    // stub: (void)B;
    for (int i = 0; i < 4; i++) {
        int k = 8 * i + 2 * t;
        b[i] = pair(B[k * 8 + g], B[(k + 1) * 8 + g]);
    }
    // <<< answer
    float d[4] = {0, 0, 0, 0};
    mma_sp_m16n8k32_bf16<0>(d, a, b, meta[lane]);
    for (int i = 0; i < 4; i++)
        D[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = d[i];
}

static const LabRung rungs[] = {{1, "yours", NULL, LAB_F32, LAB_NEEDS_SM80, 0}};

static const char *setup(LabCase *c)
{
    static uint16_t dense[16 * 32];
    for (size_t i = 0; i < 16 * 32; i++)
        dense[i] = bf16_from_float((float)(2 * random_uniform(c->seed + c->dim[0], i) - 1));
    lab_input(c, 0, sparse24_value_count(16, 32), LAB_BF16);
    uint16_t *values = lab_h_in_u16(c, 0);
    lab_input(c, 1, sparse24_meta_words(16, 32), LAB_S32);
    uint32_t *meta = lab_h_in_u32(c, 1);
    sparse24_compress_bf16(dense, 16, 32, 32, values, meta);
    lab_input(c, 2, 32 * 8, LAB_BF16);
    lab_fill_uniform(c, 2, -1, 1);
    lab_output(c, 16 * 8, LAB_F32);
    c->out_width = 8;
    c->atol = c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    static uint16_t dense[16 * 32];
    sparse24_decompress_bf16(lab_h_in_u16(c, 0), lab_h_in_u32(c, 1), 16, 32, dense, 32, NULL);
    for (int m = 0; m < 16; m++)
        for (int n = 0; n < 8; n++) {
            c->expect[m * 8 + n] = 0;
            for (int k = 0; k < 32; k++)
                c->expect[m * 8 + n] +=
                    (double)bf16_to_float(dense[m * 32 + k]) * bf16_to_float(lab_h_in_u16(c, 2)[k * 8 + n]);
        }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    mma_kernel<<<1, 32, 0, c->stream>>>(lab_in_u16(c, 0), lab_in_u32(c, 1), lab_in_u16(c, 2), lab_out_f32(c),
                                        (int)sparse24_ld(32));
}

static const Lab lab = {
    .order = 5,
    .name = "ex05_mma_sp",
    .title = "feed mma.sp",
    .dims = "seed",
    .size = "1",
    .cpu_size = "1",
    .test_sizes = "1 2 3",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
};
LAB_MAIN(lab)
