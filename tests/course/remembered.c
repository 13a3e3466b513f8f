/* remembered.c: what make check remembers (tools/course/testing/verdicts.h) and by which key (tools/course/testing/keys.h), in a small tree:
 * what a test depends on makes it run again, and what it does not depend on does not. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The tool is a program of its own; what is tested here needs these files of it. */
#include "../../tools/course/code.c"
#include "../../tools/course/testing/keys.c"
#include "../../tools/course/process.c"
#include "../../tools/course/testing/reach.c"
#include "../../tools/course/support.c"
#include "../../tools/course/testing/tests.c"
#include "../../tools/course/testing/verdicts.c"
#include "suite.h"

const char verdict_ok[] = "ok", verdict_endless[] = "ok, endless", verdict_skipped[] = "SKIPPED";

static char tree[] = "/tmp/rememberedXXXXXX";

static void write_to(const char *path, const char *content)
{
    char *folder = copy(path);
    if (strrchr(folder, '/')) {
        *strrchr(folder, '/') = 0;
        ck_assert_int_eq(make_folders(folder), 0);
    }
    ck_assert_int_eq(file_write(path, content, strlen(content)), 0);
    free(folder);
}

static const char *const files[] = {"lecture03_x/exercises/ex01_y.cu",
                                    "README.md",
                                    "Makefile",
                                    "data/matrix",
                                    "results/cpu/times.csv",
                                    "results/cpu/lecture03/add.csv",
                                    "results/cpu/counts/lecture03-add.csv",
                                    "results/cpu/counts/lecture05-sum.csv",
                                    "tools/course/counts.c",
                                    "results/cpu/lecture05/sum.csv",
                                    "common/lab.h",
                                    "common/lab/lab.c",
                                    "cpudevice/compiler/front/a.c",
                                    "cpudevice/runtime/exec/a.c",
                                    "cpudevice/checker/core/a.c",
                                    "cpudevice/model/a.c",
                                    "cpudevice/include/a.h",
                                    "cpudevice/tests/libraries/cases.txt",
                                    "lecture03_x/own.cuh",
                                    "lecture03_x/other.cuh",
                                    "lecture03_x/other.cu",
                                    "tools/course/testing/check.c",
                                    "tools/course/main.c",
                                    "tests/course/inner.h",
                                    "tests/course/unused.h",
                                    "tests/mutants/x/other.sed",
                                    "cpudevice/tests/mutants/x/other.sed",
                                    "tests/verdicts.csv",
                                    "cpudevice/tests/conformance/warp/shuffle.cu",
                                    "cpudevice/tests/conformance/conformance.h",
                                    "cpudevice/tests/runtime/own.h",
                                    "cpudevice/docs/CHECK.md",
                                    "cpudevice/viewer/README.md",
                                    "docs/one.md",
                                    "docs/two.md",
                                    "lecture03_x/pages.ipynb",
                                    "results/cpu/plot.png",
                                    "lecture03_x/exercises/kept/ex01_y.cu",
                                    "tools/setup/__pycache__/x.pyc",
                                    "build/cpu/x"};

static void set_up(void)
{
    ck_assert_ptr_nonnull(mkdtemp(tree));
    ck_assert_int_eq(chdir(tree), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        write_to(files[i], "first\n");
    write_to("tools/setup/toolchain.sh", "#!/bin/sh\ncat toolchain\n");
    ck_assert_int_eq(system("chmod +x tools/setup/toolchain.sh; echo gcc 12 >toolchain"), 0);
    write_to("lecture03_x/add.cu", "#include \"own.cuh\"\n#include \"lab.h\"\nint main() {}\n");
    write_to("lecture03_x/draws.cu", "#include \"lab.h\"\nint main() { opendir(\"results\"); }\n");
    write_to("solutions/lecture03_x/ex01_y.cu", "#include \"lab.h\"\nint main() {}\n");
    write_to("tests/course/closed.c", "  # include \"outer.h\"\nint main(void) { return 0; }\n");
    write_to("tests/course/outer.h", "#include \"inner.h\"\n");
    write_to("tests/course/open.c", "int main(void) { return system(\"ls\"); }\n");
    write_to("tests/course/one_page.sh", "grep word docs/one.md\n");
    write_to("tests/course/any_page.sh", "grep word \"$lecture/two.md\"\n");
    write_to("tests/course/pages.c", "int main(void) { return system(\"tools/notes/notes.sh --check\"); }\n");
    write_to("tests/course/by_a_helper.sh", "sh tests/course/any_page.sh\n");
    write_to("tests/course/macro.c", "#include WHATEVER\nint main(void) { return 0; }\n");
    write_to("tests/course/of_mutants.sh", "ls tests/mutants\n");
    write_to("cpudevice/tests/random/with_lab.c", "#include \"lab.h\"\nint main(void) { return 0; }\n");
    write_to("cpudevice/tests/random/without.c", "#include <stdio.h>\nint main(void) { return 0; }\n");
    write_to("cpudevice/tests/libraries/run.sh", "cat cases.txt\n");
    write_to("cpudevice/tests/harness/cases.sh", "cat cpudevice/tests/$1/*\n");
    write_to("cpudevice/tests/runtime/uses.sh",
             "cat ../libraries/cases.txt; exec sh \"../harness/cases.sh\" counters\n");
    write_to("cpudevice/tests/counters/a.csv", "# by cpudevice/tests/conformance and lecture03_x\n");
    write_to("cpudevice/tests/counters/a.txt", "digit for digit\n");
    write_to("cpudevice/tests/toolkit/labs.sh", "ls lecture03_x\n");
    write_to("tests/mutants/lecture03_x/ex01_y/wrong.sed", "s/a/b/\n");
    write_to("tests/mutants/x/library.sed", "s/a/b/\n");
    ck_assert_int_eq(make_folders("cpudevice/toolkit"), 0);
    ck_assert_int_eq(symlink("../../build/cpu/lib64", "cpudevice/toolkit/lib64"), 0);
}

static void tear_down(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    remove_tree(tree);
}

enum { CHECKED = 1, SOLUTION, MUTANT, COUNTS };

static uint64_t key_now(const char *of, int how)
{
    known.count = known.judges = rooms.count = 0; /* what was read is read again */
    return how == SOLUTION ? key_of_solution(of, "tests/mutants/lecture03_x/ex01_y/wrong.sed")
           : how == MUTANT ? key_of_mutant("tests/mutants/x/library.sed", "common/lab/lab.c", of)
           : how == COUNTS ? key_of_counts(of, "results/cpu/counts/lecture03-add.csv")
                           : key_of_test(of, how);
}

/* The files whose change makes the test run again, and those whose change does not. */
static const struct {
    const char *of;
    int how;
    const char *changes, *keeps;
} keys[] = {
    {"lecture03_x/add.cu", 0,
     "lecture03_x/add.cu lecture03_x/own.cuh common/lab.h common/lab/lab.c cpudevice/compiler/front/a.c "
     "cpudevice/runtime/exec/a.c cpudevice/include/a.h Makefile data/matrix results/cpu/lecture03/add.csv "
     "tools/course/testing/check.c",
     "lecture03_x/other.cuh lecture03_x/other.cu README.md cpudevice/checker/core/a.c tests/course/open.c "
     "tools/course/main.c tests/verdicts.csv tests/mutants/x/other.sed results/cpu/plot.png build/cpu/x "
     "results/cpu/lecture05/sum.csv results/cpu/times.csv"},
    {"lecture03_x/draws.cu", 0, "results/cpu/times.csv results/cpu/lecture05/sum.csv", "README.md"},
    {"lecture03_x/add.cu", CHECKED,
     "lecture03_x/own.cuh cpudevice/checker/core/a.c cpudevice/model/a.c cpudevice/runtime/exec/a.c",
     "lecture03_x/other.cuh README.md cpudevice/viewer/README.md"},
    {"tests/course/closed.c", 0, "tests/course/closed.c tests/course/outer.h tests/course/inner.h common/lab.h",
     "tests/course/unused.h tests/course/open.c README.md lecture03_x/add.cu cpudevice/checker/core/a.c"},
    {"tests/course/open.c", 0,
     "tests/course/open.c tests/course/unused.h lecture03_x/add.cu cpudevice/checker/core/a.c",
     "README.md docs/one.md lecture03_x/pages.ipynb tests/mutants/x/other.sed cpudevice/tests/mutants/x/other.sed "
     "tests/verdicts.csv "
     "lecture03_x/exercises/ex01_y.cu lecture03_x/exercises/kept/ex01_y.cu results/cpu/plot.png "
     "tools/setup/__pycache__/x.pyc build/cpu/x"},
    {"tests/course/macro.c", 0, "tests/course/unused.h README.md", "tests/verdicts.csv"},
    {"tests/course/of_mutants.sh", 0, "tests/mutants/x/other.sed cpudevice/tests/mutants/x/other.sed",
     "README.md tests/verdicts.csv"},
    {"tests/course/one_page.sh", 0, "docs/one.md tests/course/unused.h", "README.md docs/two.md"},
    {"tests/course/any_page.sh", 0, "docs/one.md README.md", "tests/verdicts.csv"},
    {"tests/course/pages.c", 0, "docs/one.md README.md lecture03_x/pages.ipynb", "tests/verdicts.csv"},
    {"tests/course/by_a_helper.sh", 0, "docs/one.md README.md", "tests/verdicts.csv"},
    {"cpudevice/tests/libraries/run.sh", 0,
     "cpudevice/tests/libraries/cases.txt cpudevice/tests/libraries/run.sh cpudevice/checker/core/a.c Makefile "
     "tools/course/testing/check.c",
     "README.md lecture03_x/add.cu tests/course/open.c cpudevice/tests/mutants/x/other.sed tools/course/main.c "
     "common/lab/lab.c results/cpu/times.csv cpudevice/docs/CHECK.md cpudevice/tests/conformance/conformance.h "
     "cpudevice/tests/runtime/own.h tools/setup/__pycache__/x.pyc"},
    {"cpudevice/tests/runtime/uses.sh", 0,
     "cpudevice/tests/runtime/own.h cpudevice/tests/libraries/cases.txt cpudevice/tests/counters/a.txt "
     "cpudevice/tests/harness/cases.sh cpudevice/runtime/exec/a.c",
     "README.md cpudevice/tests/conformance/conformance.h cpudevice/docs/CHECK.md"},
    {"cpudevice/tests/random/with_lab.c", 0, "common/lab.h common/lab/lab.c cpudevice/runtime/exec/a.c", "README.md"},
    {"cpudevice/tests/random/without.c", 0, "cpudevice/runtime/exec/a.c Makefile",
     "common/lab/lab.c results/cpu/times.csv cpudevice/tests/random/with_lab.c"},
    {"cpudevice/tests/toolkit/labs.sh", 0, "lecture03_x/add.cu", "README.md tests/verdicts.csv"},
    {"solutions/lecture03_x/ex01_y.cu", SOLUTION,
     "solutions/lecture03_x/ex01_y.cu tests/mutants/lecture03_x/ex01_y/wrong.sed common/lab.h "
     "cpudevice/checker/core/a.c results/cpu/lecture03/add.csv",
     "tests/mutants/x/other.sed README.md lecture03_x/own.cuh results/cpu/lecture05/sum.csv"},
    {"tests/course/closed", MUTANT, "tests/mutants/x/library.sed common/lab/lab.c tests/course/inner.h",
     "tests/mutants/x/other.sed README.md"},
    {"cpudevice/tests/libraries/run.sh one", MUTANT, "cpudevice/tests/libraries/cases.txt", "README.md"},
    {"conformance/loops/warp/shuffle", MUTANT,
     "cpudevice/tests/conformance/warp/shuffle.cu cpudevice/runtime/exec/a.c common/lab/lab.c",
     "cpudevice/checker/core/a.c README.md"},
    {"conformance/check/warp/shuffle", MUTANT, "cpudevice/checker/core/a.c", "README.md"},
    {"lecture03_x/add.cu", COUNTS,
     "results/cpu/counts/lecture03-add.csv lecture03_x/own.cuh common/lab/lab.c cpudevice/checker/core/a.c "
     "tools/course/counts.c",
     "results/cpu/counts/lecture05-sum.csv README.md lecture03_x/other.cuh tools/course/main.c"},
    {"tests/course/gone", MUTANT, "README.md tests/course/unused.h", "tests/mutants/x/other.sed"},
};

static void change_each(int i, const char *paths, int must_change)
{
    char *all = copy(paths), *rest = all;
    for (char *path; (path = strsep(&rest, " "));) {
        char *was = file_read(path, NULL);
        ck_assert_msg(was != NULL, "there is no %s", path);
        uint64_t before = key_now(keys[i].of, keys[i].how);
        ck_assert_msg(before == key_now(keys[i].of, keys[i].how), "%s: two keys of one tree", keys[i].of);
        char *now = text("%sx\n", was);
        write_to(path, now);
        int changed = before != key_now(keys[i].of, keys[i].how);
        write_to(path, was);
        ck_assert_msg(changed == must_change, "%s: %s %s", keys[i].of, path,
                      changed ? "is no part of it, and makes it run again" : "is a part of it, and does not count");
        ck_assert_msg(before == key_now(keys[i].of, keys[i].how), "%s: %s as it was is not known", keys[i].of, path);
        free(was), free(now);
    }
    free(all);
}

START_TEST(of_content)
{
    change_each(_i, keys[_i].changes, 1);
    change_each(_i, keys[_i].keeps, 0);
}
END_TEST

/* A file that comes or goes, under a folder that counts whole; a page's title; one case's name. */
START_TEST(of_the_rest)
{
    uint64_t before = key_now("lecture03_x/add.cu", 0);
    write_to("cpudevice/runtime/exec/new.c", "");
    ck_assert(before != key_now("lecture03_x/add.cu", 0));
    unlink("cpudevice/runtime/exec/new.c");
    ck_assert(before == key_now("lecture03_x/add.cu", 0));
    before = key_now("tests/course/open.c", 0);
    write_to("README.md", "second\n");
    ck_assert(before != key_now("tests/course/open.c", 0));
    write_to("README.md", "first\n");
    ck_assert(before == key_now("tests/course/open.c", 0));
    ck_assert(key_now("cpudevice/tests/libraries/run.sh one", MUTANT) !=
              key_now("cpudevice/tests/libraries/run.sh two", MUTANT));
}
END_TEST

/* A folder of the tree that is a link into build/: what is built there does not count, where the link leads does. */
START_TEST(of_linked_folders)
{
    static const char test[] = "cpudevice/tests/libraries/run.sh", open[] = "tests/course/open.c";
    uint64_t before = key_now(test, 0), of_all = key_now(open, 0);
    write_to("build/cpu/lib64/libcuda.a", "built\n");
    ck_assert(before == key_now(test, 0));
    ck_assert(of_all == key_now(open, 0));
    ck_assert_int_eq(unlink("cpudevice/toolkit/lib64"), 0);
    ck_assert_int_eq(symlink("../../build/other", "cpudevice/toolkit/lib64"), 0);
    ck_assert(before != key_now(test, 0));
    ck_assert(of_all != key_now(open, 0));
}
END_TEST

/* Of what judges, the code counts, and what is said about it does not. */
static const struct {
    const char *before, *after;
    int is_same;
} judges[] = {
    {"int f(void) { return 1; }\n", "/* one */\nint f(void)  { return 1; } // it is\n", 1},
    {"int f(void) { return 1; }\n", "int f(void) { return 2; }\n", 0},
    {"char *f = \"a b\";\n", "char *f = \"a  b\";\n", 0},
    {"char *f = \"/* \";\nint x; /* */\n", "char *f = \"/* \";\nint y; /* */\n", 0},
    {"char c = '\"'; int x; // \"\n", "char c = '\"'; int y; // \"\n", 0},
    {"char *f = \"\\\"//\" \"x\";\n", "char *f = \"\\\"//\" \"y\";\n", 0},
    {"#define A\nB\n", "#define A B\n", 0},
    {"int x; /* no end", "int x; /* no end of it", 1},
};

START_TEST(of_judges)
{
    write_to("tools/course/testing/check.c", judges[_i].before);
    uint64_t before = key_now("lecture03_x/add.cu", 0);
    write_to("tools/course/testing/check.c", judges[_i].after);
    ck_assert_int_eq(before == key_now("lecture03_x/add.cu", 0), judges[_i].is_same);
}
END_TEST

static uint64_t toolchain_key(const char *is)
{
    int fd[2];
    uint64_t key = 0;
    write_to("toolchain", is);
    ck_assert_int_eq(pipe(fd), 0);
    if (fork() == 0) { /* the tool asks once */
        key = key_now("lecture03_x/add.cu", 0);
        _exit(write(fd[1], &key, sizeof key) != sizeof key);
    }
    ck_assert_int_eq(read(fd[0], &key, sizeof key), sizeof key);
    close(fd[0]), close(fd[1]);
    return key;
}

START_TEST(of_toolchain)
{
    ck_assert(toolchain_key("gcc 12") == toolchain_key("gcc 12"));
    ck_assert(toolchain_key("gcc 12") != toolchain_key("gcc 13"));
}
END_TEST

/* ---- verdicts ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *command;
    int passed, failed, skipped, is_remembered;
} runs[] = {
    {"echo ok 1; echo ok 2", 2, 0, 0, 1},
    {"echo ok 1; echo not ok 2", 1, 1, 0, 0},
    {"echo ok 1; echo 'ok 2 # SKIP no browser'", 1, 0, 1, 0},
    {"echo ok 1; exit 1", 1, 1, 0, 0},
    {"echo 'ok # SKIP'", 0, 0, 1, 0},
    {"true", 0, 1, 0, 0},
    {"echo ok 1; echo because >>$COURSE_SKIPS", 0, 0, 1, 0},
    {"echo ok 1; echo ok 2; echo 'add rung 6 CUB: needs a GPU' >>$COURSE_SKIPS", 1, 0, 1, 1},
    {"echo ok 1; echo 'add rung 6 CUB: needs a GPU' >>$COURSE_SKIPS", 0, 0, 1, 0},
    {"echo ok 1; echo ok 2; echo ok 3; printf 'no disk\\nadd rung 6 CUB: needs a GPU\\n' >>$COURSE_SKIPS", 1, 0, 2, 0},
};

/* Opens the tests with that one, remembers, runs, and notes. */
static Tests run_one(const char *name, const char *command, uint64_t key, int remembers, int sample, int full)
{
    static Course course = {.build = "build", .cores = 1};
    Tests s;
    const char *words[] = {"sh", "-c", command, NULL};
    tests_open(&s, &course);
    s.remembers = remembers;
    s.sample = sample;
    tests_add(&s, KIND_SCRIPT, name, words, key);
    tests_remember(&s);
    tests_begin(&s);
    tests_run(&s);
    tests_note(&s, full);
    tests_tell(&s);
    return s;
}

START_TEST(of_runs)
{
    char *name = text("test %d", _i);
    Tests first = run_one(name, runs[_i].command, 7, 1, 0, 0);
    ck_assert_int_eq(first.ran, runs[_i].passed + runs[_i].failed + runs[_i].skipped);
    ck_assert_int_eq(first.remembered, 0);
    ck_assert_int_eq(first.count.passed, runs[_i].passed);
    ck_assert_int_eq(first.count.failed, runs[_i].failed);
    ck_assert_int_eq(first.count.skipped, runs[_i].skipped);
    Tests again = run_one(name, runs[_i].command, 7, 1, 0, 0), changed = run_one(name, runs[_i].command, 8, 1, 0, 0);
    ck_assert_int_eq(again.remembered, runs[_i].is_remembered ? runs[_i].passed : 0);
    ck_assert_int_eq(again.ran == 0, runs[_i].is_remembered);
    ck_assert_int_eq(again.count.passed, runs[_i].passed); /* the same sum */
    ck_assert_int_eq(again.count.failed, runs[_i].failed);
    ck_assert_int_eq(again.count.skipped, runs[_i].skipped);
    ck_assert_int_eq(changed.remembered, 0);
    ck_assert_int_gt(changed.ran, 0);
    free(name);
}
END_TEST

/* What failed here is not remembered from the full run; make check-all and the sample remember nothing. */
START_TEST(of_full_run)
{
    Tests full = run_one("test x", "echo ok 1", 7, 1, 100, 1);
    ck_assert_int_eq(full.ran, 1);
    ck_assert(file_exists(VERDICTS_OF_FULL_RUN));
    unlink(VERDICTS_HERE);
    ck_assert_int_eq(run_one("test x", "echo ok 1", 7, 1, 0, 0).remembered, 1);
    ck_assert_int_eq(run_one("test x", "echo ok 1", 7, 1, 100, 0).ran, 1);
    ck_assert_int_eq(run_one("test x", "echo ok 1", 7, 0, 0, 0).ran, 1);
    ck_assert_int_eq(run_one("test x", "echo not ok 1", 7, 1, 100, 0).count.failed, 1);
    ck_assert_int_eq(run_one("test x", "echo ok 1", 7, 1, 0, 0).remembered, 0);
    char *durations = file_read("build/durations.csv", NULL);
    ck_assert_ptr_nonnull(strstr(durations, "test x,"));
    free(durations);
}
END_TEST

/* What passes is added to the verdicts of the full run, and what fails is taken from them, where that is asked for. */
START_TEST(of_more)
{
    run_one("test full", "echo ok 1", 7, 1, 100, 1);
    for (int more = 0; more < 2; more++) {
        setenv("COURSE_REMEMBERS", more ? "more" : "", 1);
        unlink(VERDICTS_HERE);
        run_one("test new", "echo ok 1", 7, 1, 0, 0);
        unlink(VERDICTS_HERE);
        ck_assert_int_eq(run_one("test new", "echo ok 1", 7, 1, 0, 0).remembered, more);
        ck_assert_int_eq(run_one("test full", "echo ok 1", 7, 1, 0, 0).remembered, 1);
    }
    run_one("test full", "echo not ok 1", 7, 1, 100, 0);
    unlink(VERDICTS_HERE);
    ck_assert_int_eq(run_one("test full", "echo ok 1", 7, 1, 0, 0).remembered, 0);
    unsetenv("COURSE_REMEMBERS");
}
END_TEST

/* A damaged line is none: whatever byte of it is another. */
START_TEST(of_damage)
{
    run_one("test x", "echo ok 1", 7, 1, 100, 0);
    size_t size;
    char *content = file_read(VERDICTS_HERE, &size);
    char *line = strstr(content, "test x");
    ck_assert_ptr_nonnull(line);
    for (char *p = line; *p != '\n'; p++) {
        char was = *p;
        *p = was == '1' ? '2' : '1';
        file_write(VERDICTS_HERE, content, size);
        Verdicts v = {0};
        verdicts_read(&v, VERDICTS_HERE);
        ck_assert_int_eq(v.count, 0);
        *p = was;
    }
    file_write(VERDICTS_HERE, content, size - 3); /* cut off */
    ck_assert_int_eq(run_one("test x", "echo ok 1", 7, 1, 0, 0).ran, 1);
    free(content);
}
END_TEST

/* The longest first; what is not known before all. */
START_TEST(of_order)
{
    static Course course = {.build = "build"}; /* no cores: one test at a time */
    Tests s;
    const char *words[] = {"sh", "-c", "echo ok 1; echo $0 >>order", "?", NULL};
    const char *const names[] = {"test short", "test new", "test long", "test middle"};
    const double wall_s[] = {1, 0, 100, 10};
    tests_open(&s, &course);
    for (int i = 0; i < 4; i++)
        if (wall_s[i] > 0)
            verdict_set(&s.here, (Verdict){(char *)names[i], (char *)"today", 1, 1, 0, 1, wall_s[i]});
    s.remembers = 1;
    for (int i = 0; i < 4; i++) {
        words[3] = names[i];
        tests_add(&s, KIND_SCRIPT, names[i], words, 2);
    }
    tests_remember(&s);
    tests_begin(&s);
    tests_run(&s);
    char *order = output_of_shell("tr '\\n' ' ' <order");
    ck_assert_str_eq(order, "test new test long test middle test short ");
    free(order);
}
END_TEST

/* What only lists the tests leaves the logs of a run as they are; the next run begins without them. */
START_TEST(of_logs)
{
    static Course course = {.build = "build", .cores = 1};
    Tests listed, other;
    tests_open(&other, &course);
    tests_begin(&other);
    write_to("build/check-results/test-x.log", "ok 1\n");
    tests_open(&listed, &course);
    tests_remember(&listed);
    ck_assert(file_exists("build/check-results/test-x.log"));
    tests_begin(&listed);
    ck_assert(!file_exists("build/check-results/test-x.log"));
    ck_assert(file_exists("build/check-results"));
}
END_TEST

/* A sample is the same for one commit, and about as large as is asked. */
START_TEST(of_sample)
{
    int in = 0;
    for (int i = 0; i < 2000; i++) {
        char *name = text("mutant tests/mutants/x/%d.sed", i);
        in += in_sample(name, 5);
        ck_assert(in_sample(name, 100) && !in_sample(name, 0));
        free(name);
    }
    ck_assert_int_ge(in, 60);
    ck_assert_int_le(in, 140);
}
END_TEST

/* A share of the time, not of the names: 20 short tests and one as long as all of them. */
static const struct {
    int sample;
    double least_s, most_s;
} shares[] = {{0, 0, 0}, {10, 1, 20}, {50, 10, 20}, {60, 20, 24}, {100, 40, 40}};

START_TEST(of_share)
{
    static Course course = {.build = "build", .cores = 1};
    const char *words[] = {"sh", "-c", "echo ok 1", NULL};
    double ran_s[2] = {0, 0};
    for (int again = 0; again < 2; again++) {
        Tests s;
        tests_open(&s, &course);
        s.remembers = 1, s.sample = shares[_i].sample;
        for (int i = 0; i <= 20; i++) {
            char *name = text("test %d", i);
            tests_add(&s, KIND_SCRIPT, name, words, 1);
            verdict_set(&s.here, (Verdict){name, (char *)"today", 1, 1, 0, i ? 1 : 20, 1});
            free(name);
        }
        tests_remember(&s);
        for (int i = 0; i <= 20; i++)
            ran_s[again] += s.tests[i]->remembered ? 0 : i ? 1 : 20;
        ck_assert_int_eq(s.remembered, s.count.passed);
    }
    ck_assert_double_eq(ran_s[0], ran_s[1]);
    ck_assert_double_ge(ran_s[0], shares[_i].least_s);
    ck_assert_double_le(ran_s[0], shares[_i].most_s);
}
END_TEST

int main(void)
{
    unsetenv("COURSE_REMEMBERS"); /* .ci/run --more sets it */
    Suite *s = suite_create("remembered");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, of_content, 0, sizeof keys / sizeof *keys);
    tcase_add_test(t, of_the_rest);
    tcase_add_test(t, of_linked_folders);
    tcase_add_loop_test(t, of_judges, 0, sizeof judges / sizeof *judges);
    tcase_add_test(t, of_toolchain);
    tcase_add_loop_test(t, of_runs, 0, sizeof runs / sizeof *runs);
    tcase_add_test(t, of_full_run);
    tcase_add_test(t, of_more);
    tcase_add_test(t, of_damage);
    tcase_add_test(t, of_order);
    tcase_add_test(t, of_logs);
    tcase_add_test(t, of_sample);
    tcase_add_loop_test(t, of_share, 0, sizeof shares / sizeof *shares);
    suite_add_tcase(s, t);
    return run_suite(s);
}
