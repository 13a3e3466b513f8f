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
    ck_assert_int_ge((int)found.gl_pathc, 6);
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

/* Nsight Compute's sectors over its requests, of a kernel of tests/counters. */
static double ncu_sectors(const char *kernel)
{
    const char *file = "results/h200/counters.csv";
    return cell(file, kernel, 0, 2, 1) / cell(file, kernel, 0, 2, 0);
}

START_TEST(sectors_are_what_was_counted)
{
    const char *counted = "results/cpu/lecture03-square_grid-counters.csv";
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

int main(void)
{
    Suite *suite = suite_create("pictures");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, all_are_readable);
    tcase_add_test(all, sectors_are_what_was_counted);
    tcase_add_test(all, grids_cover_their_elements);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
