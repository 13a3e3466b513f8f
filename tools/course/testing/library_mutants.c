/* library_mutants.c: tries a mutant of the library or of the CPU device. Its one test is built and run in a tree of its
 * own (mutant_tree.c), with the one file changed. */
#include "mutants.h"
#include "../commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a script says of the mutant, in TAP in `log`: scripts need not tell what failed by their exit status as well. */
static const char *verdict_of_script(int status, const char *log)
{
    char *said = file_read(log, NULL);
    Count n = count_tap(said);
    free(said);
    if (status == 2 && !n.passed && !n.failed && !n.skipped)
        return "BROKEN: its test has no such case";
    int tested = n.passed || n.failed || !n.skipped;
    return verdict_of(n.failed && !status ? 1 : status, tested ? "SURVIVED" : verdict_skipped);
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

/* Builds the test in its tree, and runs it. */
static const char *verdict_in_tree(const Trying *t, const char *tree, const char *log)
{
    static const char make[] = "MAKEFLAGS= make -s --no-print-directory DEVICE=cpu";
    /* One failure is enough. What is compiled here runs once: nothing is precompiled for later, and g++ would take longer to
     * optimise it than it runs. */
    char *in = text("cd '%s' && export COURSE_FIRST_FAILURE=1 CUCC_PCH=kept CUCC_RUNTIME_FLAGS=-O0 CFLAGS='-O0 -g' "
                    "OPTIMIZE=-O0;",
                    tree);
    char *parts = text("%s %s build/cpu/libcudacpu.a && echo 'int part;' >build/cpu/part.c && "
                       "cpudevice/cucc %s -c build/cpu/part.c -o build/cpu/part.o",
                       in, make, t->is_checked ? "--check" : "");
    char *build = text("%s %s build/cpu/%s", in, make, t->built);
    char *run = text("%s %s", in, t->run);
    const char *verdict;
    if (t->is_case && mutants_sh(parts, log, 600) != 0)
        verdict = "BROKEN: it does not build";
    else if (!t->is_script && mutants_sh(build, log, 600) != 0)
        /* A legal program that is refused catches the mutant of a compiler that builds. */
        verdict = t->is_case ? verdict_ok : "BROKEN: it does not build";
    else {
        int status = mutants_sh(run, log, 300);
        verdict = t->is_script ? verdict_of_script(status, log) : verdict_of(status, "SURVIVED");
    }
    free(in), free(parts), free(build), free(run);
    return verdict;
}

/* The file as it is, but as new as a mutant, so that what depends on it is compiled as a mutant's is. */
static int copy_file(const char *file, const char *to)
{
    size_t size;
    char *content = file_read(file, &size);
    int bad = !content || file_write(to, content, size);
    free(content);
    return bad;
}

const char *try_library(const Trial *t, const char *script, const char *file, const char *test)
{
    if (script && !file_exists(file))
        return "BROKEN: there is no file for it";
    char *changed = text("%s.changed", t->base), *log = text("%s.log", t->base), *tree = text("%s.tree", t->base);
    Trying trying = trying_of(test);
    const char *verdict;
    if (script ? mutate(script, file, changed) : *file && copy_file(file, changed))
        verdict = "BROKEN: it changes nothing";
    else if (mutant_tree(tree, file, changed, trying.is_lab ? trying.name : trying.built,
                         starts_with(trying.name, "tests/"), log) != 0)
        verdict = "BROKEN: the tree cannot be made";
    else
        verdict = verdict_in_tree(&trying, tree, log);
    mutant_tree_done(tree);
    unlink(changed);
    free(changed), free(log), free(tree);
    free(trying.name), free(trying.built), free(trying.run);
    return verdict;
}
