/* time_limits.c: what loops for ever is ended by its processor time, however busy the machine is, and what only waits
 * is not: the tests of a suite (suite.h) and the programs that make check starts (tools/course/process.h). A suite that is
 * run on a mutant ends at its first failure. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The tool is a program of its own; what is tested here needs these two files of it. */
#include "../../tools/course/process.c"
#include "../../tools/course/support.c"
#include "suite.h"

enum { CPU_LIMIT_S = 1, LONG_S = 1500 }; /* nothing here may come near the second, by the clock */

/* Of the time that a limit counts, so much is accounted for at least: on a busy virtual machine the limit counts what the
 * host has taken away, and the usage that is asked for afterwards does not. */
static const double ACCOUNTED = 0.1;

static double cpu_seconds_of_children(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static const struct {
    const char *command;
    int cpu_limit_s, wall_limit_s, idle_limit_s, status;
    double least_cpu_s, most_cpu_s; /* that it had, as roughly as it is accounted for */
} jobs[] = {
    {"while :; do :; done", CPU_LIMIT_S, LONG_S, 0, 124, CPU_LIMIT_S, CPU_LIMIT_S + 0.5},
    {"sleep 2", CPU_LIMIT_S, LONG_S, 0, 0, 0, CPU_LIMIT_S},
    {"sleep 1000", 0, 1, 0, 124, 0, CPU_LIMIT_S},
    {"exit 3", CPU_LIMIT_S, LONG_S, 0, 3, 0, CPU_LIMIT_S},
    /* what hangs has no CPU time at all; what works now and then, in a child of its own, has */
    {"sleep 1000", 0, LONG_S, 2, 124, 0, CPU_LIMIT_S},
    {"for s in 1 2 3 4 5; do (i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; sleep 1); done; exit 3", 0, LONG_S, 3,
     3, 0, LONG_S},
    /* one process after another stays below its limit, and all of them do not: whatever the clock says */
    {"while :; do (i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done); done", CPU_LIMIT_S, 0, 2, 124, CPU_LIMIT_S,
     2 * IN_ALL *CPU_LIMIT_S},
    {"sleep 6; exit 3", CPU_LIMIT_S, 0, 60, 3, 0, CPU_LIMIT_S},
};

START_TEST(job)
{
    Job job = {.cpu_limit_s = jobs[_i].cpu_limit_s,
               .wall_limit_s = jobs[_i].wall_limit_s,
               .idle_limit_s = jobs[_i].idle_limit_s};
    const char *words[] = {"sh", "-c", jobs[_i].command};
    for (int i = 0; i < 3; i++)
        list_add(&job.command, words[i]);
    ck_assert_int_eq(job_run(&job), jobs[_i].status);
    double cpu_s = cpu_seconds_of_children();
    ck_assert_double_ge(cpu_s, ACCOUNTED * jobs[_i].least_cpu_s);
    ck_assert_double_le(cpu_s, jobs[_i].most_cpu_s);
    job_free(&job);
}
END_TEST

/* Two jobs, one at once, two while the core is idle; $FILE is not there at first. */
static const struct {
    const char *first, *second;
} pairs[] = {
    /* the first waits for the second */
    {"while [ ! -e \"$FILE\" ]; do sleep 1; done", ": >\"$FILE\""},
    /* the first works, so that the second waits for it */
    {"i=0; while [ $i -lt 1500000 ]; do i=$((i + 1)); done; : >\"$FILE\"", "[ -e \"$FILE\" ]"},
};

START_TEST(beside_what_waits)
{
    char folder[] = "/tmp/time_limits.XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char *set = text("FILE=%s/file", folder);
    const char *commands[] = {pairs[_i].first, pairs[_i].second};
    Job two[2] = {{.idle_limit_s = 20, .wall_limit_s = LONG_S}, {.idle_limit_s = 20, .wall_limit_s = LONG_S}};
    for (int i = 0; i < 2; i++) {
        const char *words[] = {"sh", "-c", commands[i]};
        for (int k = 0; k < 3; k++)
            list_add(&two[i].command, words[k]);
        list_add(&two[i].set, set);
    }
    jobs_run(two, 2, 1, 2, NULL);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(two[i].status, 0);
        job_free(&two[i]);
    }
    unlink(set + strlen("FILE=")), rmdir(folder), free(set);
}
END_TEST

START_TEST(loops_for_ever)
{
    for (volatile unsigned i = 0;; i++)
        ;
}
END_TEST

START_TEST(waits) { sleep(2); }
END_TEST

/* A runner of a suite within this one, which does not write to this one's file of TAP. */
static SRunner *runner_within(Suite *s)
{
    unsetenv("CK_TAP_LOG_FILE_NAME");
    SRunner *runner = srunner_create(s);
    srunner_set_fork_status(runner, CK_FORK);
    return runner;
}

/* The outcome of a suite of that one test: what Check says of its failure, or "". */
static char *outcome(const TTest *test)
{
    Suite *s = suite_create("within a suite");
    TCase *t = tcase_create("one");
    tcase_set_timeout(t, LONG_S);
    tcase_add_test(t, test);
    suite_add_tcase(s, t);
    SRunner *runner = runner_within(s);
    limit_cpu_time(CPU_LIMIT_S);
    struct FirstFailure *outer = first_failure;
    first_failure = NULL; /* what fails in there is no failure out here */
    srunner_run_all(runner, CK_SILENT);
    first_failure = outer;
    TestResult **failed = srunner_failures(runner);
    char *says = copy(srunner_ntests_failed(runner) ? tr_msg(failed[0]) : "");
    free(failed);
    srunner_free(runner);
    return says;
}

START_TEST(test_of_a_suite)
{
    char *says = outcome(loops_for_ever);
    ck_assert_msg(strstr(says, "CPU") != NULL, "a test that loops: '%s'", says);
    ck_assert_double_ge(cpu_seconds_of_children(), ACCOUNTED * CPU_LIMIT_S);
    free(says);
    says = outcome(waits);
    ck_assert_str_eq(says, "");
    free(says);
}
END_TEST

START_TEST(passes) {}
END_TEST

START_TEST(fails) { ck_abort_msg("as it must"); }
END_TEST

/* Of three tests, of which the last two would fail, so many do; `ran`: so many are run. */
static int failures(int *ran)
{
    Suite *s = suite_create("within a suite");
    TCase *t = tcase_create("three");
    tcase_add_test(t, passes);
    tcase_add_test(t, fails);
    tcase_add_test(t, fails);
    suite_add_tcase(s, t);
    SRunner *runner = runner_within(s);
    struct FirstFailure *outer = first_failure;
    first_failure = first_failure_wanted();
    srunner_run_all(runner, CK_SILENT);
    first_failure = outer;
    int failed = srunner_ntests_failed(runner);
    *ran = srunner_ntests_run(runner);
    srunner_free(runner);
    return failed;
}

START_TEST(first_failure_ends_a_suite)
{
    int ran;
    ck_assert_int_eq(failures(&ran), 2);
    setenv("COURSE_FIRST_FAILURE", "1", 1);
    ck_assert_int_eq(failures(&ran), 1);
    ck_assert_ptr_null(getenv("COURSE_FIRST_FAILURE"));
}
END_TEST

/* A test case or a test is asked for by its name. */
START_TEST(one_case_of_a_suite)
{
    static const struct {
        const char *name;
        int ran, failed;
    } asked[] = {{"three", 3, 2}, {"passes", 1, 0}, {"fails", 2, 2}, {"none", 0, 0}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        int ran;
        setenv("COURSE_CASE", asked[i].name, 1);
        ck_assert_int_eq(failures(&ran), asked[i].failed);
        ck_assert_int_eq(ran, asked[i].ran);
        ck_assert_ptr_null(getenv("COURSE_CASE"));
    }
}
END_TEST

/* What it says of a mutant, if that has a test that tests nothing: a script that fails for want of such a case, a program
 * without such a case, and one that skips its test. */
static const struct {
    const char *test, *said;
} of_nothing[] = {
    {"cpudevice/tests/compiler/lexer.sh none", "BROKEN: its test has tested nothing"},
    {"tests/course/time_limits none", "BROKEN: its test has tested nothing"},
    {"tests/course/time_limits skips_where_asked", "SKIPPED: its test cannot run here"},
};

START_TEST(mutant_of_a_test_of_nothing)
{
    char *command = text("f=$(mktemp); printf '# file: README.md\\n# test: %s\\ns/a/b/\\n' >$f; export SKIPS_HERE=1; "
                         "tools/course.sh mutants --one $f; rm $f",
                         of_nothing[_i].test);
    char *said = output_of_shell(command);
    ck_assert_ptr_nonnull(said);
    ck_assert_msg(strstr(said, of_nothing[_i].said), "%s: %s", of_nothing[_i].test, said);
    free(command), free(said);
}
END_TEST

/* The one test of another's that skips. */
START_TEST(skips_where_asked)
{
    if (getenv("SKIPS_HERE"))
        test_skip("asked to");
}
END_TEST

/* However much it prints: what make lists as tests comes this way. */
START_TEST(output)
{
    char *said = output_of_shell("i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i + 1)); done");
    ck_assert_ptr_nonnull(strstr(said, "line 1999"));
    ck_assert_uint_eq(strlen(said), 2000 * strlen("line ") + 10 + 2 * 90 + 3 * 900 + 4 * 1000 + 1999);
    free(said);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("time limits");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, job, 0, sizeof jobs / sizeof jobs[0]);
    tcase_add_loop_test(t, beside_what_waits, 0, sizeof pairs / sizeof pairs[0]);
    tcase_add_test(t, test_of_a_suite);
    tcase_add_test(t, first_failure_ends_a_suite);
    tcase_add_test(t, one_case_of_a_suite);
    tcase_add_loop_test(t, mutant_of_a_test_of_nothing, 0, sizeof of_nothing / sizeof of_nothing[0]);
    tcase_add_test(t, skips_where_asked);
    tcase_add_test(t, output);
    suite_add_tcase(s, t);
    return run_suite(s);
}
