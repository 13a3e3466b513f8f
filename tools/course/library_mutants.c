/* library_mutants.c: a mutant of the library or of the CPU device, in a tree of its own: made of links, with the one file
 * changed, what was built already, and the one test.
 *
 * A folder of the tree is a folder, and its files are links, so that what looks for its home by its path finds the tree.
 * Objects are hard links with their times: make and cucc then build again only what the changed file is part of. What is
 * written in place (lists of dependencies, libraries that make touches) is copied. */
#include "mutants.h"
#include "commands.h"

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
    "links() { to=$1; shift; for f; do cp -rs \"$PWD/$f\" \"$tree/$to/\"; done; }\n"
    "for f in *; do case $f in build | cpudevice | tests) ;; results) ln -s \"$PWD/$f\" \"$tree/\" ;;\n"
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
    "[ ! \"$file\" ] || cp --remove-destination \"$changed\" \"$tree/$file\"\n";

/* `test` is a path of a program or of a script, and behind a blank one case of it: of a program the name of a test case
 * of Check's, of a script its further arguments. */
const char *try_library(const Trial *t, const char *script, const char *file, const char *test)
{
    char *changed = text("%s.changed", t->base), *log = text("%s.log", t->base), *tree = text("%s.tree", t->base);
    const char *verdict = verdict_ok;
    if (script && (!file_exists(file) || mutate(script, file, changed) != 0)) {
        verdict = file_exists(file) ? "BROKEN: it changes nothing" : "BROKEN: there is no file for it";
        free(changed), free(log), free(tree);
        return verdict;
    }
    int words = (int)strcspn(test, " ");
    char *name = text("%.*s", words, test);
    const char *which = test + words + strspn(test + words, " ");
    int is_script = ends_with(name, ".sh"), is_lab = starts_with(name, "lecture");
    char *program = is_script ? text("sh %s cpu %s", name, which)
                              : text("%s%sbuild/cpu/%s%s", *which ? "CK_RUN_CASE=" : "",
                                     *which ? text("%s ", which) : "", is_lab ? "tests/labs/" : "", name);
    const char *built = is_script ? "" : strstr(program, "build/cpu/") + strlen("build/cpu/");
    char *set_up = text("tree='%s' changed='%s' file='%s' test='%s' copies=%s\n%s", tree, changed, script ? file : "",
                        is_lab ? name : built, starts_with(name, "tests/") ? "true" : "false", set_up_tree);
    char *make = text("cd '%s' && MAKEFLAGS= make -s --no-print-directory DEVICE=cpu build/cpu/%s", tree, built);
    char *run = text("cd '%s' && %s", tree, program);
    /* A legal program that is refused catches the mutant of a compiler that builds. */
    int is_case = starts_with(name, "conformance/");
    char *parts = text("cd '%s' && MAKEFLAGS= make -s --no-print-directory DEVICE=cpu build/cpu/libcudacpu.a && echo "
                       "'int part;' >build/cpu/part.c && cpudevice/cucc %s -c build/cpu/part.c -o build/cpu/part.o",
                       tree, starts_with(name, "conformance/check/") ? "--check" : "");
    if (mutants_sh(set_up, log, 120) != 0)
        verdict = "BROKEN: the tree cannot be made";
    else if (is_case && mutants_sh(parts, log, 600) != 0)
        verdict = "BROKEN: it does not build";
    else if (!is_script && mutants_sh(make, log, 600) != 0)
        verdict = is_case ? verdict_ok : "BROKEN: it does not build";
    else {
        int status = mutants_sh(run, log, 300);
        verdict = is_script ? verdict_of_script(status, log) : verdict_of(status, "SURVIVED");
    }
    remove_tree(tree);
    unlink(changed);
    free(changed), free(log), free(tree), free(set_up), free(program), free(make), free(run), free(name), free(parts);
    return verdict;
}
