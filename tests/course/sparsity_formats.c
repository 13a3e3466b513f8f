/* Property tests of common/sparse.h: every format round-trips, every choice is the best by brute force, and what is
 * malformed is refused. Random matrices of many shapes; zeros of both signs, NaN, infinities, subnormals and ties. */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "sparse.h"
#include "types.h"
#include "suite.h"

static const size_t shapes[][2] = {{1, 1},   {1, 64},  {16, 64}, {31, 33},  {32, 128},
                                   {33, 65}, {7, 257}, {64, 1},  {100, 60}, {48, 192}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Plain numbers, few values (ties), and the special ones. */
static uint16_t random_bf16(uint64_t seed, uint64_t i)
{
    static const uint16_t special[] = {0x0000, 0x8000, 0x7fc0, 0xffc1, 0x7f80, 0xff80, 0x0001, 0x8001, 0x3f80, 0xbf80};
    uint64_t r = random_u64(seed, i);
    if (r % 8 == 0)
        return special[(r >> 8) % 10];
    if (r % 8 == 1)
        return (uint16_t)(0x3f80 + (r >> 8) % 3);
    return bf16_from_float((float)(2 * random_uniform(seed + 1, i) - 1));
}

static double magnitude(uint16_t x)
{
    double m = fabs(bf16_to_float(x));
    return isnan(m) || m > 0x1p121 ? 0x1p121 : m;
}

START_TEST(bf16_round_trip)
{
    size_t rows = shapes[_i][0], columns = shapes[_i][1], ld = columns + 3;
    uint16_t *w = malloc(rows * ld * 2), *back = malloc(rows * ld * 2),
             *again = malloc(sparse24_value_count(rows, columns) * 2);
    uint16_t *values = malloc(sparse24_value_count(rows, columns) * 2);
    uint32_t *meta = malloc(sparse24_meta_words(rows, columns) * 4),
             *meta2 = malloc(sparse24_meta_words(rows, columns) * 4);
    for (size_t i = 0; i < rows * ld; i++)
        w[i] = random_bf16(7, i), back[i] = 0xdead;
    memset(values, 0xff, sparse24_value_count(rows, columns) * 2);
    sparse24_compress_bf16(w, rows, columns, ld, values, meta);
    const char *why = "";
    ck_assert_int_eq(sparse24_decompress_bf16(values, meta, rows, columns, back, ld, &why), 0);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < ld; c++) {
            uint16_t got = back[r * ld + c];
            if (c >= columns) {
                ck_assert_uint_eq(got, 0xdead); /* nothing outside the matrix is touched */
                continue;
            }
            size_t g = c / 4 * 4;
            int before = 0; /* those of the group that go before it */
            for (size_t j = g; j < g + 4; j++) {
                unsigned a = j < columns ? w[r * ld + j] & 0x7fff : 0, b = w[r * ld + c] & 0x7fff;
                before += j != c && (a > b || (a == b && j < c));
            }
            ck_assert_uint_eq(got, before < 2 ? w[r * ld + c] : 0);
        }
    ck_assert(sparse24_holds_bf16(back, rows, columns, ld));
    /* a matrix that is 2:4 already comes through unchanged: to and fro once more gives the same matrix */
    sparse24_compress_bf16(back, rows, columns, ld, again, meta2);
    uint16_t *third = calloc(rows * ld, 2);
    ck_assert_int_eq(sparse24_decompress_bf16(again, meta2, rows, columns, third, ld, &why), 0);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            uint16_t a = third[r * ld + c], b = back[r * ld + c];
            ck_assert_msg(a == b || ((a | b) & 0x7fff) == 0, "row %zu column %zu: %04x became %04x", r, c, b, a);
        }
    free(w), free(back), free(again), free(values), free(meta), free(meta2), free(third);
}
END_TEST

START_TEST(s8_round_trip)
{
    size_t rows = shapes[_i][0], columns = shapes[_i][1];
    int8_t *w = malloc(rows * columns), *back = malloc(rows * columns),
           *values = malloc(sparse24_value_count(rows, columns));
    uint32_t *meta = malloc(sparse24_meta_words(rows, columns) * 4);
    for (size_t i = 0; i < rows * columns; i++)
        w[i] = (int8_t)(random_u64(9, i) % 3 ? (int)(random_u64(10, i) % 256) - 128 : (int)(random_u64(10, i) % 5) - 2);
    sparse24_compress_s8(w, rows, columns, columns, values, meta);
    ck_assert_int_eq(sparse24_decompress_s8(values, meta, rows, columns, back, columns, NULL), 0);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            int before = 0;
            for (size_t j = c / 4 * 4; j < c / 4 * 4 + 4; j++) {
                int a = j < columns ? abs(w[r * columns + j]) : 0, b = abs(w[r * columns + c]);
                before += j != c && (a > b || (a == b && j < c));
            }
            ck_assert_int_eq(back[r * columns + c], before < 2 ? w[r * columns + c] : 0);
        }
    free(w), free(back), free(values), free(meta);
}
END_TEST

START_TEST(places_are_one_to_one)
{
    for (size_t bytes = 1; bytes <= 2; bytes++) {
        size_t rows = 48, columns = 192, words = sparse24_meta_words(rows, columns);
        uint32_t *seen = calloc(words, 4);
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < columns; c += 4) {
                size_t word;
                unsigned bit;
                sparse24_place(r, c, columns, bytes, &word, &bit);
                ck_assert_uint_lt(word, words);
                ck_assert_uint_eq(bit % 4, 0);
                ck_assert_uint_eq(seen[word] >> bit & 15, 0); /* nobody was here before */
                seen[word] |= 15u << bit;
            }
        for (size_t i = 0; i < words; i++)
            ck_assert_uint_eq(seen[i], 0xffffffffu);
        free(seen);
    }
    /* 9/16 of dense in 16 bits, 5/8 in 8 */
    ck_assert_uint_eq(sparse24_bytes(256, 512, 2) * 16, 256 * 512 * 2 * 9);
    ck_assert_uint_eq(sparse24_bytes(256, 512, 1) * 8, 256 * 512 * 5);
}
END_TEST

START_TEST(bad_metadata_is_refused)
{
    enum { ROWS = 20, COLUMNS = 72 };
    static uint16_t w[ROWS * COLUMNS], back[ROWS * COLUMNS];
    uint16_t values[1280];
    uint32_t meta[256];
    ck_assert_uint_le(sparse24_value_count(ROWS, COLUMNS), 1280);
    ck_assert_uint_le(sparse24_meta_words(ROWS, COLUMNS), 256);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        w[i] = random_bf16(3, i);
    for (unsigned bad = 0; bad < 16; bad++) {
        if ((bad & 3) < bad >> 2)
            continue; /* these are the six that are valid */
        sparse24_compress_bf16(w, ROWS, COLUMNS, COLUMNS, values, meta);
        size_t word;
        unsigned bit;
        sparse24_place(random_u64(4, bad) % ROWS, random_u64(5, bad) % COLUMNS, COLUMNS, 2, &word, &bit);
        meta[word] = (meta[word] & ~(15u << bit)) | bad << bit;
        const char *why = NULL;
        ck_assert_int_eq(sparse24_decompress_bf16(values, meta, ROWS, COLUMNS, back, COLUMNS, &why), -1);
        ck_assert_ptr_nonnull(why);
        ck_assert_int_eq(sparse24_decompress_bf16(values, meta, ROWS, COLUMNS, back, COLUMNS, NULL), -1);
    }
}
END_TEST

/* The 90 patterns, by counting. */
static int patterns(unsigned pattern[90])
{
    int n = 0;
    for (unsigned k = 0; k < 65536; k++) {
        int valid = 1;
        for (int i = 0; i < 4; i++)
            valid &= __builtin_popcount(k >> 4 * i & 15) == 2 && __builtin_popcount(k >> i & 0x1111) == 2;
        if (valid) {
            if (n < 90)
                pattern[n] = k;
            n++;
        }
    }
    return n;
}

START_TEST(tile_is_the_best_of_90)
{
    unsigned pattern[90], used = 0;
    int count[90] = {0};
    ck_assert_int_eq(patterns(pattern), 90);
    for (uint64_t t = 0; t < 20000; t++) {
        uint16_t w[16];
        for (uint64_t i = 0; i < 16; i++)
            w[i] =
                t % 2 ? random_bf16(11, t * 16 + i) : bf16_from_float((float)(2 * random_uniform(12, t * 16 + i) - 1));
        unsigned kept = sparse24_pick_tile_bf16(w, 4);
        double best = 0, mine = -1;
        for (int p = 0; p < 90; p++) {
            double sum = 0;
            for (int i = 0; i < 16; i++)
                sum += pattern[p] >> i & 1 ? magnitude(w[i]) : 0;
            best = sum > best ? sum : best;
            if (pattern[p] == kept)
                mine = sum, count[p]++;
        }
        ck_assert_msg(mine >= 0, "%04x keeps another number than two in a row or a column", kept);
        ck_assert_msg(mine >= best * (1 - 0x1p-14), "pattern %04x keeps %g, the best keeps %g", kept, mine, best);
    }
    for (int p = 0; p < 90; p++)
        used += count[p] > 0;
    ck_assert_uint_eq(used, 90);
}
END_TEST

START_TEST(both_ways_round_trip)
{
    size_t rows = shapes[_i][0], columns = shapes[_i][1];
    uint16_t *w = malloc(rows * columns * 2), *a = malloc(rows * columns * 2), *b = malloc(rows * columns * 2);
    uint16_t *values = malloc(sparse24_value_count(rows, columns) * 2),
             *values_t = malloc(sparse24_value_count(columns, rows) * 2);
    uint32_t *meta = malloc(sparse24_meta_words(rows, columns) * 4),
             *meta_t = malloc(sparse24_meta_words(columns, rows) * 4);
    for (size_t i = 0; i < rows * columns; i++)
        w[i] = random_bf16(21, i);
    sparse24_compress_both_bf16(w, rows, columns, columns, values, meta, values_t, meta_t);
    const char *why = "";
    ck_assert_int_eq(sparse24_decompress_bf16(values, meta, rows, columns, a, columns, &why), 0);
    ck_assert_int_eq(sparse24_decompress_bf16(values_t, meta_t, columns, rows, b, rows, &why), 0);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            ck_assert_uint_eq(a[r * columns + c], b[c * rows + r]); /* the same matrix, both ways */
            ck_assert(a[r * columns + c] == w[r * columns + c] || a[r * columns + c] == 0);
        }
    ck_assert(sparse24_holds_bf16(a, rows, columns, columns));
    ck_assert(sparse24_holds_bf16(b, columns, rows, rows));
    free(w), free(a), free(b), free(values), free(values_t), free(meta), free(meta_t);
}
END_TEST

START_TEST(csr_round_trip)
{
    size_t rows = shapes[_i][0], columns = shapes[_i][1];
    float *w = malloc(rows * columns * sizeof *w), *back = malloc(rows * columns * sizeof *w);
    for (size_t i = 0; i < rows * columns; i++)
        w[i] = random_u64(31, i) % 3 ? 0 : random_u64(32, i) % 50 ? (float)random_uniform(33, i) : NAN;
    Csr csr;
    ck_assert_int_eq(csr_from_dense(&csr, w, rows, columns), 0);
    ck_assert_ptr_null(csr_problem(&csr));
    csr_to_dense(&csr, back);
    ck_assert_mem_eq(w, back, rows * columns * sizeof *w);
    if (csr.nonzeros > 1) { /* what is malformed is named */
        int keep = csr.column[0];
        csr.column[0] = (int)columns;
        ck_assert_ptr_nonnull(csr_problem(&csr));
        csr.column[0] = -1;
        ck_assert_ptr_nonnull(csr_problem(&csr));
        csr.column[0] = keep;
        csr.nonzeros++;
        ck_assert_ptr_nonnull(csr_problem(&csr));
        csr.nonzeros--;
        ck_assert_ptr_null(csr_problem(&csr));
    }
    csr_free(&csr);
    free(w), free(back);
}
END_TEST

START_TEST(bsr_round_trip)
{
    static const size_t blocks[] = {4, 8, 16, 32};
    size_t block = blocks[_i % 4], rows = block * (1 + (size_t)_i % 3), columns = block * (1 + (size_t)_i % 5);
    uint16_t *w = calloc(rows * columns, 2), *back = malloc(rows * columns * 2);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            if (random_u64(41, r / block * 100 + c / block) % 2)
                w[r * columns + c] = random_bf16(42, r * columns + c);
    for (size_t i = 0; i < rows * columns; i++)
        if (w[i] == 0x8000)
            w[i] = 0; /* a block of nothing but -0.0 is not kept: its sign is not promised */
    Bsr bsr;
    ck_assert_int_eq(bsr_from_dense(&bsr, w, rows, columns, block), 0);
    bsr_to_dense(&bsr, back);
    ck_assert_mem_eq(w, back, rows * columns * 2);
    int *order = malloc(rows / block * sizeof *order), last = 1 << 30;
    bsr_longest_first(&bsr, order);
    for (size_t r = 0; r < rows / block; r++) {
        int length = bsr.row_start[order[r] + 1] - bsr.row_start[order[r]];
        ck_assert_int_le(length, last);
        last = length;
    }
    bsr_free(&bsr);
    free(w), free(back), free(order);
}
END_TEST

START_TEST(masks_drop_what_they_should)
{
    enum { R = 24, C = 32 };
    float w[R * C];
    uint8_t mask[R * C];
    for (size_t i = 0; i < R * C; i++)
        w[i] = (float)(2 * random_uniform(51, i) - 1);
    static const double shares[] = {0, 0.25, 0.5, 0.9, 1};
    for (size_t s = 0; s < 5; s++) {
        ck_assert_int_eq(mask_unstructured(w, R, C, shares[s], mask), 0);
        size_t kept = 0;
        float smallest_kept = INFINITY, largest_dropped = 0;
        for (size_t i = 0; i < R * C; i++) {
            kept += mask[i];
            if (mask[i] && fabsf(w[i]) < smallest_kept)
                smallest_kept = fabsf(w[i]);
            if (!mask[i] && fabsf(w[i]) > largest_dropped)
                largest_dropped = fabsf(w[i]);
        }
        ck_assert_uint_eq(kept, R * C - (size_t)(shares[s] * R * C + 1e-9));
        ck_assert(smallest_kept >= largest_dropped);
        ck_assert_int_eq(mask_rows(w, R, C, shares[s], mask), 0);
        for (size_t r = 0; r < R; r++)
            for (size_t c = 0; c < C; c++)
                ck_assert_uint_eq(mask[r * C + c], mask[r * C]);
        ck_assert_int_eq(mask_blocks(w, R, C, 4, shares[s], mask), 0);
        for (size_t r = 0; r < R; r++)
            for (size_t c = 0; c < C; c++)
                ck_assert_uint_eq(mask[r * C + c], mask[r / 4 * 4 * C + c / 4 * 4]);
    }
    ck_assert_int_eq(mask_n_of_m(w, R, C, 2, 4, mask), 0);
    for (size_t g = 0; g < R * C; g += 4) {
        uint16_t four[4]; /* the same choice as the format's, but for its rounding */
        for (size_t i = 0; i < 4; i++)
            four[i] = bf16_from_float(w[g + i]);
        ck_assert_int_eq(mask[g] + mask[g + 1] + mask[g + 2] + mask[g + 3], 2);
        double kept = 0, other = 0;
        unsigned p = sparse24_pick_bf16(four);
        for (size_t i = 0; i < 4; i++) {
            kept += mask[g + i] ? fabs(w[g + i]) : 0;
            other += i == (p & 3) || i == p >> 2 ? fabs(w[g + i]) : 0;
        }
        ck_assert_double_ge(kept, other - 1e-9);
    }
    memset(mask, 1, sizeof mask);
    ck_assert_double_eq_tol(mask_energy(w, R * C, mask), 1, 1e-12);
    memset(mask, 0, sizeof mask);
    ck_assert_double_eq(mask_energy(w, R * C, mask), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sparse formats");
    TCase *t = tcase_create("properties");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, bf16_round_trip, 0, SHAPES);
    tcase_add_loop_test(t, s8_round_trip, 0, SHAPES);
    tcase_add_test(t, places_are_one_to_one);
    tcase_add_test(t, bad_metadata_is_refused);
    tcase_add_test(t, tile_is_the_best_of_90);
    tcase_add_loop_test(t, both_ways_round_trip, 0, SHAPES);
    tcase_add_loop_test(t, csr_round_trip, 0, SHAPES);
    tcase_add_loop_test(t, bsr_round_trip, 0, 12);
    tcase_add_test(t, masks_drop_what_they_should);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
