/* common_test.c: the library every lab uses. Nothing here depends on how long something takes. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "compare.h"
#include "csv.h"
#include "error.h"
#include "image.h"
#include "lab.h"
#include "plot.h"
#include "product.h"
#include "random.h"
#include "stats.h"
#include "table.h"
#include "types.h"
#include "suite.h"

/* ---- compare */

START_TEST(compare_counts_and_places)
{
    float got[6] = {1, 2, 3, 4, 5, 6};
    double expect[6] = {1, 2, 3.5, 4, 5, 7};
    Mismatch m;
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 6, 0.1, 0, &m), 2);
    ck_assert_uint_eq(m.index, 2);
    ck_assert_double_eq(m.got, 3);
    ck_assert_double_eq(m.expected, 3.5);
    ck_assert_double_eq(m.max_error, 1);
    ck_assert_uint_eq(m.checked, 6);
}
END_TEST

START_TEST(compare_catches_nan)
{
    float got[3] = {1, NAN, 3};
    double expect[3] = {1, 2, 3};
    Mismatch m;
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 3, 1e9, 1e9, &m), 1);
    ck_assert_uint_eq(m.index, 1);
    ck_assert(isnan(m.got));
}
END_TEST

START_TEST(compare_special_values)
{
    float got[5] = {NAN, INFINITY, -INFINITY, INFINITY, 5};
    double expect[5] = {NAN, INFINITY, -INFINITY, -INFINITY, NAN};
    Mismatch m;
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 5, 1, 1, &m), 2); /* the wrong infinity, and 5 for NaN */
    ck_assert_uint_eq(m.index, 3);
}
END_TEST

START_TEST(compare_tolerance_is_absolute_plus_relative)
{
    float got[2] = {100.9f, 0.09f};
    double expect[2] = {100, 0};
    Mismatch m;
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 2, 0.1, 0.01, &m), 0);
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 2, 0.1, 0.005, &m), 1);
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 2, 0.05, 0.01, &m), 1);
}
END_TEST

/* An element without expectation must still have been written. */
START_TEST(compare_unchecked_must_be_written)
{
    float got[3] = {1, 2, 3};
    double expect[3] = {1, lab_unchecked(), 3};
    Mismatch m;
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 3, 0, 0, &m), 0);
    ck_assert_uint_eq(m.checked, 2);
    memset(&got[1], 0xff, sizeof got[1]);
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 3, 0, 0, &m), 1);
    ck_assert(!lab_is_unchecked(NAN));
    ck_assert(lab_is_unchecked(lab_unchecked()));
}
END_TEST

START_TEST(compare_poison_is_no_nan)
{
    float got[4] = {NAN, 0, 3, 0};
    double expect[4] = {NAN, NAN, 4, 5};
    Mismatch m;
    memset(&got[1], 0xff, sizeof got[1]);
    memset(&got[3], 0xff, sizeof got[3]);
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 4, 0, 0, &m), 3);
    ck_assert_uint_eq(m.index, 1);
    ck_assert_uint_eq(m.unwritten, 2);
    ck_assert(m.first_unwritten);
    ck_assert_uint_eq(compare(got + 2, LAB_F32, expect + 2, 2, 0, 0, &m), 2);
    ck_assert(!m.first_unwritten);
    expect[0] = expect[1] = lab_untouched();
    ck_assert_uint_eq(compare(got, LAB_F32, expect, 2, 0, 0, &m), 1);
    ck_assert_uint_eq(m.index, 0);
    uint8_t byte = 255; /* an integer has no pattern to spare */
    ck_assert_uint_eq(compare(&byte, LAB_U8, &(double){255}, 1, 0, 0, &m), 0);
}
END_TEST

/* ---- types: every 16-bit pattern goes through float and back */

START_TEST(bf16_and_f16_round_trip)
{
    for (unsigned u = 0; u < 65536; u++) {
        float b = bf16_to_float((uint16_t)u), h = f16_to_float((uint16_t)u);
        if (isnan(b))
            ck_assert(isnan(bf16_to_float(bf16_from_float(b))));
        else
            ck_assert_uint_eq(bf16_from_float(b), u);
        if (isnan(h))
            ck_assert(isnan(f16_to_float(f16_from_float(h))));
        else
            ck_assert_uint_eq(f16_from_float(h), u);
    }
}
END_TEST

/* Nearest, ties to even, by comparing with the two neighbours in double. */
START_TEST(narrow_types_round_to_nearest_even)
{
    for (uint64_t i = 0; i < 200000; i++) {
        float f = (float)((random_uniform(1, i) - 0.5) * ldexp(1, (int)(random_u64(2, i) % 40) - 25));
        for (int half = 0; half < 2; half++) {
            uint16_t r = half ? f16_from_float(f) : bf16_from_float(f);
            double v = half ? f16_to_float(r) : bf16_to_float(r);
            double below = half ? f16_to_float((uint16_t)(r - 1)) : bf16_to_float((uint16_t)(r - 1));
            double above = half ? f16_to_float((uint16_t)(r + 1)) : bf16_to_float((uint16_t)(r + 1));
            double e = fabs(v - f);
            if ((r & 0x7fff) != 0)
                ck_assert(e <= fabs(below - f) && !(e == fabs(below - f) && (r & 1)));
            if (isfinite(above))
                ck_assert(e <= fabs(above - f) && !(e == fabs(above - f) && (r & 1)));
        }
    }
}
END_TEST

START_TEST(integers_saturate)
{
    int8_t s[4];
    uint8_t u[3];
    lab_set(s, LAB_S8, 0, 1000), lab_set(s, LAB_S8, 1, -1000), lab_set(s, LAB_S8, 2, 2.5), lab_set(s, LAB_S8, 3, NAN);
    lab_set(u, LAB_U8, 0, -5), lab_set(u, LAB_U8, 1, 300), lab_set(u, LAB_U8, 2, 254.6);
    ck_assert_int_eq(s[0], 127);
    ck_assert_int_eq(s[1], -128);
    ck_assert_int_eq(s[2], 2);
    ck_assert_int_eq(s[3], 0);
    ck_assert_int_eq(u[0], 0);
    ck_assert_int_eq(u[1], 255);
    ck_assert_int_eq(u[2], 255);
}
END_TEST

/* ---- stats */

START_TEST(stats_of_given_samples)
{
    double odd[5] = {5, 1, 4, 2, 3}, even[4] = {4, 1, 3, 2};
    Stats a = stats_of(odd, 5), b = stats_of(even, 4);
    ck_assert_double_eq(a.median, 3);
    ck_assert_double_eq(a.q1, 2);
    ck_assert_double_eq(a.q3, 4);
    ck_assert_double_eq(a.min, 1);
    ck_assert_double_eq(a.max, 5);
    ck_assert_double_eq(b.median, 2.5);
    ck_assert_double_eq(b.q1, 1.75);
    ck_assert_double_eq(b.q3, 3.25);
    ck_assert_double_eq(odd[0], 5); /* left as they were */
}
END_TEST

/* A machine that slows down to half in mid-run: each pair's ratio is 2, the ratio of medians is not. And one on which
 * every second launch is late by 1: forwards it is b, backwards a. */
START_TEST(paired_ratio_survives_drift)
{
    double a[4] = {2, 2, 4, 8}, b[4] = {1, 1, 2, 4};
    ck_assert_double_eq(stats_paired_ratio(a, b, 4), 2);
    double c[5] = {6, 7, 6, 7, 6}, d[5] = {7, 6, 7, 6, 7};
    ck_assert_double_eq(stats_paired_ratio(c, d, 5), 1);
    ck_assert_double_eq(stats_paired_ratio(a, b, 1), 2);
}
END_TEST

/* ---- bench: the protocol, not the time */

static char order[256];
static void run_a(void *p) { (void)p, strcat(order, "A"); }
static void run_b(void *p) { (void)p, strcat(order, "B"); }
static void between(void *p, int round) { (void)p, (void)round, strcat(order, "|"); }

START_TEST(bench_warms_up_and_interleaves)
{
    double a[3] = {-1, -1, -1}, b[3] = {-1, -1, -1};
    BenchSubject s[2] = {{run_a, NULL, a, 0}, {run_b, NULL, b, 0}};
    BenchOptions o = {.warmups = 2, .rounds = 3, .between = between};
    order[0] = 0;
    bench(s, 2, &o);
    ck_assert_str_eq(order, "AABB|AB|BA|AB");
    ck_assert_int_eq(s[0].runs, 3);
    ck_assert_int_eq(s[1].runs, 3);
    for (int i = 0; i < 3; i++)
        ck_assert(a[i] >= 0 && b[i] >= 0);
    bench_flush_free();
}
END_TEST

START_TEST(bench_slow_subjects_sit_out)
{
    double a[10];
    BenchSubject s[1] = {{run_a, NULL, a, 0}};
    BenchOptions o = {.warmups = 0, .rounds = 10, .budget_ms = 1e-12, .warm = 1};
    order[0] = 0;
    bench(s, 1, &o);
    ck_assert_int_eq(s[0].runs, 3);
    ck_assert_str_eq(order, "AAA");
}
END_TEST

START_TEST(bench_copy_moves_what_it_says)
{
    size_t moved = 0;
    bench_copy(1 << 20, 0, &moved);
    CUDA_CHECK(cudaDeviceSynchronize());
    ck_assert_uint_eq(moved, 1 << 20);
    bench_copy_free();
}
END_TEST

/* ---- random: the same on every machine */

START_TEST(random_is_fixed_and_uniform)
{
    ck_assert_uint_eq(random_u64(1, 0), random_u64(1, 0));
    ck_assert_uint_ne(random_u64(1, 0), random_u64(1, 1));
    ck_assert_uint_ne(random_u64(1, 0), random_u64(2, 0));
    double sum = 0, squares = 0;
    enum { N = 100000 };
    for (int i = 0; i < N; i++) {
        double u = random_uniform(7, (uint64_t)i);
        ck_assert(u >= 0 && u < 1);
        sum += u, squares += u * u;
    }
    ck_assert_double_eq_tol(sum / N, 0.5, 0.01);
    ck_assert_double_eq_tol(squares / N, 1.0 / 3, 0.01);
}
END_TEST

/* ---- images: hostile files are refused with a reason */

static const struct {
    const char *bytes;
    size_t size;
    const char *reason; /* part of it; NULL: it is fine */
} files[] = {
    {"P6\n2 1\n255\nabcdef", 17, NULL},
    {"P5\n# a comment\n2 1\n255\nab", 26, NULL},
    {"P6\n2 1\n255\nabcde", 16, "truncated"},
    {"P6\n0 5\n255\n", 11, "without pixels"},
    {"P6\n99999999 99999999\n255\n", 25, "268435456"},
    {"P6\n999999999999999999999 1\n255\n", 31, "header"},
    {"P6\n-2 1\n255\nabcdef", 18, "header"},
    {"P6\n2 1\n65535\nabcdefabcdef", 25, "maxval"},
    {"P6\n2 1\n0\nabcdef", 15, "maxval"},
    {"P3\n1 1\n255\n1 2 3\n", 17, "P6"},
    {"", 0, "P6"},
    {"P6", 2, "header"},
    {"P6\n# no end", 11, "header"},
};

START_TEST(image_file)
{
    char name[] = "/tmp/image_testXXXXXX";
    int fd = mkstemp(name);
    ck_assert(fd >= 0);
    ck_assert_int_eq(write(fd, files[_i].bytes, files[_i].size), (ssize_t)files[_i].size);
    close(fd);
    Image image;
    const char *why = image_read(name, &image);
    unlink(name);
    if (files[_i].reason) {
        ck_assert_ptr_nonnull(why);
        ck_assert_msg(strstr(why, files[_i].reason) != NULL, "'%s' does not say '%s'", why, files[_i].reason);
        ck_assert_ptr_null(image.pixel);
    } else {
        ck_assert_msg(!why, "%s", why);
        ck_assert_uint_eq(image.width, 2);
        ck_assert_int_eq(image.pixel[0], 'a');
    }
    image_free(&image);
}
END_TEST

/* A header is short: megabytes of comment are refused, not read. */
START_TEST(image_endless_comment)
{
    char name[] = "/tmp/image_testXXXXXX";
    int fd = mkstemp(name);
    FILE *f = fdopen(fd, "w");
    fputs("P6\n#", f);
    for (int i = 0; i < 1 << 17; i++)
        fputc('x', f);
    fputs("\n2 1\n255\nabcdef", f);
    fclose(f);
    Image image;
    const char *why = image_read(name, &image);
    unlink(name);
    ck_assert_str_eq(why ? why : "", "malformed header");
}
END_TEST

START_TEST(image_round_trip)
{
    uint8_t pixels[2 * 3 * 3];
    for (int i = 0; i < 18; i++)
        pixels[i] = (uint8_t)(13 * i);
    Image out = {3, 2, 3, pixels}, in;
    char name[] = "/tmp/image_testXXXXXX";
    close(mkstemp(name));
    ck_assert_ptr_null(image_write(name, &out));
    ck_assert_ptr_null(image_read(name, &in));
    unlink(name);
    ck_assert_uint_eq(in.width, 3);
    ck_assert_uint_eq(in.height, 2);
    ck_assert_int_eq(in.channels, 3);
    ck_assert_mem_eq(in.pixel, pixels, 18);
    image_free(&in);
    ck_assert_ptr_nonnull(image_read("/nonexistent", &in));
    ck_assert_ptr_nonnull(image_write("/nonexistent/x", &out));
}
END_TEST

/* ---- the buffers of a case, typed */

static int launched;
static void launcher(int n) { launched = n; }
typedef void Launcher(int n);

START_TEST(buffers_are_of_their_type)
{
    int in = 0, h_in = 0, out = 0, h_out = 0;
    LabCase c = {.in = {NULL, &in}, .h_in = {NULL, &h_in}, .in_type = {LAB_F32, LAB_S32}};
    c.out = &out, c.h_out = &h_out, c.out_type = LAB_BF16;
    ck_assert_ptr_eq(lab_in_s32(&c, 1), &in);
    ck_assert_ptr_eq(lab_in_u32(&c, 1), &in);
    ck_assert_ptr_eq(lab_h_in_s32(&c, 1), &h_in);
    ck_assert_ptr_eq(lab_out_u16(&c), &out);
    ck_assert_ptr_eq(lab_h_out_u16(&c), &h_out);
    ck_assert_ptr_null(lab_in_s32(&c, 0)); /* was never declared */
    ((Launcher *)(LAB_LAUNCH(Launcher, launcher)))(3);
    ck_assert_int_eq(launched, 3);
}
END_TEST

START_TEST(a_buffer_of_another_type_ends_the_program)
{
    static const Lab lab = {.name = "another"};
    int in = 0;
    LabCase c = {.lab = &lab, .in = {&in}, .in_type = {LAB_S32}};
    first_failure_end(); /* that it exits is no failure */
    lab_in_f32(&c, 0);
}
END_TEST

/* ---- the reference of a product */

START_TEST(product_is_the_sum_of_products)
{
    float A[2 * 3] = {1, 2, 3, 4, 5, 6}, B[3 * 2] = {7, 8, 9, 10, 11, 12}; /* a textbook's example */
    const double expected[] = {58, 64, 139, 154};
    double C[4];
    LabCase c = {.dim = {2, 2, 3}, .dims = 3, .expect = C, .out_count = 4, .out_type = LAB_BF16};
    c.h_in[0] = A, c.in_count[0] = 6;
    c.h_in[1] = B, c.in_count[1] = 6;
    product_cpu(&c);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(C[i], expected[i]);
    ck_assert_double_eq(product_flops(&c), 24);
    ck_assert_double_eq(product_bytes(&c), 4 * 12 + 2 * 4);
}
END_TEST

START_TEST(product_by_columns)
{
    uint16_t A[2 * 3];
    int8_t B[2 * 3] = {7, 9, 11, 8, 10, 12}; /* the same, column after column */
    const double expected[] = {58, 64, 139, 154};
    double C[4];
    for (int i = 0; i < 6; i++)
        A[i] = bf16_from_float((float)(i + 1));
    LabCase c = {.dim = {2, 2, 3}, .dims = 3, .expect = C, .out_count = 4, .in_type = {LAB_S8, LAB_F32, LAB_BF16}};
    c.h_in[2] = A, c.in_count[2] = 6;
    c.h_in[0] = B, c.in_count[0] = 6;
    product_cpu_of(&c, 2, 0, 1);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(C[i], expected[i]);
}
END_TEST

/* ---- table */

START_TEST(table_aligns_and_drops_empty_columns)
{
    char text[512] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    Table *t = table_new("name|>n|>empty|note");
    table_cell(t, "a"), table_cell(t, "%d", 5), table_cell(t, "%s", ""), table_cell(t, "x");
    table_cell(t, "\u00fcber"), table_cell(t, "%d", 1000), table_cell(t, "%s", ""), table_cell(t, "y");
    table_print(t, f, 2);
    table_free(t);
    fclose(f);
    ck_assert_str_eq(text, "  name     n  note\n  a        5  x\n  \u00fcber  1000  y\n");
}
END_TEST

START_TEST(a_row_is_its_cells)
{
    char text[512] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    Table *t = table_new("name|>n|note");
    table_row(t, "a|%d|%s", 5, "x");
    table_row(t, "b||y");
    table_csv(t, f);
    table_free(t);
    fclose(f);
    ck_assert_str_eq(text, "name,n,note\na,5,x\nb,,y\n");
}
END_TEST

/* ---- lines of a CSV */

START_TEST(csv_cells_lose_their_quotes)
{
    static const struct {
        const char *line;
        int most, count;
        const char *cell[5];
    } lines[] = {{"a,b,c\r\n", 5, 3, {"a", "b", "c"}},
                 {",,", 5, 3, {"", "", ""}},
                 {"", 5, 1, {""}},
                 {"\"k<a, b>\",1x1x1,,\"why, so\"\n", 5, 4, {"k<a, b>", "1x1x1", "", "why, so"}},
                 {"\"ended while it was wri", 5, 1, {"\"ended while it was wri"}},
                 {"a,b,c,d", 3, 3, {"a", "b", "c"}},
                 {"5\" pipe,b", 5, 2, {"5\" pipe", "b"}}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char copy[64], *cell[5];
        snprintf(copy, sizeof copy, "%s", lines[i].line);
        ck_assert_int_eq(csv_split(copy, cell, lines[i].most), lines[i].count);
        for (int k = 0; k < lines[i].count; k++)
            ck_assert_str_eq(cell[k], lines[i].cell[k]);
    }
}
END_TEST

START_TEST(setup_kernels_are_known_by_their_name)
{
    ck_assert(csv_is_setup("setup_fill") && csv_is_setup("void setup_fill<float>"));
    ck_assert(!csv_is_setup("set_up") && !csv_is_setup("fill_setup_") && !csv_is_setup("void fill") &&
              !csv_is_setup(""));
}
END_TEST

START_TEST(times_get_units)
{
    char b[32];
    ck_assert_str_eq(format_ms(0.00321, b), "3.21 us");
    ck_assert_str_eq(format_ms(0.8712, b), "0.871 ms");
    ck_assert_str_eq(format_ms(12.345, b), "12.35 ms");
    ck_assert_str_eq(format_ms(1300, b), "1.30 s");
}
END_TEST

/* ---- plots: both files, in both formats, where gnuplot is */

START_TEST(plot_draws_svg_and_png)
{
    if (!plot_available()) {
        test_skip("plots as files: no gnuplot");
        return;
    }
    char dir[] = "/tmp/plot_testXXXXXX", base[64], file[80];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(base, sizeof base, "%s/with_underscore", dir);
    const char *names[2] = {"rung_1", "quote \" and {brace}"};
    double values[2] = {1, 2};
    ck_assert_int_eq(plot_bars("title_1", "GB/s", names, values, 2, base), 0);
    for (int png = 0; png < 2; png++) {
        snprintf(file, sizeof file, "%s.%s", base, png ? "png" : "svg");
        FILE *f = fopen(file, "r");
        ck_assert_msg(f != NULL, "%s is missing", file);
        char head[4096] = "";
        size_t n = fread(head, 1, sizeof head - 1, f);
        fclose(f);
        unlink(file);
        ck_assert_uint_gt(n, 100);
        if (png)
            ck_assert_mem_eq(head, "\x89PNG", 4);
        else
            ck_assert_ptr_nonnull(strstr(head, "<svg"));
    }
    rmdir(dir);
    ck_assert_int_eq(plot_bars("t", "u", names, values, 2, "/nonexistent/x"), -1);
}
END_TEST

/* What stands in a name is text: gnuplot must neither run it nor take it for the end of a line. */
START_TEST(plot_runs_nothing_that_a_name_says)
{
    if (!plot_available()) {
        test_skip("hostile names: no gnuplot");
        return;
    }
    char dir[] = "/tmp/plotXXXXXX", base[64], file[80], name[5][128];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    static const char *const form[] = {"`touch %s/run`", "x\" `touch %s/run` \"", "x' ; system('touch %s/run') ; y='",
                                       "x\nsystem('touch %s/run')\n", "\\\"; system('touch %s/run') #"};
    const char *names[5];
    double values[5] = {1, 2, 3, 4, 5};
    for (int i = 0; i < 5; i++) {
        snprintf(name[i], sizeof name[i], form[i], dir);
        names[i] = name[i];
    }
    for (int i = 0; i < 5; i++) {
        snprintf(base, sizeof base, "%s/a ' `b` %d", dir, i);
        int drawn = plot_bars(name[i], name[(i + 1) % 5], names, values, 5, base);
        Plot lines = {.title = name[i],
                      .xlabel = name[i],
                      .ylabel = name[i],
                      .count = 1,
                      .series = &(PlotSeries){name[i], values, values, 5, 0}};
        drawn |= plot_lines(&lines, base);
        ck_assert_int_eq(drawn, 0);
        for (int png = 0; png < 2; png++) {
            snprintf(file, sizeof file, "%s.%s", base, png ? "png" : "svg");
            ck_assert_int_eq(unlink(file), 0);
        }
    }
    snprintf(file, sizeof file, "%s/run", dir);
    ck_assert_int_ne(access(file, F_OK), 0);
    ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

/* Bars of text: a negative value has none. */
START_TEST(plot_of_negative_values)
{
    const char *names[2] = {"up", "down"};
    double values[2] = {4, -5}, below[2] = {-1, -2};
    char text[512] = "";
    FILE *f = tmpfile();
    fflush(stdout);
    int out = dup(1);
    dup2(fileno(f), 1);
    int drawn = plot_bars("t", "s", names, values, 2, NULL) | plot_bars("t", "s", names, below, 2, NULL);
    fflush(stdout);
    dup2(out, 1);
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    ck_assert_int_eq(drawn, 0);
    ck_assert_ptr_nonnull(strstr(text, "    down   -5 s\n"));
    ck_assert_ptr_nonnull(strstr(text, "    up     -1 s\n    down   -2 s\n"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("common");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, compare_counts_and_places);
    tcase_add_test(t, compare_catches_nan);
    tcase_add_test(t, compare_special_values);
    tcase_add_test(t, compare_tolerance_is_absolute_plus_relative);
    tcase_add_test(t, compare_unchecked_must_be_written);
    tcase_add_test(t, compare_poison_is_no_nan);
    tcase_add_test(t, bf16_and_f16_round_trip);
    tcase_add_test(t, narrow_types_round_to_nearest_even);
    tcase_add_test(t, integers_saturate);
    tcase_add_test(t, stats_of_given_samples);
    tcase_add_test(t, paired_ratio_survives_drift);
    tcase_add_test(t, bench_warms_up_and_interleaves);
    tcase_add_test(t, bench_slow_subjects_sit_out);
    tcase_add_test(t, bench_copy_moves_what_it_says);
    tcase_add_test(t, random_is_fixed_and_uniform);
    tcase_add_loop_test(t, image_file, 0, LAB_COUNT(files));
    tcase_add_test(t, image_endless_comment);
    tcase_add_test(t, image_round_trip);
    tcase_add_test(t, buffers_are_of_their_type);
    tcase_add_exit_test(t, a_buffer_of_another_type_ends_the_program, 1);
    tcase_add_test(t, product_is_the_sum_of_products);
    tcase_add_test(t, product_by_columns);
    tcase_add_test(t, table_aligns_and_drops_empty_columns);
    tcase_add_test(t, a_row_is_its_cells);
    tcase_add_test(t, csv_cells_lose_their_quotes);
    tcase_add_test(t, setup_kernels_are_known_by_their_name);
    tcase_add_test(t, times_get_units);
    tcase_add_test(t, plot_draws_svg_and_png);
    tcase_add_test(t, plot_runs_nothing_that_a_name_says);
    tcase_add_test(t, plot_of_negative_values);
    suite_add_tcase(s, t);
    return run_suite(s);
}
