/* library_mutants.c: tries a mutant of the library or of the CPU device. Its one test is built and run in a tree of its
 * own (mutant_tree.c), with the one file changed. */
#include "mutants.h"
#include "../commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a test says of the mutant. Scripts need not tell by their exit status as well that a test has failed. */
static const char *verdict_of_test(int status, Count said)
{
    if (status != ENDLESS && !said.passed && !said.failed && !said.skipped)
        return "BROKEN: its test has tested nothing";
    return verdict_of(said.failed && !status ? 1 : status, said.passed ? "SURVIVED" : verdict_skipped);
}

/* What "# test:" names: a program or a script, and behind a blank one case of it: of a program the name of a test case or of a
 * test of Check's (suite.h), of a script its further arguments. */
typedef struct Trying {
    char *name;      /* its path, without the case */
    const char *one; /* the case, or "" */
    int is_script, is_lab, is_case, is_checked;
    char *built; /* a program's path below build/cpu, "" of a script */
    char *run;   /* its command */
} Trying;

static Trying trying_of(const char *test)
{
    int words = (int)strcspn(test, " ");
    Trying t = {.name = text("%.*s", words, test), .one = test + words + strspn(test + words, " ")};
    t.is_script = ends_with(t.name, ".sh");
    t.is_lab = starts_with(t.name, "lecture");
    t.is_case = starts_with(t.name, "conformance/");
    t.is_checked = starts_with(t.name, "conformance/check/");
    t.built = t.is_script ? copy("") : text("%s%s", t.is_lab ? "tests/labs/" : "", t.name);
    t.run = t.is_script ? text("sh %s cpu %s", t.name, t.one)
            : *t.one    ? text("COURSE_CASE='%s' build/cpu/%s", t.one, t.built)
                        : text("build/cpu/%s", t.built);
    return t;
}

/* Runs the test, which is built, in its tree, the folder `base`.tree. */
static const char *verdict_of_run(const Trying *t, const char *in, const char *base, const char *log)
{
    char *tap = text("%s.tap", base), *skips = text("%s.skips", base), *run = text("%s %s", in, t->run);
    char *tap_set = text("CK_TAP_LOG_FILE_NAME=../%s.tap", base_name(base));
    char *skips_set = text("COURSE_SKIPS=../%s.skips", base_name(base));
    /* A script's programs would all write to that one file. */
    const char *const set[] = {skips_set, t->is_script ? NULL : tap_set, NULL};
    unlink(tap), unlink(skips);
    int status = mutants_sh(set, run, log, 300);
    const char *verdict = t->is_case ? verdict_of(status, "SURVIVED")
                                     : verdict_of_test(status, count_said(t->is_script ? log : tap, skips));
    free(tap), free(skips), free(run), free(tap_set), free(skips_set);
    return verdict;
}

/* Builds the test in its tree, and runs it. */
static const char *verdict_in_tree(const Trying *t, const char *tree, const char *base, const char *log)
{
    static const char make[] = "MAKEFLAGS= make -s --no-print-directory DEVICE=cpu";
    /* One failure is enough. What is compiled here runs once: nothing is precompiled for later, and g++ would take longer to
     * optimise it than it runs. */
    char *in = text("cd '%s' && export COURSE_FIRST_FAILURE=1 CUCC_PCH=kept CUCC_RUNTIME_FLAGS=-O0 CFLAGS='-O0 -g' "
                    "OPTIMIZE=-O0;",
                    tree);
    char *parts = text("%s cpudevice/cucc --build && echo 'int part;' >build/cpu/part.c && "
                       "cpudevice/cucc %s -c build/cpu/part.c -o build/cpu/part.o",
                       in, t->is_checked ? "--check" : "");
    char *build = text("%s %s build/cpu/%s", in, make, t->built);
    const char *verdict;
    if (t->is_case && mutants_sh(NULL, parts, log, 600) != 0)
        verdict = "BROKEN: it does not build";
    else if (!t->is_script && mutants_sh(NULL, build, log, 600) != 0)
        /* A legal program that is refused catches the mutant of a compiler that builds. */
        verdict = t->is_case ? verdict_ok : "BROKEN: it does not build";
    else
        verdict = verdict_of_run(t, in, base, log);
    free(in), free(parts), free(build);
    return verdict;
}

const char *try_library(const Trial *t, const char *script, const char *file, const char *test)
{
    if (script && !file_exists(file))
        return "BROKEN: there is no file for it";
    char *changed = text("%s.changed", t->base), *log = text("%s.log", t->base), *tree = text("%s.tree", t->base);
    Trying trying = trying_of(test);
    const char *verdict;
    /* Without a script the file is as it is, but as new as a mutant, so that what depends on it is compiled as a mutant's. */
    if ((script || *file) && mutate(script, file, changed) != 0)
        verdict = "BROKEN: it changes nothing";
    else if (mutant_tree(tree, file, changed, trying.is_lab ? trying.name : trying.built,
                         starts_with(trying.name, "tests/"), log) != 0)
        verdict = "BROKEN: the tree cannot be made";
    else
        verdict = verdict_in_tree(&trying, tree, t->base, log);
    mutant_tree_done(tree);
    unlink(changed);
    free(changed), free(log), free(tree);
    free(trying.name), free(trying.built), free(trying.run);
    return verdict;
}
