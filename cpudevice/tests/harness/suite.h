/* suite.h: what every test program ends with, and how a test says that it cannot run here. */
#ifndef SUITE_H
#define SUITE_H

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* A test may take so many seconds of processor time, which a busy machine does not lengthen; by the clock it has
 * longer, so that one that sleeps for ever ends too. */
enum { TEST_CPU_SECONDS = 300 };
#ifdef LAB_CUDA
enum { TEST_SECONDS = 600 }; /* one that hangs on a GPU takes no processor time */
#else
enum { TEST_SECONDS = 3600 };
#endif

/* Each test is a process of its own, and each has the limit that is set here. */
static inline void limit_cpu_time(unsigned seconds)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur > seconds) {
        limit.rlim_cur = seconds;
        setrlimit(RLIMIT_CPU, &limit);
    }
}

/* Does the compiler tell --check which accesses are volatile? gcc 10 does not, and they are taken for any others. */
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 11
enum { VOLATILE_IS_SEEN = 0 };
#else
enum { VOLATILE_IS_SEEN = 1 };
#endif

/* This test cannot run here, and why: `return test_skip("no gnuplot");`. Check knows no such thing and takes the test
 * for passed; make check reads the line from the file that COURSE_SKIPS names. */
static inline void __attribute__((format(printf, 1, 2), unused)) test_skip(const char *why, ...)
{
    const char *path = getenv("COURSE_SKIPS");
    FILE *f = path ? fopen(path, "a") : NULL;
    va_list args;
    va_start(args, why);
    vfprintf(f ? f : stdout, why, args);
    va_end(args);
    fputc('\n', f ? f : stdout);
    if (f)
        fclose(f);
}

/* A mutant is caught by one failure: with COURSE_FIRST_FAILURE in the environment the tests after the first that fails do
 * nothing. Each test is a process, so the mark that one has begun and not ended is in memory that they share. What a test
 * starts does not see the variable. */
struct FirstFailure {
    pid_t runner;
    volatile int begun;
};
static struct FirstFailure *first_failure;

static inline void first_failure_begin(void)
{
    if (!first_failure || first_failure->runner == getpid()) /* not wanted, or not forked */
        return;
    if (first_failure->begun)
        _exit(0);
    first_failure->begun = 1;
}

static inline void first_failure_end(void)
{
    if (first_failure)
        first_failure->begun = 0;
}

static inline struct FirstFailure *first_failure_wanted(void)
{
    if (!getenv("COURSE_FIRST_FAILURE"))
        return NULL;
    unsetenv("COURSE_FIRST_FAILURE");
    struct FirstFailure *f =
        (struct FirstFailure *)mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (f == MAP_FAILED)
        return NULL;
    f->runner = getpid();
    return f;
}

/* With COURSE_CASE=NAME in the environment only the test case or the test of that name runs: what a mutant's test names
 * behind a blank. What a test starts does not see the variable. */
static const char *case_of_suite; /* that name; cleared when the suite runs, for a test may run a suite of its own */
static const TCase *case_of_that_name;

static inline const char *case_asked(void)
{
    const char *asked = getenv("COURSE_CASE");
    if (asked) {
        case_of_suite = strdup(asked);
        unsetenv("COURSE_CASE");
    }
    return case_of_suite;
}

/* Every test case begins and ends with these, outside of its own fixtures: a test that does nothing makes no files. */
static inline TCase *case_created(TCase *tests, const char *name)
{
    tcase_add_checked_fixture(tests, first_failure_begin, first_failure_end);
    if (case_asked() && strcmp(name, case_asked()) == 0)
        case_of_that_name = tests;
    else if (case_of_that_name == tests) /* one of that name was freed */
        case_of_that_name = NULL;
    return tests;
}

static inline int test_is_asked(const TCase *tests, const char *test)
{
    return !case_asked() || tests == case_of_that_name || strcmp(test, case_asked()) == 0;
}

#undef tcase_add_test
#undef tcase_add_loop_test
#undef tcase_add_exit_test
#define tcase_create(name) case_created(tcase_create(name), name)
#define tcase_add_test(tests, test)                                                                                    \
    (test_is_asked(tests, #test) ? tcase_add_test_raise_signal(tests, test, 0) : (void)0)
#define tcase_add_loop_test(tests, test, from, to)                                                                     \
    (test_is_asked(tests, #test) ? tcase_add_loop_test_raise_signal(tests, test, 0, from, to) : (void)0)
#define tcase_add_exit_test(tests, test, status)                                                                       \
    (test_is_asked(tests, #test) ? tcase_add_loop_exit_test(tests, test, status, 0, 1) : (void)0)

/* Runs the suite (CK_VERBOSITY and CK_FORK are heeded) and frees it. Returns main's exit status. */
static inline int run_suite(Suite *suite)
{
    limit_cpu_time(TEST_CPU_SECONDS);
    struct FirstFailure *before = first_failure; /* of the suite of which this one is a test */
    SRunner *runner = srunner_create(suite);
    first_failure = first_failure_wanted();
    case_of_suite = NULL;
    srunner_run_all(runner, CK_ENV);
    first_failure = before;
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
