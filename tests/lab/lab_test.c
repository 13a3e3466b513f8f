/* lab_test.c: the tests every lab gets without asking. Linked with one lab's object, it verifies each rung on the lab's
 * test sizes (output poisoned with NaN, random input of fixed seed, reference in double) and runs the lab's show().
 * One Check test per rung; CUDA is first touched inside a test, never in the parent. A rung that cannot run here says so
 * by test_skip(), which make check counts apart from what passed. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"
#include "suite.h"

/* Shapes that find index bugs: 1, around a warp, a prime, non-square, not a multiple of a tile. */
static const char *default_sizes(int dims)
{
    switch (dims) {
    case 1: return "1 31 32 33 257 1009 4096";
    case 2: return "1x1 31x33 32x32 33x31 7x257 64x1";
    case 3: return "1x1x1 31x33x32 32x32x32 33x17x65 64x128x96";
    default: return "1x1x1x1 3x5x7x9";
    }
}

static int next_size(const char **p, size_t *dim, int dims)
{
    while (**p == ' ')
        (*p)++;
    if (!**p)
        return 0;
    for (int d = 0; d < dims; d++) {
        char *end;
        dim[d] = strtoull(*p, &end, 10);
        ck_assert_msg(end != *p, "test_sizes is malformed at '%s'", *p);
        *p = end + (d + 1 < dims && *end == 'x');
    }
    return 1;
}

START_TEST(rung_is_right)
{
    const Lab *lab = lab_this();
    const LabRung *r = &lab->rungs[_i];
    int dims = lab_dims(lab), ran = 0, wrong = 0;
    const char *p = lab->test_sizes ? lab->test_sizes : default_sizes(dims);
    char why[512] = "it refuses every test size";
    size_t dim[LAB_MAX_DIMS];
    while (next_size(&p, dim, dims)) {
        LabCase c;
        const char *no = lab_case_make(&c, lab, dim, r->type, 12345, 1);
        ck_assert_msg(!no, "%s rung %d (%s): setup refuses a test size: %s", lab->name, r->number, r->name, no);
        LabVerdict v = lab_verify(r, &c, why, sizeof why);
        lab_case_free(&c);
        if (v == LAB_SKIPPED) {
            test_skip("%s rung %d %s: %s", lab->name, r->number, r->name, why);
            return;
        }
        if (v == LAB_REFUSED)
            continue;
        ran++;
        wrong += v == LAB_FAIL;
        if (!(r->flags & LAB_WRONG))
            ck_assert_msg(v == LAB_PASS, "%s rung %d (%s) at %zux%zux%zu, %s: %s", lab->name, r->number, r->name,
                          dim[0], dims > 1 ? dim[1] : 1, dims > 2 ? dim[2] : 1, lab_type_name(r->type), why);
    }
    ck_assert_msg(ran > 0, "%s rung %d (%s) ran on no test size: %s", lab->name, r->number, r->name, why);
    if (r->flags & LAB_WRONG)
        ck_assert_msg(wrong > 0, "%s rung %d (%s) is kept as a mistake, but passes every test size", lab->name,
                      r->number, r->name);
}
END_TEST

/* show() prints for a classroom; here only its verdict counts. */
START_TEST(show_holds)
{
    static char name[] = "lab", verify[] = "--verify", small[] = "--small";
    char *argv[] = {name, verify, small, NULL};
    Lab lab = *lab_this();
    lab.rungs = NULL;
    lab.rung_count = 0;
    fflush(stdout);
    ck_assert(freopen("/dev/null", "w", stdout) != NULL);
    ck_assert_int_eq(lab_main(&lab, 3, argv), 0);
}
END_TEST

int main(void)
{
    const Lab *lab = lab_this();
    Suite *s = suite_create(lab->name);
    setvbuf(stdout, NULL, _IOLBF, 0);
    /* A test case per rung, named by the rung's number: COURSE_CASE=3 runs that one alone. */
    for (int i = 0; i < lab->rung_count; i++) {
        char *number = NULL; /* Check keeps it */
        if (asprintf(&number, "%d", lab->rungs[i].number) < 0)
            return EXIT_FAILURE;
        TCase *rung = tcase_create(number);
        tcase_set_timeout(rung, TEST_SECONDS);
        tcase_add_loop_test(rung, rung_is_right, i, i + 1);
        suite_add_tcase(s, rung);
    }
    if (lab->show) {
        TCase *show = tcase_create("show");
        tcase_set_timeout(show, TEST_SECONDS);
        tcase_add_test(show, show_holds);
        suite_add_tcase(s, show);
    }
    return run_suite(s);
}
