/* V:N:M: more zeros than 2:4, with 2:4's instruction.
 *
 * mma.sp skips half of a matrix, no more. To skip three quarters, V = 128 rows together drop four of every 8 columns,
 * and what is left, a matrix of half the width, is 2:4 (128:2:8). A tile of C then meets half of the rows of B, and a
 * list says which. (VENOM, SC 2023.)
 *
 * C = A B, A M x K in 128:2:8, B K x N, C M x N, row-major, bf16 with fp32 sums. Rates count the dense product.
 *
 *   rung                       idea                                                                ./run vnm --rung N
 *   1  one thread per element  walks the columns that its row's strip has kept
 *   2  rows by list            spgemm24's frame for mma.sp; a step copies 64 rows of B from where the list says
 *   3  list ahead              a thread reads its part of the list one step early
 *   4  2:4 mma.sp              the same matrix as an ordinary 2:4 matrix: the columns that are gone count as zeros
 *   5  cuBLASLt dense          verified on A, timed on a matrix without zeros
 *
 * Then a table: how much of a matrix is left when its columns may be permuted before they are pruned, and a product of
 * such a matrix by rung 3's kernel, verified.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ceil_div.cuh"
#include "device.h"
#include "lab.h"
#include "product.h"
#include "random.h"
#include "side_csv.h"
#include "table.h"
#include "vendor.h"

#include "vnm/format.h"
#include "vnm/rows.cuh"

typedef void Multiply(const MmaArguments &p, cudaStream_t stream);
typedef MmaTile<2, true, false, 128, 256, 64, 64, 5, 2, false> Tile;

static void vnm2(const MmaArguments &p, cudaStream_t stream) { mma_launch<Tile, VnmLoader<Tile, false>>(p, stream); }
static void vnm3(const MmaArguments &p, cudaStream_t stream) { mma_launch<Tile, VnmLoader<Tile, true>>(p, stream); }
static void vnm4(const MmaArguments &p, cudaStream_t stream) { mma_launch<Tile>(p, stream); }

static const LabRung rungs[] = {
    {1, "one thread per element", NULL, LAB_BF16, 0, 0},
    {2, "rows by list", LAB_LAUNCH(Multiply, vnm2), LAB_BF16, LAB_NEEDS_SM80, 0},
    {3, "list ahead", LAB_LAUNCH(Multiply, vnm3), LAB_BF16, LAB_NEEDS_SM80, 0},
    {4, "2:4 mma.sp", LAB_LAUNCH(Multiply, vnm4), LAB_BF16, LAB_NEEDS_SM80, 1},
    {5, "cuBLASLt dense", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

enum { B, KEPT, VALUES, META, VALUES24, META24, PRUNED, FULL }; /* inputs */

static const char *setup(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2], strips = (M + VNM_V - 1) / VNM_V;
    if (M > 65535 || N > 65535 || K > 65535)
        return "M, N and K are at most 65535";
    if (K % 8 || K == 0 || N % 8)
        return "N and K are multiples of 8";
    lab_input(c, B, K * N, LAB_BF16);
    lab_fill_uniform(c, B, -1, 1);
    uint16_t *full = (uint16_t *)lab_input(c, FULL, M * K, LAB_BF16);
    lab_fill_uniform(c, FULL, -1, 1);
    int *kept = (int *)lab_input(c, KEPT, strips * (K / 2) + 1, LAB_S32);
    uint16_t *values = (uint16_t *)lab_input(c, VALUES, sparse24_value_count(M, K / 2), LAB_BF16);
    uint32_t *meta = (uint32_t *)lab_input(c, META, sparse24_meta_words(M, K / 2), LAB_S32);
    uint16_t *pruned = (uint16_t *)lab_input(c, PRUNED, M * K, LAB_BF16);
    if (vnm_prune(full, M, K, VNM_NEIGHBOURS, 0, kept, values, meta, pruned))
        die("out of memory");
    sparse24_compress_bf16(pruned, M, K, K, (uint16_t *)lab_input(c, VALUES24, sparse24_value_count(M, K), LAB_BF16),
                           (uint32_t *)lab_input(c, META24, sparse24_meta_words(M, K), LAB_S32));
    lab_output(c, M * N, LAB_BF16);
    c->out_width = N;
    c->atol = 1e-6 * (1 + (double)K) / 4;
    c->rtol = 1.0 / 256;              /* C is rounded to bf16 */
    c->user = calloc(1, sizeof(int)); /* 1: the vendor's rung has been verified */
    return NULL;
}

static void teardown(LabCase *c) { free(c->user); }

static void reference(LabCase *c) { product_cpu_of(c, PRUNED, B, 0); }

static void run(const LabRung *r, LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    int *verified = (int *)c->user;
    if (M == 0 || N == 0)
        return;
    if (r->flags & LAB_VENDOR) {
        vendor_gemm_lt(c->in[*verified ? FULL : PRUNED], c->in[B], c->out, LAB_BF16, LAB_BF16, 0, M, N, K, c->stream);
        *verified = 1;
        return;
    }
    if (r->number == 1) {
        vnm_kernel1<<<dim3(ceil_div((int)N, 128), (unsigned)M), 128, 0, c->stream>>>(
            lab_in_u16(c, PRUNED), lab_in_s32(c, KEPT), lab_in_u16(c, B), (__nv_bfloat16 *)c->out, (int)M, (int)N,
            (int)K);
        return;
    }
    const size_t depth = r->variant ? K : K / 2; /* of the 2:4 matrix */
    const MmaArguments p = {c->in[r->variant ? VALUES24 : VALUES],
                            (const uint32_t *)c->in[r->variant ? META24 : META],
                            c->in[B],
                            c->out,
                            (int)M,
                            (int)N,
                            (int)depth,
                            (int)sparse24_ld(depth),
                            lab_in_s32(c, KEPT)};
    ((Multiply *)r->launch)(p, c->stream);
}

static double bytes(const LabCase *c)
{
    return (double)sparse24_bytes(c->dim[0], c->dim[2] / 2, 2) +
           2.0 * (double)c->dim[1] * (double)(c->dim[0] + c->dim[2]);
}

/* ---- permuted columns */

enum { SHOW_M = 256, SHOW_N = 64, SHOW_K = 512, SHOW_ROUNDS = 40 };

/* A matrix whose rows and columns differ in magnitude, as a trained one's do, and its pruned forms. */
typedef struct Shown {
    uint16_t full[SHOW_M * SHOW_K], pruned[SHOW_M * SHOW_K], B[SHOW_K * SHOW_N], C[SHOW_M * SHOW_N];
    int kept[SHOW_M / VNM_V * SHOW_K / 2];
    double all;
} Shown;

static double energy_of(const uint16_t *w, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)bf16_to_float(w[i]) * bf16_to_float(w[i]);
    return sum;
}

static void show_fill(Shown *s, uint64_t seed)
{
    for (int m = 0; m < SHOW_M; m++)
        for (int k = 0; k < SHOW_K; k++) {
            const double size =
                (0.3 + random_uniform(seed, (uint64_t)m)) * (0.1 + random_uniform(seed + 1, (uint64_t)k));
            const double x = 2 * random_uniform(seed + 2, (uint64_t)(m * SHOW_K + k)) - 1;
            s->full[m * SHOW_K + k] = bf16_from_float((float)(size * x));
        }
    for (int i = 0; i < SHOW_K * SHOW_N; i++)
        s->B[i] = bf16_from_float((float)(2 * random_uniform(seed + 3, (uint64_t)i) - 1));
    s->all = energy_of(s->full, SHOW_M * SHOW_K);
}

/* The share that the best two of 8 in each row would keep: no instruction multiplies those. */
static double two_of_eight(const Shown *s)
{
    double sum = 0;
    for (int i = 0; i < SHOW_M * SHOW_K; i += 8) {
        double first = 0, second = 0;
        for (int j = 0; j < 8; j++) {
            const double x = bf16_to_float(s->full[i + j]), square = x * x;
            second = square > first ? first : fmax(second, square);
            first = fmax(first, square);
        }
        sum += first + second;
    }
    return sum / s->all;
}

/* C = A B by rung 3, of the matrix that has just been pruned: the largest error, in parts of what is allowed. */
static double multiply_shown(Shown *s, const uint16_t *values, const uint32_t *meta)
{
    void *in[4], *C;
    const void *from[4] = {values, meta, s->B, s->kept};
    const size_t bytes[4] = {sparse24_value_count(SHOW_M, SHOW_K / 2) * 2, sparse24_meta_words(SHOW_M, SHOW_K / 2) * 4,
                             sizeof s->B, sizeof s->kept};
    for (int i = 0; i < 4; i++) {
        CUDA_CHECK(cudaMalloc(&in[i], bytes[i]));
        CUDA_CHECK(cudaMemcpy(in[i], from[i], bytes[i], cudaMemcpyHostToDevice));
    }
    CUDA_CHECK(cudaMalloc(&C, sizeof s->C));
    CUDA_CHECK(cudaMemset(C, 0xff, sizeof s->C));
    const MmaArguments p = {in[0],
                            (const uint32_t *)in[1],
                            in[2],
                            C,
                            SHOW_M,
                            SHOW_N,
                            SHOW_K / 2,
                            (int)sparse24_ld(SHOW_K / 2),
                            (const int *)in[3]};
    vnm3(p, 0);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(s->C, C, sizeof s->C, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++)
        CUDA_CHECK(cudaFree(in[i]));
    CUDA_CHECK(cudaFree(C));
    double worst = 0;
    for (int m = 0; m < SHOW_M; m++)
        for (int n = 0; n < SHOW_N; n++) {
            double sum = 0;
            for (int k = 0; k < SHOW_K; k++)
                sum += (double)bf16_to_float(s->pruned[m * SHOW_K + k]) * bf16_to_float(s->B[k * SHOW_N + n]);
            const double error = fabs(bf16_to_float(s->C[m * SHOW_N + n]) - sum) / (1e-3 + fabs(sum) / 256);
            if (!(error <= worst))
                worst = error;
        }
    return worst;
}

static const struct VnmWay {
    const char *name;
    int how, rounds;
} vnm_ways[] = {{"neighbouring columns", VNM_NEIGHBOURS, 0},
                {"permuted: the larger half", VNM_PERMUTED, 0},
                {"permuted and regrouped", VNM_PERMUTED, SHOW_ROUNDS}};

static int show(const LabOptions *options)
{
    static Shown s;
    uint16_t *values = (uint16_t *)malloc(sparse24_value_count(SHOW_M, SHOW_K / 2) * 2);
    uint32_t *meta = (uint32_t *)malloc(sparse24_meta_words(SHOW_M, SHOW_K / 2) * 4);
    if (!values || !meta)
        die("out of memory");
    show_fill(&s, options->seed + 900);
    Table *t = table_new("columns|>energy kept");
    FILE *csv = side_csv(options, "energy", "columns,energy");
    double energy[LAB_COUNT(vnm_ways)];
    int failed = 0;
    for (int w = 0; w < LAB_COUNT(vnm_ways); w++) {
        if (vnm_prune(s.full, SHOW_M, SHOW_K, vnm_ways[w].how, vnm_ways[w].rounds, s.kept, values, meta, s.pruned))
            die("out of memory");
        energy[w] = energy_of(s.pruned, SHOW_M * SHOW_K) / s.all;
        table_cell(t, "%s", vnm_ways[w].name);
        table_cell(t, "%.1f %%", 100 * energy[w]);
        if (csv)
            fprintf(csv, "%s,%.4f\n", vnm_ways[w].name, energy[w]);
        const double error = multiply_shown(&s, values, meta);
        failed +=
            lab_claim(error <= 1, "%s: the product is right (error %.2f of what is allowed)", vnm_ways[w].name, error);
    }
    const double bound = two_of_eight(&s);
    table_cell(t, "any two of 8, in each row");
    table_cell(t, "%.1f %%", 100 * bound);
    if (csv)
        fprintf(csv, "any two of 8 in each row,%.4f\n", bound);
    lab_close(csv);
    printf("\n    128:2:8 of a matrix whose columns differ in magnitude, %d x %d\n", SHOW_M, SHOW_K);
    table_print(t, stdout, 4);
    table_free(t);
    free(values), free(meta);
    return failed + lab_claim(energy[1] >= energy[0] && energy[2] >= energy[1],
                              "columns that may be permuted do not keep less energy");
}

static const Lab lab = {
    .order = 17,
    .name = "vnm",
    .title = "V:N:M: three quarters zeros, by the instruction for 2:4",
    .page = "training.md",
    .look = "Rates count the dense product. Rungs 2 and 3 do half of what rung 4 does: their matrix is half as wide.\n"
            "To see what the list costs, compare rungs 2 and 3, and each with half of rung 4's time.",
    .dims = "M N K",
    .size = "8192x8192x8192 4096x4096x4096",
    .cpu_size = "256x256x512",
    .small_sizes = "128x64x128 200x72x136",
    .test_sizes = "1x8x8 128x64x128 200x72x136 300x264x248 130x8x72",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .flops = product_flops,
    .show = show,
};
LAB_MAIN(lab)
