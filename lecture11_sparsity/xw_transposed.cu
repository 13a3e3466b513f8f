/* xW' = (Wx')': only the first operand may be sparse, and a layer multiplies by its weights from the right.
 *
 * A linear layer is Y = X W', X (T tokens x I inputs), W (O outputs x I inputs), Y (T x O), all row-major, bf16. The
 * hardware takes 2:4 for the first operand only. So the product is transposed: Y' = W X', W first. That looks like
 * three transposes, but none is needed: X' is read with its columns along memory, which is how X is stored, and Y'
 * comes out of registers, which can be written either way round.
 *
 *   rung                     idea                                                      ./run xw_transposed --rung N
 *   1  transpose everything  transpose X, multiply, transpose the result: three kernels, two of them for nothing
 *   2  X as stored           K x N with columns along memory is N x K in rows: no first transpose
 *   3  write Y directly      the epilogue writes Y instead of Y': no second transpose either
 *   4  dense, ours           the same frame, dense, X first
 *   5  cuBLASLt dense
 *
 * Rungs 4 and 5 are verified on the pruned weights and timed on the unpruned ones.
 */
#include <stdlib.h>

#include "ceil_div.cuh"
#include "lab.h"
#include "product.h"
#include "sparse.h"
#include "spgemm24/mma.cuh"
#include "vendor.h"

typedef struct Layer {
    const void *X, *W, *values;
    const uint32_t *meta;
    void *Y, *scratch; /* scratch: room for X' and Y' */
    int T, O, I, ld;
    cudaStream_t stream;
} Layer;
typedef void Forward(const Layer *l);

/* B (columns x rows) = A' of A (rows x columns); lecture 5 has the faster ones. */
__global__ void turn_kernel(const uint16_t *A, uint16_t *B, int rows, int columns)
{
    __shared__ uint16_t tile[32][33 + 1];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < rows && c < columns)
            tile[threadIdx.y + i][threadIdx.x] = A[(size_t)(r + i) * columns + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < columns && c < rows)
            B[(size_t)(r + i) * rows + c] = tile[threadIdx.x][threadIdx.y + i];
}

static void turn(const void *A, void *B, int rows, int columns, cudaStream_t stream)
{
    turn_kernel<<<dim3(ceil_div(columns, 32), ceil_div(rows, 32)), dim3(32, 8), 0, stream>>>(
        (const uint16_t *)A, (uint16_t *)B, rows, columns);
}

static void layer1(const Layer *l)
{
    uint16_t *turned_x = (uint16_t *)l->scratch, *turned_y = turned_x + (size_t)l->I * l->T;
    turn(l->X, turned_x, l->T, l->I, l->stream);
    mma_launch<MmaTile<2, true, false, 256, 128, 64, 64, 5, 2, false>>(
        {l->values, l->meta, turned_x, turned_y, l->O, l->T, l->I, l->ld}, l->stream);
    turn(turned_y, l->Y, l->O, l->T, l->stream);
}

static void layer2(const Layer *l)
{
    uint16_t *turned_y = (uint16_t *)l->scratch;
    mma_launch<MmaTile<2, true, true, 256, 128, 64, 64, 5, 2>>(
        {l->values, l->meta, l->X, turned_y, l->O, l->T, l->I, l->ld}, l->stream);
    turn(turned_y, l->Y, l->O, l->T, l->stream);
}

static void layer3(const Layer *l)
{
    mma_launch<MmaTile<2, true, true, 256, 128, 64, 64, 5, 2, true, true>>(
        {l->values, l->meta, l->X, l->Y, l->O, l->T, l->I, l->ld}, l->stream);
}

static void layer4(const Layer *l)
{
    mma_launch<MmaTile<2, false, true, 128, 256, 64, 64, 4, 1>>({l->X, NULL, l->W, l->Y, l->T, l->O, l->I, l->I},
                                                                l->stream);
}

static void layer5(const Layer *l)
{
    vendor_gemm_lt(l->X, l->W, l->Y, LAB_BF16, LAB_BF16, 1, l->T, l->O, l->I, l->stream);
}

static const LabRung rungs[] = {
    {1, "transpose everything", LAB_LAUNCH(Forward, layer1), LAB_BF16, LAB_NEEDS_SM80, 0},
    {2, "X as stored", LAB_LAUNCH(Forward, layer2), LAB_BF16, LAB_NEEDS_SM80, 0},
    {3, "write Y directly", LAB_LAUNCH(Forward, layer3), LAB_BF16, LAB_NEEDS_SM80, 0},
    {4, "dense, ours", LAB_LAUNCH(Forward, layer4), LAB_BF16, LAB_NEEDS_SM80, 1},
    {5, "cuBLASLt dense", LAB_LAUNCH(Forward, layer5), LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 1},
};

/* Inputs: 0 X, 1 W unpruned, 2 W pruned, 3 its values, 4 its metadata. */
static const char *setup(LabCase *c)
{
    size_t T = c->dim[0], O = c->dim[1], I = c->dim[2];
    if (T > 1u << 20 || O > 1u << 20 || I > 1u << 20)
        return "T, O and I are at most 1048576";
    lab_input(c, 0, T * I, LAB_BF16);
    lab_input(c, 1, O * I, LAB_BF16);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    void *pruned = lab_input(c, 2, O * I, LAB_BF16), *values = lab_input(c, 3, sparse24_value_count(O, I), LAB_BF16);
    lab_input(c, 4, sparse24_meta_words(O, I), LAB_S32);
    uint32_t *meta = lab_h_in_u32(c, 4);
    const char *why = NULL;
    sparse24_compress_bf16(lab_h_in_u16(c, 1), O, I, I, (uint16_t *)values, meta);
    sparse24_decompress_bf16((const uint16_t *)values, meta, O, I, (uint16_t *)pruned, I, &why);
    lab_output(c, T * O, LAB_BF16);
    c->out_width = O;
    c->atol = 1e-3;
    c->rtol = 1.0 / 256; /* Y is rounded to bf16 */
    c->user = calloc(1, sizeof(unsigned));
    return why;
}

static void teardown(LabCase *c) { free(c->user); }

static void reference(LabCase *c) { product_cpu_of(c, 0, 2, 1); }

static void run(const LabRung *r, LabCase *c)
{
    size_t T = c->dim[0], O = c->dim[1], I = c->dim[2];
    if (T == 0 || O == 0)
        return;
    unsigned *verified = (unsigned *)c->user,
             bit = 1u << r->number; /* the framework verifies a rung before it times it */
    const void *W = r->variant && *verified & bit ? c->in[1] : c->in[2];
    *verified |= bit;
    Layer l = {c->in[0], W,      c->in[3], lab_in_u32(c, 4),    c->out,   NULL,
               (int)T,   (int)O, (int)I,   (int)sparse24_ld(I), c->stream};
    if (r->number < 3)
        l.scratch = lab_scratch(c, (T * I + T * O) * 2);
    ((Forward *)r->launch)(&l);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    if (c->dim[2] % 8 || c->dim[2] == 0)
        return "rows must begin at multiples of 16 bytes: I a multiple of 8";
    return r->number == 1 && c->dim[0] % 8   ? "rows of X' must begin at multiples of 16 bytes: T a multiple of 8"
           : r->number == 5 && c->dim[1] % 8 ? "O must be a multiple of 8"
                                             : NULL;
}

static double bytes(const LabCase *c)
{
    return (double)sparse24_bytes(c->dim[1], c->dim[2], 2) + 2.0 * (double)c->dim[0] * (double)(c->dim[1] + c->dim[2]);
}

static const Lab lab = {
    .order = 5,
    .name = "xw_transposed",
    .title = "only the first operand may be sparse: xW' = (Wx')'",
    .look = "Rung 1 makes the two transposes that the formula seems to ask for, rung 3 makes none. Rung 4,\n"
            "the dense product, shows what 2:4 gains where the weights are on the right.",
    .dims = "T O I",
    .size = "4096x4096x4096",
    .cpu_size = "128x256x256",
    .test_sizes = "8x8x8 33x40x72 64x64x128 136x264x64 13x7x16 128x256x192",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = product_flops,
};
LAB_MAIN(lab)
