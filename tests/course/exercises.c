/* exercises.c: a student's way through the exercises, in a copy of the course with the exercises as they come: to do,
 * wrong, right, reset; what is kept; what is graded. The commands run in order, in the copy's root; those of a table need
 * none of the tables before it, but for the last one. They see $ex, lecture 3's first exercise, and $mutants. */
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

static const CommandCase first[] = {
    {1, "still to do", "./run 3.1"},
    {1, "line [0-9]+: // TODO.ex01.", "./run 3.1"},
    {0, "exercise 3.1", "make -s next"},
    {2, "no exercise", "make -s next EX=rubbish"},
    {2, "takes no EX", "make -s next EX=3.1"},
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
};

#ifdef LAB_CPU
static const CommandCase checked[] = {
    /* right numbers, and memory that is never freed: only the checker sees it */
    {1, "never freed",
     "sed -f \"$mutants\"/ex08_copies/leaks.sed solutions/lecture03_cuda_basics/ex08_copies.cu | grep -v 'TODO(ex' "
     ">lecture03_cuda_basics/exercises/ex08_copies.cu; ./run 3.8"},
    /* what is known of the same content is not done again, and is not believed of another */
    {1, "never freed",
     "mkdir bin; printf '#!/bin/sh\\ncase $* in *tools.mk*) exec %s \"$@\" ;; esac\\nexit 1\\n' $(command -v make) "
     ">bin/make; chmod +x bin/make; PATH=$PWD/bin:$PATH ./run 3.8"},
    {1, "not right yet",
     "echo >>lecture03_cuda_basics/exercises/ex08_copies.cu; PATH=$PWD/bin:$PATH ./run 3.8 | grep -v freed; exit 1"},
    {0, "", "! PATH=$PWD/bin:$PATH ./run 3.8 | grep -q 'never freed'"},
    /* in Chinese its heading, the device and what it claims */
    {1, "ex08_copies：到设备再回来.*\n.*结果和计数是精确的.*\n *未通过：复制到设备失败时", "COURSE_LANG=zh ./run 3.8"},
};

static const CommandCase technique[] = {
    /* right numbers by a wrong technique: what, and in which line; with clang, that it is not judged */
    {1,
     "right numbers; but line [0-9]+ .global load. touches 8 sectors per request where 4 are possible: 2 times as many "
     ".limit: at most 1.25 times.|"
     "technique is not judged: clang",
     "sed -f \"$mutants\"/ex05_coalesce/four_columns.sed solutions/lecture03_cuda_basics/ex05_coalesce.cu | grep -v "
     "'TODO(ex' "
     ">lecture03_cuda_basics/exercises/ex05_coalesce.cu; ./run 3.5 && case $CUCC_CXX in *clang*) exit 1; esac"},
    /* with a chip's name it is graded, and beside its solution under the model */
    {1,
     "on the chip h100 your answer would take about [0-9.]+ us and the solution about [0-9.]+ us, by the model: "
     "1[.][1-9][0-9] times as long",
     "./run 3.5 --model h100 && case $CUCC_CXX in *clang*) exit 1; esac"},
    {0, "exercise 3.5 passes.*\nA warp's 32 threads take 32 neighbours of a row",
     "grep -v 'TODO(ex' solutions/lecture03_cuda_basics/ex05_coalesce.cu "
     ">lecture03_cuda_basics/exercises/ex05_coalesce.cu; ./run 3.5"},
    {0, "exercise 3.5 passes", "./run 3.5 --model h100 2>&1 | tee model"},
    {0, "by the model: 1[.]00 times as long", "cat model"},
    {1, "", "COURSE_LANG=zh ./run 3.5 --model h100 2>/dev/null | grep 'us and the solution'"},
    {1, "still to do", "./run 3.4 --model h100 | tee model; exit 1"},
    {1, "", "grep WRONG model"}, /* what is to do is not run */
};

static const CommandCase project[] = {
    /* a project: the stages that pass have points, and the best of each student is in the leaderboard */
    {1, "conflicts: next.*\n.*turns: later.*\n.*7 of 12 points|not judged: clang",
     "sed -f \"$mutants\"/../lecture05_shared_memory/ex15_project_portrait/rows_of_32.sed $project | grep -v 'TODO(ex' "
     ">$ex15; "
     "COURSE_STUDENT=ada ./run 5.15 && case $CUCC_CXX in *clang*) exit 1; esac"},
    {0, "7 points so far|passed *5.15", "make -s exercises"},
    {0, "12 of 12 points: all stages pass\n.*the best of bob is [0-9]+, with 12 points|not judged: clang",
     "grep -v 'TODO(ex' $project >$ex15; COURSE_STUDENT=bob ./run 5.15"},
    {0, "1 *eve *1000 *12 of 12\n *2 *bob *[0-9]+ *12 of 12\n *3 *ada *[0-9]+ *7 of 12|not judged",
     "printf '5.15,eve,1000,12,12,2026-01-01\\n5.15,bob,9,1,12,2026-01-01\\n' >more.csv; "
     "tools/course.sh leaderboard more.csv; case $CUCC_CXX in *clang*) echo not judged; esac"},
    {0, "练习 5.15\n *名次  学生  *访存趟数  分数\n *1  eve  *1000  12 / 12",
     "COURSE_LANG=zh tools/course.sh leaderboard"},
    {2, "cannot read", "tools/course.sh leaderboard nothing.csv"},
};
#endif

static const CommandCase watched[] = {
    {0, "still watching lecture03.*ex01_index.cu", SOLVE "timeout 4 tools/course.sh watch 3.1; true"},
};

static const CommandCase last[] = {
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
    {0, "still watching lecture03.*ex01_index.cu", "timeout 4 tools/course.sh watch 3.1; true"},
    {0, "exercise 3.2 is skipped", "make -s skip EX=3.2"},
    {0, "exercise 3.2 .* is not skipped any more", "make -s skip EX=3.2"},
    {0, "exercise 3.2", "make -s next"},
    {0, "exercise 3.2 is skipped: .*\n.*make skip EX=3.2 takes this back", "make -s skip"},
    {0, "exercise 3.3", "make -s next"},
    {0, "kept: lecture03_cuda_basics/exercises/ex01_index.cu", "make -s stubs"},
    {1, "", "grep 'After a pass' lecture03_cuda_basics/exercises/ex04_two_d.cu"}, /* it would give the answer away */
    {0, "what you had is in .*kept/ex01_index.1.cu", "cp $ex first.cu; make -s reset EX=3.1"},
    {0, "nothing to reset", "make -s reset EX=3.1"},
    {0, "kept/ex01_index.2.cu", "echo '// again' >>$ex; make -s reset EX=3.1"},
    {0, "", "tools/course.sh stub " SOLUTION " | cmp - $ex"},
    {0, "^Hint 1: ", "make -s hint EX=3.1"},
    {2, "no exercise", "make -s hint EX=3.77"},
    {2, "no exercise", "make -s reset EX=Makefile"},
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
    setenv("project", "solutions/lecture05_shared_memory/ex15_project_portrait.cu", 1);
    setenv("ex15", "lecture05_shared_memory/exercises/ex15_project_portrait.cu", 1);
    setenv("ex", "lecture03_cuda_basics/exercises/ex01_index.cu", 1);
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    unsetenv("O");
    ck_assert_int_eq(
        system("set -e; mkdir -p \"$tree/build/$DEVICE/tests\" \"$tree/solutions\"\n"
               "cp -rp Makefile run tools common cpudevice lecture03_cuda_basics data \"$tree/\"\n"
               "cp -rp solutions/lecture03_cuda_basics \"$tree/solutions/\"\n"
               "mkdir \"$tree/solutions/lecture05_shared_memory\"; cp -p $project "
               "\"$tree/solutions/lecture05_shared_memory/\"\n"
               /* what is built already need not be built again */
               "for f in build/$DEVICE/*; do case $f in */lecture* | */solutions | */tests | */conformance | "
               "*/cpudevice | */cases | */lib.*) ;; *) cp -rp "
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

#define TABLE(name)                                                                                                    \
    START_TEST(name##_steps) { command_holds(&name[_i]); }                                                             \
    END_TEST
#define ADD(name) tcase_add_loop_test(t, name##_steps, 0, sizeof name / sizeof name[0])
TABLE(first)
#ifdef LAB_CPU
TABLE(checked)
TABLE(technique)
TABLE(project)
#endif
TABLE(watched)
TABLE(last)

int main(void)
{
    Suite *s = suite_create("exercises");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    ADD(first);
#ifdef LAB_CPU
    ADD(checked);
    ADD(technique);
    ADD(project);
#endif
    ADD(watched);
    ADD(last);
    suite_add_tcase(s, t);
    return run_suite(s);
}
