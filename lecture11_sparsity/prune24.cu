/* Prune to 2:4 along the rows and compress: what is done once, before inference.
 *
 * W is M x K in bf16. Of every four neighbours in a row the two of larger magnitude stay; out come the values, M x K/2,
 * and the metadata in the order of mma.sp's registers (common/sparse.h). Nothing is computed; only bytes move:
 * per element 2 in and 1 1/8 out.
 *
 *   rung                        idea                                                          ./run prune24 --rung N
 *   1  one thread per word      a thread makes one word of metadata, element by element: 2-byte loads, any shape
 *   2  16 bytes at a time       loads and stores of 16 bytes, the choice by comparisons, no index into an array
 *
 * Then the corner cases, and what is lost: energy kept along rows only against tiles that are 2:4 both ways.
 * Ties go to the earlier element, -0.0 is as small as 0.0, a NaN counts as larger than all numbers (so it stays in
 * sight), and what is kept keeps every bit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ceil_div.cuh"
#include "lab.h"
#include "prune24/rows.cuh"
#include "sparse.h"

typedef void Prune(const uint16_t *W, int rows, int columns, uint16_t *values, uint32_t *meta, cudaStream_t stream);

static void prune1(const uint16_t *W, int rows, int columns, uint16_t *values, uint32_t *meta, cudaStream_t stream)
{
    int words = (int)sparse24_meta_words((size_t)rows, (size_t)columns);
    rows_kernel1<<<ceil_div(words, 256), 256, 0, stream>>>(W, rows, columns, values, meta);
}

static void prune2(const uint16_t *W, int rows, int columns, uint16_t *values, uint32_t *meta, cudaStream_t stream)
{
    int warps = ceil_div(columns, 128) * (rows / 8);
    rows_kernel2<<<ceil_div(warps, 8), 256, 0, stream>>>(W, rows, columns, values, meta);
}

static const LabRung rungs[] = {
    {1, "one thread per word", LAB_LAUNCH(Prune, prune1), LAB_BF16, 0, 0},
    {2, "16 bytes at a time", LAB_LAUNCH(Prune, prune2), LAB_BF16, 0, 0},
};

/* The output is both arrays as 32-bit words, compared bit for bit: first the values, then the metadata. */
static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], K = c->dim[1];
    if (M > 1u << 20 || K > 1u << 20)
        return "M and K are at most 1048576";
    lab_input(c, 0, M * K, LAB_BF16);
    uint16_t *W = lab_h_in_u16(c, 0);
    lab_fill_uniform(c, 0, -1, 1);
    static const uint16_t special[] = {0x0000, 0x8000, 0x7fc0, 0x7f80, 0xff80, 0x0001, 0x3f80, 0xbf80, 0xffc1};
    for (size_t i = 0; i < M * K / 16; i++) /* zeros of both signs, NaN, infinities, subnormals, ties */
        W[random_u64(c->seed + 1, i) % (M * K)] = special[i % 9];
    lab_output(c, sparse24_value_count(M, K) / 2 + sparse24_meta_words(M, K), LAB_S32);
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t M = c->dim[0], K = c->dim[1], values = sparse24_value_count(M, K) / 2;
    int32_t *words = (int32_t *)malloc((c->out_count + 1) * sizeof *words);
    if (!words)
        die("out of memory");
    sparse24_compress_bf16(lab_h_in_u16(c, 0), M, K, K, (uint16_t *)words, (uint32_t *)words + values);
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = words[i];
    free(words);
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return;
    uint32_t *words = lab_out_u32(c), *meta = words + sparse24_value_count(c->dim[0], c->dim[1]) / 2;
    ((Prune *)r->launch)(lab_in_u16(c, 0), (int)c->dim[0], (int)c->dim[1], (uint16_t *)words, meta, c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->number == 2 && (c->dim[0] % 16 || c->dim[1] % 64) ? "M must be a multiple of 16 and K of 64" : NULL;
}

static double bytes(const LabCase *c)
{
    return 2.0 * (double)c->dim[0] * (double)c->dim[1] + (double)sparse24_bytes(c->dim[0], c->dim[1], 2);
}

/* The corner cases in a table. */
static int show_cases(void)
{
    static const struct {
        const char *what;
        float group[4];
        unsigned places;
    } cases[] = {
        {"the two largest, by magnitude", {0.5f, -3, 2, 1}, 1 | 2 << 2},
        {"a tie goes to the earlier", {1, 1, 1, 1}, 0 | 1 << 2},
        {"a tie of signs too", {-2, 1, 2, -1}, 0 | 2 << 2},
        {"-0.0 is as small as 0.0", {-0.0f, 0, 0, -0.0f}, 0 | 1 << 2},
        {"NaN is kept, before infinity", {INFINITY, 5, NAN, -INFINITY}, 0 | 2 << 2},
        {"one nonzero still makes two", {0, 0, 0, 7}, 0 | 3 << 2},
    };
    int failed = 0;
    printf("\n    a group of four                      kept   metadata\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint16_t group[4];
        for (int j = 0; j < 4; j++)
            group[j] = bf16_from_float(cases[i].group[j]);
        unsigned p = sparse24_pick_bf16(group);
        printf("    %5g %5g %5g %5g                %u and %u  %u%u%u%u       %s\n", (double)cases[i].group[0],
               (double)cases[i].group[1], (double)cases[i].group[2], (double)cases[i].group[3], p & 3, p >> 2,
               p >> 3 & 1, p >> 2 & 1, p >> 1 & 1, p & 1, cases[i].what);
        failed += lab_claim(p == cases[i].places, "%s: places %u and %u expected", cases[i].what, cases[i].places & 3,
                            cases[i].places >> 2);
    }
    return failed;
}

/* The energy that the two ways keep of a normal matrix, and the bytes of 2:4. */
static int show_energy(const LabOptions *options)
{
    enum { SIDE = 256 };
    uint16_t *w = (uint16_t *)malloc(2 * SIDE * SIDE);
    if (!w)
        die("out of memory");
    double all = 0, one_way = 0, both = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++) { /* about normal: the sum of twelve uniforms */
        double x = -6;
        for (size_t j = 0; j < 12; j++)
            x += random_uniform(options->seed + 7, i * 12 + j);
        w[i] = bf16_from_float((float)x);
        double v = bf16_to_float(w[i]);
        all += v * v;
    }
    for (size_t r = 0; r < SIDE; r++)
        for (size_t c = 0; c < SIDE; c += 4) {
            unsigned p = sparse24_pick_bf16(w + r * SIDE + c);
            double a = bf16_to_float(w[r * SIDE + c + (p & 3)]), b = bf16_to_float(w[r * SIDE + c + (p >> 2)]);
            one_way += a * a + b * b;
            if (r % 4)
                continue;
            unsigned kept = sparse24_pick_tile_bf16(w + r * SIDE + c, SIDE);
            for (size_t i = 0; i < 16; i++) {
                double v = bf16_to_float(w[(r + i / 4) * SIDE + c + i % 4]);
                both += kept >> i & 1 ? v * v : 0;
            }
        }
    free(w);
    printf("\n    energy kept of a normal matrix: 2:4 along rows %.1f %%, 2:4 both ways (4 x 4 tiles) %.1f %%\n",
           100 * one_way / all, 100 * both / all);
    printf("    bytes of 2:4 in 16 bits, 8192 x 8192: %.4f of dense (9/16); W and its transpose together %.3f (9/8)\n",
           (double)sparse24_bytes(8192, 8192, 2) / (8192.0 * 8192 * 2),
           2 * (double)sparse24_bytes(8192, 8192, 2) / (8192.0 * 8192 * 2));
    return lab_claim(both < one_way && one_way > 0.8 * all && both > 0.7 * all,
                     "both ways keeps less than along rows") +
           lab_claim(sparse24_bytes(8192, 8192, 2) * 16 == (size_t)8192 * 8192 * 2 * 9, "2:4 takes 9/16 of the bytes");
}

static int show(const LabOptions *options)
{
    if (lab_brief())
        return 0;
    const int failed = show_cases();
    return failed + show_energy(options);
}

static const Lab lab = {
    .order = 3,
    .name = "prune24",
    .title = "two of every four, once, before inference",
    .look = "Nothing is computed here, so compressing the matrix should cost no more than copying it.\n"
            "./run prune24 also shows which two of four are kept in the corner cases.",
    .dims = "M K",
    .size = "8192x8192",
    .cpu_size = "512x512",
    .test_sizes = "1x1 31x33 16x64 33x65 32x192 7x257 48x128 64x1",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .show = show,
};
LAB_MAIN(lab)
