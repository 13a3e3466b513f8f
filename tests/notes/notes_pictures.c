/* The pictures of the notes: each can be read on a telephone, no two of its texts touch, none leaves it; and what it
 * says is what somebody else counted: the CPU device's counters, Nsight Compute on an H200 (results/), or arithmetic.
 */
#include <check.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { TELEPHONE = 390 - 2 * 16, SMALLEST = 11, MOST_TEXTS = 2048 };

static char *read_file(const char *name)
{
    FILE *f = fopen(name, "r");
    ck_assert_msg(f != NULL, "%s cannot be read", name);
    char *all = (char *)calloc(1, 1 << 22);
    size_t n = fread(all, 1, (1 << 22) - 1, f);
    ck_assert_msg(n > 0 && n < (1 << 22) - 1, "%s is empty or too large", name);
    fclose(f);
    return all;
}

static double attribute(const char *tag, const char *name)
{
    char want[32];
    snprintf(want, sizeof want, " %s=\"", name);
    const char *end = strchr(tag, '>'), *at = strstr(tag, want);
    ck_assert_msg(at && at < end, "no %s in %.80s", name, tag);
    return atof(at + strlen(want));
}

/* Words as drawn: an entity is one character, and so is a character of several bytes. */
static int length(const char *from, const char *to)
{
    int n = 0;
    for (; from < to; from++) {
        if (*from == '&')
            from = strchr(from, ';');
        n += ((unsigned char)*from & 0xc0) != 0x80;
    }
    return n;
}

static void readable(const char *name)
{
    static double box[MOST_TEXTS][4];
    static char words[MOST_TEXTS][64];
    char *all = read_file(name);
    double width, height;
    int texts = 0;
    ck_assert_int_eq(sscanf(strstr(all, "viewBox="), "viewBox=\"0 0 %lf %lf\"", &width, &height), 2);
    ck_assert_msg(strstr(all, "prefers-color-scheme:dark") != NULL, "%s has no colours for a dark page", name);
    ck_assert_msg(strstr(all, "<title>") != NULL, "%s has no title", name);
    for (const char *at = strstr(all, "<text"); at; at = strstr(at + 1, "<text")) {
        const char *end = strchr(at, '>'), *close = strstr(end, "</text>"), *class = strstr(at, "class=\"");
        int head = class && class < end && class[7] == 'h';
        double size = head ? 14 : 13, x = attribute(at, "x"), y = attribute(at, "y");
        ck_assert_msg(size * TELEPHONE / width >= SMALLEST, "%s: text of %g units in a picture of %g", name, size,
                      width);
        double wide = length(end + 1, close) * size * (head ? 0.62 : class && class < end ? 0.6 : 0.55);
        const char *anchor = strstr(at, "text-anchor=\"") + 13;
        double left = *anchor == 's' ? x : *anchor == 'm' ? x - wide / 2 : x - wide;
        ck_assert_msg(left >= 0 && left + wide <= width && y - 0.75 * size >= 0 && y + 0.2 * size <= height,
                      "%s: '%.*s' leaves the picture", name, (int)(close - end - 1), end + 1);
        for (int i = 0; i < texts; i++)
            ck_assert_msg(left >= box[i][2] || box[i][0] >= left + wide || y - 0.75 * size >= box[i][3] ||
                              box[i][1] >= y + 0.2 * size,
                          "%s: '%s' and '%.*s' touch", name, words[i], (int)(close - end - 1), end + 1);
        ck_assert_int_lt(texts, MOST_TEXTS);
        box[texts][0] = left, box[texts][1] = y - 0.75 * size, box[texts][2] = left + wide,
        box[texts][3] = y + 0.2 * size;
        snprintf(words[texts++], 64, "%.*s", (int)(close - end - 1), end + 1);
    }
    free(all);
}

START_TEST(all_are_readable)
{
    glob_t found;
    ck_assert_int_eq(glob("lecture*/pictures/*.svg", 0, NULL, &found), 0);
    ck_assert_int_ge((int)found.gl_pathc, 30);
    for (size_t i = 0; i < found.gl_pathc; i++)
        readable(found.gl_pathv[i]);
    globfree(&found);
}
END_TEST

/* What the picture claims under this name. */
static double claim(const char *picture, const char *name)
{
    char file[256], want[64];
    glob_t found;
    snprintf(file, sizeof file, "lecture%.2s_*/pictures/%s.svg", picture, picture + 3);
    ck_assert_msg(glob(file, 0, NULL, &found) == 0 && found.gl_pathc == 1, "there is no %s", file);
    char *all = read_file(found.gl_pathv[0]);
    globfree(&found);
    snprintf(want, sizeof want, "\n%s=", name);
    const char *at = strstr(all, want);
    ck_assert_msg(at != NULL, "%s claims no %s", picture, name);
    double value = atof(at + strlen(want));
    free(all);
    return value;
}

/* A cell of a CSV: the row in which `key` stands at `key_column`; the n-th such row. */
static double cell(const char *file, const char *key, int key_column, int column, int nth)
{
    char line[1024];
    FILE *f = fopen(file, "r");
    ck_assert_msg(f != NULL, "%s cannot be read", file);
    while (fgets(line, sizeof line, f)) {
        char *at[32];
        int n = 0;
        for (char *word = line; word && n < 32; n++) {
            at[n] = word;
            word = strchr(word, ',');
            if (word)
                *word++ = 0;
        }
        if (n > column && strcmp(at[key_column], key) == 0 && nth-- == 0) {
            double value = atof(at[column]);
            fclose(f);
            return value;
        }
    }
    ck_abort_msg("%s has no row %s", file, key);
    return 0;
}

/* Nsight Compute's sectors over its requests, of a kernel of cpudevice/tests/counters. */
static double ncu_sectors(const char *kernel)
{
    const char *file = "cpudevice/tests/records/h200/counters.csv";
    return cell(file, kernel, 0, 2, 1) / cell(file, kernel, 0, 2, 0);
}

START_TEST(sectors_are_what_was_counted)
{
    const char *counted = "results/cpu/lecture03/square_grid-counters.csv";
    ck_assert_double_eq(claim("03/sectors", "columns"), cell(counted, "square_kernel1", 0, 3, 0));
    ck_assert_double_eq(claim("03/sectors", "rows"), cell(counted, "square_kernel2", 0, 3, 0));
    ck_assert_double_eq(claim("03/sectors", "float4"), cell(counted, "square_kernel4", 0, 3, 0));
    ck_assert_double_eq(claim("03/strides", "stride1"), ncu_sectors("copy_stride1"));
    ck_assert_double_eq(claim("03/strides", "stride2"), ncu_sectors("copy_stride2"));
    ck_assert_double_eq(claim("03/strides", "stride8"), ncu_sectors("copy_stride8"));
    ck_assert_double_eq(claim("03/strides", "offset1"), ncu_sectors("copy_offset1"));
}
END_TEST

START_TEST(grids_cover_their_elements)
{
    ck_assert_double_eq(claim("03/grid-1d", "threads"), 16);
    ck_assert_double_eq(claim("03/grid-1d", "stores"), 14);
    ck_assert_double_eq(claim("03/grid-2d", "threads"), 24);
    ck_assert_double_eq(claim("03/grid-2d", "stores"), 15);
    ck_assert_double_eq(claim("03/grid-stride", "elements"), 40);
    ck_assert_double_eq(claim("03/grid-stride", "rounds"), ceil(40.0 / 12));
    ck_assert_double_eq(claim("03/matmul", "loads_of_A"), 16);
    ck_assert_double_eq(claim("03/matmul", "loads_of_B"), 16);
}
END_TEST

START_TEST(lecture_1)
{
    const double launch =
        cell("results/h200/profiler_overhead.csv", "10000 empty launches (per launch): plain", 0, 1, 0);
    const double kernel = cell("results/h200/profiler_accuracy.csv", "copy(float4*  float4 const*  int)", 1, 4, 0);
    ck_assert_double_eq(claim("01/copies", "bytes"), 10 * sizeof(float));
    ck_assert_double_eq(claim("01/copies", "loads_and_stores"), 2 * 10);
    ck_assert_double_eq(claim("01/copies", "last"), 2 * 9);
    ck_assert_double_eq_tol(claim("01/queue", "without_us"), 3 * launch, 1e-6);
    ck_assert_double_eq_tol(claim("01/queue", "with_us"), launch + 3 * kernel, 1e-6);
    /* 0.5 x, 0.044715 x, c u, tanh, 1 + u read one array; three products and a sum read two; each writes one */
    ck_assert_double_eq(claim("01/gelu", "chain"), 5 * 2 + 4 * 3);
    ck_assert_double_eq(claim("01/gelu", "fused"), 2);
}
END_TEST

START_TEST(banks_are_what_ncu_counted)
{
    static const char *const pictures[] = {"05/banks-column", "05/banks-padded", "05/banks-swizzled"};
    static const char *const kernels[] = {"transpose_kernel3", "transpose_kernel4", "transpose_kernel5"};
    const char *counted = "results/h200/lecture05/transpose-counters.csv";
    for (int i = 0; i < 3;
         i++) /* one turn, and the conflicts of a request; there are as many requests to either memory */
        ck_assert_double_eq(claim(pictures[i], "turns"),
                            1 + cell(counted, kernels[i], 0, 5, 0) / cell(counted, kernels[i], 0, 1, 0));
    ck_assert_double_eq(claim("05/banks-row", "turns"), 1 + cell(counted, "transpose_kernel3", 0, 6, 0));
    ck_assert_double_eq(claim("05/transpose", "load"), cell(counted, "transpose_kernel1", 0, 3, 0));
    ck_assert_double_eq(claim("05/transpose", "store"), cell(counted, "transpose_kernel1", 0, 4, 0));
}
END_TEST

START_TEST(lecture_5)
{
    enum { TILE = 4, K = 12, THREADS = 16, RADIUS = 3 };
    const double row[] = {1, 3, 2, 5, 4, 5, 0, 6};
    double sum = 0;
    for (int i = 0; i < 8; i++)
        sum += exp(row[i] - 6);
    ck_assert_double_eq(claim("05/tiles", "loads"), 2 * K * TILE);
    ck_assert_double_eq(claim("05/tiles", "loads_without_tiles"), TILE * claim("05/tiles", "loads"));
    ck_assert_double_eq(claim("05/barriers", "barriers"), 2 * K / TILE);
    ck_assert_double_eq(claim("05/barriers", "stores"), 2 * TILE * TILE);
    ck_assert_double_eq(claim("05/barriers", "reads"), 2 * TILE * TILE * TILE);
    for (int step = 1; step <= 4; step++) {
        char name[16];
        snprintf(name, sizeof name, "active%d", step);
        ck_assert_double_eq(claim("05/tree-interleaved", name), THREADS >> step);
        ck_assert_double_eq(claim("05/tree-sequential", name), THREADS >> step);
    }
    ck_assert_double_eq(claim("05/tree-interleaved", "additions"), THREADS - 1);
    ck_assert_double_eq(claim("05/tree-sequential", "additions"), THREADS - 1);
    ck_assert_double_eq(claim("05/shuffle", "additions"), 31);
    ck_assert_double_eq(claim("05/shuffle", "steps"), 5);
    ck_assert_double_eq(claim("05/scan", "additions"), 15 + 14 + 12 + 8);
    ck_assert_double_eq(claim("05/halo", "halo_loads"), 2 * RADIUS);
    ck_assert_double_eq(claim("05/halo", "reads"), 2 * RADIUS + 1);
    ck_assert_double_eq(claim("05/online", "max"), 6);
    ck_assert_double_eq_tol(claim("05/online", "sum"), sum, 1e-5);
}
END_TEST

START_TEST(lecture_11)
{
    ck_assert_double_gt(claim("11/masks", "elements"), claim("11/masks", "two_of_four"));
    ck_assert_double_gt(claim("11/masks", "two_of_four"), claim("11/masks", "blocks"));
    ck_assert_double_eq(claim("11/csr", "last_start"), claim("11/csr", "nonzeros"));
    ck_assert_double_eq(claim("11/bsr", "blocks"), 4);
    ck_assert_double_eq(claim("11/two-of-four", "kept"), 8);
    ck_assert_double_eq(claim("11/gpus", "ring_steps"), 6);
    ck_assert_double_eq(claim("11/gpus", "ring_parts"), 6);
    ck_assert_double_eq(claim("11/gpus", "one_shot_parts"), 12);
    ck_assert_double_eq(claim("11/gpus", "two_shot_parts"), 6);
    ck_assert_double_eq(claim("11/allreduce", "nccl_at_end"),
                        cell("results/h200/lecture11/allreduce_fastest.csv", "1073741824", 0, 4, 1));
    ck_assert_double_eq(claim("11/allreduce", "empty_at_1_mb"),
                        cell("results/h200/lecture11/allreduce_fastest.csv", "1048576", 0, 3, 1));
    ck_assert_double_gt(claim("11/allreduce", "crossing_kb"), 64);
    ck_assert_double_lt(claim("11/allreduce", "crossing_kb"), 256);
    ck_assert_double_eq(claim("11/metadata", "groups_of_a_lane"), 16.0 * 16 / 32);
    ck_assert_double_eq(claim("11/lottery", "kept"), 18);
    ck_assert_double_eq(claim("11/lottery", "largest_kept"), 1);
    ck_assert_double_eq(claim("11/sweep", "dense_at_half"),
                        cell("results/h200/lecture11/formats_sweep.csv", "0.5", 0, 1, 0));
    ck_assert_double_eq(claim("11/sweep", "csr_at_end"),
                        cell("results/h200/lecture11/formats_sweep.csv", "0.998", 0, 2, 0));
    ck_assert_double_eq(claim("11/tickets", "winning_at_end"),
                        cell("results/h200/lecture11/lottery_curves.csv", "282", 0, 2, 0));
    ck_assert_double_eq(claim("11/tickets", "random_at_end"),
                        cell("results/h200/lecture11/lottery_curves.csv", "282", 0, 6, 0));
}
END_TEST

/* The cycle of the nth (from 0) such stamp of the recorded clocks. */
static double stamp(const char *kernel, int consumer, const char *event, int nth)
{
    char line[256], want[64];
    FILE *f = fopen("results/h200/lecture14/hopper_clocks.csv", "r");
    ck_assert(f != NULL);
    snprintf(want, sizeof want, "%s,consumer %d,%s,", kernel, consumer, event);
    while (fgets(line, sizeof line, f))
        if (strncmp(line, want, strlen(want)) == 0 && nth-- == 0) {
            fclose(f);
            return atof(strrchr(line, ',') + 1);
        }
    ck_abort_msg("no %d more stamps %s", nth + 1, want);
    return 0;
}

/* The ring and the turns are what was recorded: of 16 steps only the first waits for its copy; a persistent block's
 * pause is from the later consumer's last product to the earlier one's next, in turns from one's last to the other's
 * first. */
START_TEST(clocks_of_lecture_14)
{
    enum { STEPS = 16, TILES = 3 };
    double pause = 0, first, last;
    ck_assert_double_eq(claim("14/ring", "steps"), STEPS);
    ck_assert_double_eq(claim("14/ring", "waited_for_a_copy"), 1);
    ck_assert_double_eq(claim("14/ring", "first_parity_of_second_round"), 1);
    ck_assert_double_gt(claim("14/ring", "last_fill"), stamp("ring", 0, "arrive", STEPS - 4 - 1)); /* slot of step 11 */
    for (int t = 0; t + 1 < TILES; t++)
        pause += fmin(stamp("persistent", 0, "multiply", STEPS * (t + 1)),
                      stamp("persistent", 1, "multiply", STEPS * (t + 1))) -
                 fmax(stamp("persistent", 0, "done", t), stamp("persistent", 1, "done", t));
    first = fmin(stamp("persistent", 0, "multiply", 0), stamp("persistent", 1, "multiply", 0));
    last = fmax(stamp("persistent", 0, "done", TILES - 1), stamp("persistent", 1, "done", TILES - 1));
    ck_assert_double_eq_tol(claim("14/ping-pong", "rest_persistent"), pause / (last - first), 1e-9);
    pause = 0;
    for (int t = 0; t + 1 < 2 * TILES; t++)
        pause += fmax(0, stamp("ping-pong", (t + 1) % 2, "multiply", STEPS * ((t + 1) / 2)) -
                             stamp("ping-pong", t % 2, "done", t / 2));
    first = stamp("ping-pong", 0, "multiply", 0), last = stamp("ping-pong", 1, "done", TILES - 1);
    ck_assert_double_eq_tol(claim("14/ping-pong", "rest"), pause / (last - first), 1e-9);
}
END_TEST

START_TEST(lecture_14)
{
    ck_assert_double_eq(claim("14/block-masks", "first"), 2);
    ck_assert_double_eq(claim("14/block-masks", "by_n"), 2);
    ck_assert_double_eq(claim("14/block-masks", "by_block"), 6);
    ck_assert_double_eq(claim("14/tile-order", "rows"), 9 * (1 + 9));
    ck_assert_double_eq(claim("14/tile-order", "grouped"), 9 * (3 + 3));
    ck_assert_double_eq(claim("14/hilbert", "path"), 63); /* every step to a neighbour */
    ck_assert_double_eq(claim("14/nested", "of_a_thread"), 128.0 * 128 / 256);
    ck_assert_double_eq(claim("14/nested", "warp_rows") * claim("14/nested", "warp_columns"), 128.0 * 128 / 8);
    ck_assert_double_eq(claim("14/fragments", "each_lane"), 16.0 * 8 / 32);
    ck_assert_double_eq(claim("14/ldmatrix", "right_half"), 8);
    ck_assert_double_eq(claim("14/swizzle", "plain"), 8);
    ck_assert_double_eq(claim("14/swizzle", "swizzled"), 1);
    ck_assert_double_eq(claim("14/stream-k", "waves"), 3 * 6);
    ck_assert_double_eq(claim("14/stream-k", "stream_k"), 16.0 * 6 / 6);
    ck_assert_double_eq(claim("14/roofline", "peak"),
                        cell("results/h200/lecture14/gemm_ceiling.csv", "FFMA; two banks", 2, 11, 0));
}
END_TEST

/* The kernels of a transformer: 32 columns read twice or once; exp(x - 5) added up; the sums of eight tiles; the causal
 * half of 4 x 4 tiles of 64 tokens; and all products of two consumers, each step two of 2 units, without a gap. */
START_TEST(transformer)
{
    const double x[] = {1, 3, 2, 3, 5, 2, 4, 1, 2, 3, 0, 4};
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += exp(x[i] - 5);
    ck_assert_double_eq(claim("05/norms", "reads_rung_2"), 2 * 32);
    ck_assert_double_eq(claim("05/norms", "reads_rung_3"), 32);
    ck_assert_double_eq_tol(claim("05/online-tiles", "sum"), sum, 1e-5);
    ck_assert_double_eq(claim("05/online-tiles", "corrections"), 1);
    ck_assert_double_eq(claim("05/look-back", "sum"), 3 + 1 + 4 + 1 + 5 + 9 + 2 + 6);
    ck_assert_double_eq(claim("05/look-back", "used"), 4);
    ck_assert_double_eq(claim("14/attention", "tiles"), 4 * 5 / 2.0);
    ck_assert_double_eq(claim("14/attention", "reads_of_q"), 256 * 16);
    ck_assert_double_eq(claim("14/attention", "reads_of_k"), 10 * 64 * 16);
    ck_assert_double_eq(claim("14/attention", "reads_of_v"), 10 * 64 * 16);
    ck_assert_double_eq(claim("14/attention", "writes_of_o"), 256 * 16);
    ck_assert_double_eq(claim("14/attention-turns", "rest"), 0);
    ck_assert_double_eq(claim("14/attention-turns", "end"), 2 * 4 * 2 * 2);
}
END_TEST

START_TEST(memories_and_waits)
{
    ck_assert_double_eq_tol(claim("03/chip", "shared_bytes_per_cycle"), 128, 0.5);
    ck_assert_double_eq_tol(claim("03/chip", "l2_bytes_per_cycle"), 40960 / (4 * 188.9), 1e-6);
    ck_assert_double_eq(claim("03/chip", "memory_gbps"),
                        cell("results/h200/lecture05/reduction_read.csv", "read alone (the ceiling)", 0, 5, 0));
    ck_assert_double_eq(claim("14/parity", "at_once"), 4);
    ck_assert_double_eq(claim("14/parity", "parity_at_end"), 0);
    ck_assert_double_eq(claim("14/descriptor", "units_per_product"), 16 * 2 / 16); /* 16 elements of bf16 */
    ck_assert_double_eq(claim("14/descriptor", "moved"), 3 * 8);
    ck_assert_double_eq(claim("14/multicast", "kb_from_l2"), (128 * 128 + 256 * 128 / 2) / 1024.0);
    ck_assert_double_eq(claim("14/multicast", "kb_written"), (128 + 256) * 128 / 1024.0);
    ck_assert_double_eq(claim("11/training", "sparse_products"), 2);
    ck_assert_double_eq(claim("14/block-calls", "calls"), 18);
    double weights_ms = 0;
    for (int i = 0; i < 4; i++) {
        static const char *const weight[] = {"gradient of w2", "gradient of w1", "gradient of wo", "gradient of wqkv"};
        weights_ms += cell("results/h100/lecture14/block_parts.csv", weight[i], 0, 4, 0);
    }
    ck_assert_double_eq_tol(claim("14/block-calls", "weights_ms"), weights_ms, 1e-3);
    ck_assert_double_eq(claim("11/sparse-step", "forms_written"), 3); /* W, S and S' */
    /* As lecture11_sparsity/prune24/runtime.cuh numbers them: 6 equal, then 36 complementary, of 90. */
    ck_assert_double_eq(claim("11/kinds", "patterns"), 90);
    ck_assert_double_eq(claim("11/kinds", "equal"), 6);
    ck_assert_double_eq(claim("11/kinds", "none_shared"), 36);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pictures");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, TEST_SECONDS);
    tcase_add_test(all, all_are_readable);
    tcase_add_test(all, sectors_are_what_was_counted);
    tcase_add_test(all, grids_cover_their_elements);
    tcase_add_test(all, lecture_1);
    tcase_add_test(all, banks_are_what_ncu_counted);
    tcase_add_test(all, lecture_5);
    tcase_add_test(all, lecture_11);
    tcase_add_test(all, lecture_14);
    tcase_add_test(all, clocks_of_lecture_14);
    tcase_add_test(all, transformer);
    tcase_add_test(all, memories_and_waits);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
