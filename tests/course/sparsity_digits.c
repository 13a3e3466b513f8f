/* Readers of digits against files that are not what they should be: each is refused with one line that names the file,
 * and nothing is left allocated. And the real file, whole. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digits.h"
#include "suite.h"

static char why[512];

/* A file of `bytes` bytes in a place of its own; its name. */
static const char *file_of(const void *data, size_t bytes)
{
    static char name[8][64];
    static int next;
    char *path = name[next++ % 8];
    strcpy(path, "/tmp/digits_test_XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq((int)write(fd, data, bytes), (int)bytes);
    close(fd);
    return path;
}

static void refused_csv(const char *text, const char *expected)
{
    Digits d;
    const char *path = file_of(text, strlen(text));
    why[0] = 0;
    ck_assert_int_eq(digits_read_csv(path, &d, why, sizeof why), -1);
    ck_assert_msg(strstr(why, path) && strstr(why, expected) && !strchr(why, '\n'),
                  "reason is '%s', should speak of '%s'", why, expected);
    ck_assert_ptr_null(d.pixels);
    ck_assert_ptr_null(d.label);
    unlink(path);
}

/* "0,0,...,0,7" of `values` values. */
static const char *line_of(int values, const char *last)
{
    static char line[2048];
    char *p = line;
    for (int i = 0; i + 1 < values; i++)
        p += sprintf(p, "%d,", i % 17);
    sprintf(p, "%s", last);
    return line;
}

START_TEST(csv_refusals)
{
    Digits d;
    char text[4096];
    ck_assert_int_eq(digits_read_csv("/nowhere/at/all.csv", &d, why, sizeof why), -1);
    refused_csv("", "no digits");
    refused_csv("\n", "pixel 1");
    refused_csv(line_of(64, "3\n"), "pixel 64");
    refused_csv(line_of(66, "3\n"), "65th");
    refused_csv(line_of(65, "10\n"), "65th");
    refused_csv(line_of(65, "-1\n"), "65th");
    refused_csv(line_of(65, "x\n"), "65th");
    refused_csv(line_of(65, "3 \n"), "65th");
    refused_csv("17,0\n", "pixel 1");
    refused_csv("1e0,\n", "pixel 1");
    refused_csv("99999999999999999999,\n", "pixel 1");
    refused_csv(" 1,2\n", "pixel 1");
    snprintf(text, sizeof text, "%s\n%s", line_of(65, "5"), "oops\n");
    refused_csv(text, ":2:");
    memset(text, '1', 3000);
    text[3000] = 0;
    refused_csv(text, "too long");
}
END_TEST

START_TEST(csv_accepts)
{
    Digits d;
    char text[4096];
    snprintf(text, sizeof text, "%s", line_of(65, "5\r\n")); /* line ends of DOS, and no line end at the last */
    strcat(text, line_of(65, "0"));
    const char *path = file_of(text, strlen(text));
    ck_assert_msg(digits_read_csv(path, &d, why, sizeof why) == 0, "%s", why);
    ck_assert_uint_eq(d.count, 2);
    ck_assert_uint_eq(d.label[0], 5);
    ck_assert_uint_eq(d.label[1], 0);
    ck_assert(d.pixels[64 + 16] == 1.0f && d.pixels[8] == 0.5f);
    digits_free(&d);
    unlink(path);
}
END_TEST

START_TEST(csv_of_the_course)
{
    Digits d;
    ck_assert_msg(digits_read_csv("data/optdigits.csv", &d, why, sizeof why) == 0, "%s (run from the course's folder)",
                  why);
    ck_assert_uint_eq(d.count, 1797);
    double sum = 0, sum_after = 0;
    int labels[10] = {0}, labels_after[10] = {0};
    for (size_t i = 0; i < d.count; i++)
        labels[d.label[i]]++;
    for (size_t i = 0; i < d.count * 64; i++)
        sum += d.pixels[i] * 16;
    digits_shuffle(&d, 1);
    for (size_t i = 0; i < d.count; i++)
        labels_after[d.label[i]]++;
    for (size_t i = 0; i < d.count * 64; i++)
        sum_after += d.pixels[i] * 16;
    ck_assert(sum == sum_after); /* whole numbers: exact */
    ck_assert_mem_eq(labels, labels_after, sizeof labels);
    for (int k = 0; k < 10; k++)
        ck_assert_int_gt(labels[k], 150);
    digits_free(&d);
}
END_TEST

/* Two images of 3 x 2, and their labels. */
static unsigned char image[16 + 12] = {0, 0, 8, 3,  0,   0,   0,   2,   0, 0, 0, 3, 0, 0,
                                       0, 2, 0, 51, 102, 153, 204, 255, 1, 2, 3, 4, 5, 6};
static unsigned char label[8 + 2] = {0, 0, 8, 1, 0, 0, 0, 2, 9, 0};

static int read_idx(const unsigned char *images, size_t image_bytes, const unsigned char *labels, size_t label_bytes,
                    Digits *d)
{
    const char *a = file_of(images, image_bytes), *b = file_of(labels, label_bytes);
    why[0] = 0;
    int failed = digits_read_idx(a, b, d, why, sizeof why);
    ck_assert(failed ? why[0] && !strchr(why, '\n') && !d->pixels && !d->label : 1);
    unlink(a), unlink(b);
    return failed;
}

START_TEST(idx_accepts)
{
    Digits d;
    ck_assert_msg(read_idx(image, sizeof image, label, sizeof label, &d) == 0, "%s", why);
    ck_assert_uint_eq(d.count, 2);
    ck_assert_uint_eq(d.rows, 3);
    ck_assert_uint_eq(d.columns, 2);
    ck_assert(d.pixels[5] == 1.0f && d.pixels[0] == 0 && d.pixels[1] == 0.2f && d.label[0] == 9);
    digits_free(&d);
}
END_TEST

START_TEST(idx_refusals)
{
    Digits d;
    unsigned char bad[sizeof image], bad_label[sizeof label];
    static const unsigned char gzip[] = {0x1f, 0x8b, 8, 0, 0, 0};
    ck_assert_int_eq(digits_read_idx("/nowhere/images", "/nowhere/labels", &d, why, sizeof why), -1);
    ck_assert_int_eq(read_idx(gzip, sizeof gzip, label, sizeof label, &d), -1);
    ck_assert_ptr_nonnull(strstr(why, "gunzip"));
    ck_assert_int_eq(read_idx(image, 0, label, sizeof label, &d), -1);
    for (size_t bytes = 0; bytes < sizeof image; bytes++) /* cut short at every place */
        ck_assert_int_eq(read_idx(image, bytes, label, sizeof label, &d), -1);
    for (size_t bytes = 0; bytes < sizeof label; bytes++)
        ck_assert_int_eq(read_idx(image, sizeof image, label, bytes, &d), -1);
    for (size_t i = 0; i < 16; i++) /* every byte of the header spoilt: too many, too large, or another kind */
        for (unsigned v = 0; v < 256; v += 5) {
            memcpy(bad, image, sizeof image);
            if (bad[i] == v)
                continue;
            bad[i] = (unsigned char)v;
            ck_assert_msg(read_idx(bad, sizeof bad, label, sizeof label, &d) == -1, "byte %zu as %u is accepted", i, v);
        }
    memcpy(bad_label, label, sizeof label);
    bad_label[8] = 10;
    ck_assert_int_eq(read_idx(image, sizeof image, bad_label, sizeof bad_label, &d), -1);
    ck_assert_ptr_nonnull(strstr(why, "label 1 is 10"));
    memcpy(bad_label, label, sizeof label);
    bad_label[7] = 1;
    ck_assert_int_eq(read_idx(image, sizeof image, bad_label, sizeof bad_label - 1, &d), -1);
    ck_assert_ptr_nonnull(strstr(why, "1 labels for 2 images"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("digits");
    TCase *t = tcase_create("files");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, csv_refusals);
    tcase_add_test(t, csv_accepts);
    tcase_add_test(t, csv_of_the_course);
    tcase_add_test(t, idx_accepts);
    tcase_add_test(t, idx_refusals);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
