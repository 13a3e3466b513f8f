/* litmus.c: the checker's verdicts on cpudevice/tests/checker/litmus/litmus.cu: a race is reported, what is right is not, and a look before
 * an atomic is a note. Each runs with 1, 2 and 4 workers (CHECK_ALL=1: 20 times with each), once more with
 * the last block and thread first, and all of them beside a loop of compilations. */
#define _POSIX_C_SOURCE 200809L
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

enum { TESTS = 512 };
static const int workers[] = {1, 2, 4};
static struct {
    char name[64], verdict[16];
} tests[TESTS];
static int count;

static void read_table(void)
{
    char line[256];
    FILE *f = fopen("cpudevice/tests/checker/litmus/table.inc", "r");
    while (f && count < TESTS && fgets(line, sizeof line, f))
        count += sscanf(line, "%15[A-Z](%63[a-z0-9_],", tests[count].verdict, tests[count].name) == 2;
    if (f)
        fclose(f);
}

static int uses_volatile(const char *name) { return strstr(name, "volatile") || !strncmp(name, "shared_", 7); }

static void build(void)
{
    ck_assert_int_eq(system("mkdir -p build/cpu/tests && . cpudevice/tests/harness/build_kept.sh && build_kept "
                            "build/cpu/tests/litmus_kernels cpudevice/tests/checker/litmus/litmus.cu '--check -O1'"),
                     0);
}

/* Errors and notes that one run tells; -1 if it does not end as it should. Where the compiler does not tell what is
 * volatile, races are only noted near it, unless that is forbidden. */
static int told(const char *name, int with, const char *want, const char *order, int *notes)
{
    char command[512], line[256];
    const char *strict = !VOLATILE_IS_SEEN && !strcmp(want, "RACE") ? "CUDA_CPU_STRICT=1 " : "";
    int errors = -1;
    snprintf(command, sizeof command,
             "%sCUDA_CPU_WORKERS=%d CUDA_CPU_ORDER=%s CUDA_CPU_WATCHDOG=30 timeout 120 build/cpu/tests/litmus_kernels "
             "%s 2>&1",
             strict, with, order, name);
    FILE *p = popen(command, "r");
    ck_assert_ptr_nonnull(p);
    *notes = 0;
    while (fgets(line, sizeof line, p)) {
        const char *more = strstr(line, "), ");
        if (sscanf(line, "cucc --check: %d error", &errors) == 1 && more)
            sscanf(more + 3, "%d note", notes);
    }
    int status = pclose(p);
    return WIFEXITED(status) && WEXITSTATUS(status) == (errors ? 99 : 0) ? errors : -1;
}

static void as_it_should(const char *name, const char *want, int with, const char *order)
{
    int notes, errors = told(name, with, want, order, &notes);
    int right = !strcmp(want, "RACE") ? errors > 0 : errors == 0 && (notes > 0) == !strcmp(want, "NOTE");
    ck_assert_msg(right, "%s (%s) with %d workers, %s: %d errors, %d notes", name, want, with, order, errors, notes);
}

START_TEST(verdict)
{
    const char *name = tests[_i].name, *want = tests[_i].verdict;
    const char *all = getenv("CHECK_ALL");
    int rounds = all && *all ? 60 : 3;
    if (!VOLATILE_IS_SEEN && uses_volatile(name)) {
        test_skip("%s: this compiler does not tell which accesses are volatile", name);
        return;
    }
    for (int k = 0; k < rounds; k++)
        as_it_should(name, want, workers[k % 3], "forward");
    as_it_should(name, want, 1, "reverse");
}
END_TEST

/* The same while the machine is busy with something else. */
START_TEST(beside_compilations)
{
    enum { LOOPS = 3 };
    pid_t loops[LOOPS];
    for (int i = 0; i < LOOPS; i++) {
        loops[i] = fork();
        ck_assert_int_ge(loops[i], 0);
        if (loops[i] == 0) {
            setpgid(0, 0);
            execlp(
                "sh", "sh", "-c", /* it ends with the test, however that ends */
                "while kill -0 $PPID; do echo '#include <algorithm>' | ${CXX:-g++} -O2 -x c++ -S -o /dev/null -; done",
                (char *)NULL);
            _exit(127);
        }
        setpgid(loops[i], loops[i]);
    }
    for (int i = 0; i < count; i++)
        if (VOLATILE_IS_SEEN || !uses_volatile(tests[i].name))
            as_it_should(tests[i].name, tests[i].verdict, 4, "forward");
    for (int i = 0; i < LOOPS; i++) {
        kill(-loops[i], SIGKILL);
        waitpid(loops[i], NULL, 0);
    }
}
END_TEST

START_TEST(every_verdict_is_there)
{
    int kinds[3] = {0};
    for (int i = 0; i < count; i++)
        kinds[!strcmp(tests[i].verdict, "RACE") ? 0 : !strcmp(tests[i].verdict, "RIGHT") ? 1 : 2]++;
    ck_assert_int_ge(kinds[0], 60);
    ck_assert_int_ge(kinds[1], 40);
    ck_assert_int_ge(kinds[2], 1);
}
END_TEST

int main(void)
{
#ifndef LAB_CPU
    test_skip("litmus tests are for the CPU device's checker");
    return 0;
#endif
    Suite *s = suite_create("litmus");
    TCase *c = tcase_create("verdicts");
    read_table();
    tcase_set_timeout(c, 7200);
    tcase_add_unchecked_fixture(c, build, NULL);
    tcase_add_test(c, every_verdict_is_there);
    tcase_add_loop_test(c, verdict, 0, count);
    tcase_add_test(c, beside_compilations);
    suite_add_tcase(s, c);
    return run_suite(s);
}
