/* grading_compiler.c: the compiler as tools/grade starts it for an answer: g++ reads cuda_runtime.h once for a class, not
 * once for each answer, and an answer's compiler can change nothing of what it has read. This program is for the CPU device
 * only. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "../../tools/course/process.c"
#include "../../tools/course/support.c"
#include "../../tools/grading/cgroup.c"
#include "../../tools/grading/clean.c"
#include "../../tools/grading/compiler.c"
#include "../../tools/grading/filter.c"
#include "../../tools/grading/sandbox.c"
#include "../../tools/grading/verdict.c"
#include "suite.h"

/* Compiles an empty answer. Did g++ load what is precompiled, and the preprocessor what is preprocessed? */
static int loads(const Grading *g)
{
    Sandbox s = compiler_sandbox(g);
    const char *words[] = {"/bin/sh", "-c", COMPILE_ANSWER "-v -x cu /dev/null -o /tmp/answer.o"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        list_add(&s.command, words[i]);
    sandbox_run(&s);
    ck_assert_msg(s.status == 0, "status %d: %s", s.status, s.err);
    int loaded = strstr(s.err, "/rest.ii") != NULL, read = strstr(s.err, "-imacros") != NULL;
    ck_assert_msg(loaded == read, "one of the two: %s", s.err);
    sandbox_free(&s);
    return loaded;
}

START_TEST(header_is_read_once)
{
    const char *why = sandbox_missing(), *cxx = getenv("CUCC_CXX");
    if (why || cxx) {
        test_skip("%s", why ? why : "another compiler may precompile nothing");
        return;
    }
    Grading g = {.root = getcwd(NULL, 0)};
    int lock = open("build/grade.lock", O_RDWR | O_CREAT, 0666); /* other graders prepare the same */
    ck_assert_int_eq(flock(lock, LOCK_EX), 0);
    ck_assert_int_eq(
        system("rm -f $(grep -l Wdouble-promotion build/cpu/precompiled/*.options build/cpu/preprocessed/*.from | "
               "sed 's/options$/*/; s/from$/*/')"),
        0);
    ck_assert_int_eq(system("cpudevice/cucc --check -x cu -c /dev/null -o build/cpu/tests/grading/empty.o"), 0);
    for (int i = 0; i < 3; i++)
        ck_assert_msg(!loads(&g), "an answer's own compiler has precompiled it");
    compiler_prepare(&g);
    ck_assert_msg(loads(&g), "nothing is precompiled");
    close(lock);
    free(g.root);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grading_compiler");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, header_is_read_once);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
