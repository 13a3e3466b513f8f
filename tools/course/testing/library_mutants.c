/* library_mutants.c: a mutant of the library or of the CPU device, in a tree of its own: made of links, with the one file
 * changed, what was built already, and the one test.
 *
 * A folder of the tree is a folder, and its files are links, so that what looks for its home by its path finds the tree.
 * They are hard links, where the file system has them: thousands of symbolic links per tree, made and removed, keep ext4
 * looking for inodes that were not freed a moment ago (2.5 seconds per tree). Objects keep their times: make and cucc then
 * build again only what the changed file is part of. What is written in place (lists of dependencies, libraries that make
 * touches) is copied. */
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
    int tested = n.passed || n.failed || !n.skipped;
    return verdict_of(n.failed && !status ? 1 : status, tested ? "SURVIVED" : verdict_skipped);
}

/* In $tree, from the course's folder; $test is the program's path below build/cpu, or nothing. The course's own tests
 * write to lectures and notes: they get copies. */
static const char set_up_tree[] =
    "set -e; rm -rf \"$tree\"; mkdir -p \"$tree/build/cpu/tests\" \"$tree/build/tools\" \"$tree/cpudevice/tests\" "
    "\"$tree/tests\"\n"
    "links() { to=$1; shift; for f; do cp -r$kind \"$PWD/$f\" \"$tree/$to/\"; done; }\n"
    "kind=s; ! ln Makefile \"$tree/link\" 2>/dev/null || kind=l; rm -f \"$tree/link\"\n"
    "for f in *; do case $f in build | cpudevice | tests) ;;\n"
    "lecture* | solutions | docs | *.md) if $copies; then cp -rp $f \"$tree/\"; else links . $f; fi ;;\n"
    "*) links . $f ;; esac; done\n"
    "for f in cpudevice/*; do case $f in */tests) ;; */toolkit) cp -rp $f \"$tree/cpudevice/\" ;;\n"
    "*) links cpudevice $f ;; esac; done\n"
    "for f in tests/* cpudevice/tests/*; do case $f in */mutants) ln -s \"$PWD/$f\" \"$tree/$f\" ;;\n"
    "*) links ${f%/*} $f ;; esac; done\n"
    "for f in objects precompiled; do cp -rpl build/cpu/$f \"$tree/build/cpu/\" 2>/dev/null || :; done\n"
    "for f in common compiler_ready cucc-driver cucc-compile lib64; do "
    "[ ! -e build/cpu/$f ] || cp -rp build/cpu/$f \"$tree/build/cpu/\"; done; cp -rp build/cpu/lib*.a "
    "\"$tree/build/cpu/\"\n"
    "[ ! -d build/cpu/tests/lab ] || cp -rp build/cpu/tests/lab \"$tree/build/cpu/tests/\"\n"
    "for f in ${test:+build/cpu/$test} ${test:+build/cpu/$test.o} ${test:+build/cpu/$test.c.o} "
    "${test:+build/cpu/$test.d} "
    "${test:+build/cpu/$test.c.d}\n"
    "do [ ! -e $f ] || { mkdir -p \"$tree/${f%/*}\"; cp -p $f \"$tree/$f\"; }; done\n"
    "[ ! -e build/tools/course ] || cp -p build/tools/course \"$tree/build/tools/\"\n"
    "[ ! -d build/browser ] || ln -s \"$PWD/build/browser\" \"$tree/build/\"\n"
    "\"$tree/cpudevice/built_for.sh\" >\"$tree/build/cpu/built_for\"\n" /* it will do in this tree too */
    "[ ! \"$file\" ] || { folder=$(dirname \"$file\"); "
    "case $(realpath \"$tree/$folder\") in \"$(realpath \"$tree\")\"*) ;; *) exit 1 ;; esac\n" /* not the course's own */
    "cp --remove-destination \"$changed\" \"$tree/$file\"; chmod --reference=\"$file\" \"$tree/$file\"; }\n";

/* What "# test:" names: a program or a script, and behind a blank one case of it: of a program the name of a test case of
 * Check's, of a script its further arguments. */
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
            : *t.one    ? text("CK_RUN_CASE='%s' build/cpu/%s", t.one, t.built)
                        : text("build/cpu/%s", t.built);
    return t;
}

/* Builds the test in its tree, and runs it. */
static const char *verdict_in_tree(const Trying *t, const char *tree, const char *log)
{
    static const char make[] = "MAKEFLAGS= make -s --no-print-directory DEVICE=cpu";
    char *parts = text("cd '%s' && %s build/cpu/libcudacpu.a && echo 'int part;' >build/cpu/part.c && "
                       "cpudevice/cucc %s -c build/cpu/part.c -o build/cpu/part.o",
                       tree, make, t->is_checked ? "--check" : "");
    char *build = text("cd '%s' && %s build/cpu/%s", tree, make, t->built), *run = text("cd '%s' && %s", tree, t->run);
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
    free(parts), free(build), free(run);
    return verdict;
}

const char *try_library(const Trial *t, const char *script, const char *file, const char *test)
{
    if (script && !file_exists(file))
        return "BROKEN: there is no file for it";
    char *changed = text("%s.changed", t->base), *log = text("%s.log", t->base), *tree = text("%s.tree", t->base);
    Trying trying = trying_of(test);
    char *set_up = text("tree='%s' changed='%s' file='%s' test='%s' copies=%s\n%s", tree, changed, script ? file : "",
                        trying.is_lab ? trying.name : trying.built,
                        starts_with(trying.name, "tests/") ? "true" : "false", set_up_tree);
    const char *verdict;
    if (script && mutate(script, file, changed) != 0)
        verdict = "BROKEN: it changes nothing";
    else if (mutants_sh(set_up, log, 120) != 0)
        verdict = "BROKEN: the tree cannot be made";
    else
        verdict = verdict_in_tree(&trying, tree, log);
    remove_tree(tree);
    unlink(changed);
    free(changed), free(log), free(tree), free(set_up);
    free(trying.name), free(trying.built), free(trying.run);
    return verdict;
}
