/* exercises.c: a student's way through the exercises, in a copy of the course with the exercises as they come: to do,
 * wrong, right, reset; what is kept; what is graded. The commands run in order, in the copy's root. They see $ex,
 * lecture 3's first exercise, and $mutants. */
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "suite.h"

#ifdef LAB_CPU
#define DEVICE "cpu"
#else
#define DEVICE "cuda"
#endif
#define SOLUTION "solutions/lecture03_cuda_basics/ex01_index.cu"
/* The solution as a student would have written it: no TODO, no markers. */
#define SOLVE "grep -v 'TODO(ex\\|>>> answer\\|<<< answer\\|// stub:' " SOLUTION " >$ex; "
/* EX is an argument; nothing in it is run, by make or by a shell. */
#define HOSTILE(what, words)                                                                                           \
    {                                                                                                                  \
        2, "no exercise", "make -s " what " EX=" words                                                                 \
    }

static const CommandCase steps[] = {
    {1, "still to do", "./run 3.1"},
    {1, "line [0-9]+: // TODO.ex01.", "./run 3.1"},
    {0, "exercise 3.1", "make -s next"},
    {2, "no exercise", "make -s next EX=rubbish"},
    {2, "without EX", "make -s next EX=3.1"},
    {1, "", "grep -q 'Hint [0-9]' $ex"}, /* hints are told, not printed beside the text */
    {0, "^Hint 1: ", "make -s hint EX=3.1"},
    {0, "^Hint 2: ", "make -s hint EX=3.1"},
    {0, "", "! make -s hint EX=3.1 | grep -x '[*/ ]*'"}, /* the last one ends with its words */
    {0, "2 of [0-9] seen", "make -s next"},
    {0, "exercise 3.1 is skipped", "make -s skip"},
    {0, "exercise 3.2", "make -s next"},
    {0, "3.1 .*skipped", "make -s exercises"},
    {1, "not right yet", "grep -v 'TODO(ex' $ex >new; mv new $ex; ./run 3.1"},
    {0, "not yet *3.1", "make -s exercises"},
    {1, "this_does_not_compile", "sed -i 's/size_t i = 0;/size_t i = this_does_not_compile;/' $ex; ./run 3.1"},
    {0, "", "! ./run 3.1 | grep '^ *make'"},
    {0, "solution to compare with: " SOLUTION, SOLVE "./run 3.1"},
    {0, "passed *3.1", "make -s exercises"},
    {0, "[0-9]+ of [0-9]+ points", "make -s exercises"},
#ifdef LAB_CPU
    /* right numbers, and memory that is never freed: only the checker sees it */
    {1, "never freed",
     "sed -f \"$mutants\"/ex08_copies/leaks.sed solutions/lecture03_cuda_basics/ex08_copies.cu | grep -v 'TODO(ex' "
     ">lecture03_cuda_basics/exercises/ex08_copies.cu; ./run 3.8"},
    /* what is known of the same content is not done again, and is not believed of another */
    {1, "never freed",
     "mkdir bin; printf '#!/bin/sh\\nexit 1\\n' >bin/make; chmod +x bin/make; PATH=$PWD/bin:$PATH ./run 3.8"},
    {1, "not right yet",
     "echo >>lecture03_cuda_basics/exercises/ex08_copies.cu; PATH=$PWD/bin:$PATH ./run 3.8 | grep -v freed; exit 1"},
    {0, "", "! PATH=$PWD/bin:$PATH ./run 3.8 | grep -q 'never freed'"},
#endif
#ifdef LAB_CPU
    /* right numbers by a wrong technique: what, and in which line; with clang, that it is not judged */
    {1,
     "right numbers; but line [0-9]+ .global load. touches 8 sectors per request where 4 are possible: 2 times as many "
     ".limit: at most 1.25 times.|"
     "technique is not judged: clang",
     "sed -f \"$mutants\"/ex05_coalesce/four_columns.sed solutions/lecture03_cuda_basics/ex05_coalesce.cu | grep -v "
     "'TODO(ex' "
     ">lecture03_cuda_basics/exercises/ex05_coalesce.cu; ./run 3.5 && case $CUCC_CXX in *clang*) exit 1; esac"},
    {0, "exercise 3.5 passes.*\nA warp's 32 threads lie along a row",
     "grep -v 'TODO(ex' solutions/lecture03_cuda_basics/ex05_coalesce.cu "
     ">lecture03_cuda_basics/exercises/ex05_coalesce.cu; ./run 3.5"},
#endif
    /* the progress as a page, in which what a student or a compiler writes is text */
    {0, "as a page: page.html",
     "echo '#error <script>x</script>' >>lecture03_cuda_basics/exercises/ex02_guard.cu; sed -i '/TODO.ex/d' "
     "lecture03_cuda_basics/exercises/ex02_guard.cu; make -s exercises HTML=page.html"},
    {0, "&lt;script&gt;", "cat page.html; make -s reset EX=3.2 >/dev/null"},
    {1, "", "grep '<script' page.html"},
    {0, "[1-9][0-9]* of [0-9]+ points</h1>", "cat page.html"},
    {2, "cannot write", "make -s exercises HTML=/nonexistent/page.html"},
    {0, "N = 100", "./run 3.1 --size 100"},
    {0, "exercise 3.2", "make -s next"},
    {0, "exercise 3.2 is skipped", "make -s skip EX=3.2"},
    {0, "exercise 3.3", "make -s next"},
    {0, "kept: lecture03_cuda_basics/exercises/ex01_index.cu", "make -s stubs"},
    {1, "", "grep 'After a pass' lecture03_cuda_basics/exercises/ex04_two_d.cu"}, /* it would give the answer away */
    {0, "what you had is in .*kept/ex01_index.1.cu", "cp $ex first.cu; make -s reset EX=3.1"},
    {0, "nothing to reset", "make -s reset EX=3.1"},
    {0, "kept/ex01_index.2.cu", "echo '// again' >>$ex; make -s reset EX=3.1"},
    {0, "", "tools/course.sh stub " SOLUTION " | cmp - $ex"},
    {0, "^Hint 1: ", "make -s hint EX=3.1"},
    {2, "no exercise", "make -s hint EX=3.77"},
    {2, "no exercise", "make -s reset EX=README.md"},
    {2, "no exercise", "make -s reset EX=solutions/lecture03_cuda_basics/ex01_index.cu"},
    {2, "which exercise", "make -s hint"},
    HOSTILE("hint", "'3.1; touch was_run'"),
    HOSTILE("reset", "'$(touch was_run)'"),
    HOSTILE("hint", "'`touch was_run`'"),
    HOSTILE("watch", "'$(shell touch was_run)'"),
    HOSTILE("hint", "\"3.1' ; touch was_run ; '\""),
    HOSTILE("reset", "'\"; touch was_run; \"'"),
    {1, "", "test -e was_run"},
    {2, "there are: lecture03", "make lecture02"},
    {0, "multiprocessors", "./run launch --verify"},
    {0, "matmul_naive", "./run lecture03 --list"}, /* without having been made */
    /* what was done is kept, whatever is cleaned */
    {0, "",
     "make -s clean; cmp first.cu $(dirname $ex)/kept/ex01_index.1.cu && grep -q again $(dirname "
     "$ex)/kept/ex01_index.2.cu"},
};

static char tree[] = "/tmp/exercisesXXXXXX";

static void set_up(void)
{
    ck_assert_ptr_nonnull(mkdtemp(tree));
    setenv("tree", tree, 1);
    setenv("DEVICE", DEVICE, 1);
    setenv("ex", "lecture03_cuda_basics/exercises/ex01_index.cu", 1);
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    unsetenv("O");
    ck_assert_int_eq(
        system("set -e; mkdir -p \"$tree/build/$DEVICE/tests\" \"$tree/solutions\"\n"
               "cp -rp Makefile run tools common cpudevice lecture03_cuda_basics data \"$tree/\"\n"
               "cp -rp solutions/lecture03_cuda_basics \"$tree/solutions/\"\n"
               /* what is built already need not be built again */
               "for f in build/$DEVICE/*; do case $f in */lecture* | */solutions | */tests | */lib.*) ;; *) cp -rp "
               "\"$f\" \"$tree/build/$DEVICE/\" ;; esac; done\n"
               "rm -rf \"$tree/lecture03_cuda_basics/exercises\"; cd \"$tree\"; tools/course.sh stubs\n"
               "[ $DEVICE = cuda ] || cpudevice/built_for.sh >build/cpu/built_for"), /* it will do here too */
        0);
    char here[4096], mutants[5000];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    snprintf(mutants, sizeof mutants, "%s/tests/mutants/lecture03_cuda_basics", here);
    setenv("mutants", mutants, 1);
    ck_assert_int_eq(chdir(tree), 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path);
}

static void tear_down(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    nftw(tree, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

START_TEST(step) { command_holds(&steps[_i]); }
END_TEST

int main(void)
{
    Suite *s = suite_create("exercises");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, step, 0, sizeof steps / sizeof steps[0]);
    suite_add_tcase(s, t);
    return run_suite(s);
}
