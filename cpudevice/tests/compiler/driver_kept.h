/* driver_kept.h: what the tests of what cucc keeps of cuda_runtime.h share: a folder of the test's own with a build/ in which
 * nothing is kept yet, tables of commands, and the test case; for the CPU device with g++ only. The commands see: $cucc, which
 * builds nothing; $quick, a folder with a g++ that preprocesses as ever, and whose objects are the text that it is to compile. */
#ifndef DRIVER_KEPT_H
#define DRIVER_KEPT_H

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "suite.h"

#define LENGTH(table) (sizeof(table) / sizeof *(table))

static char kept_root[4096]; /* of the course */
static char kept_out[COMMAND_FOLDER];

static inline void kept_write(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
}

/* For a case that asks only what g++ is given: half of the tests' time went to what g++ makes of it. */
static inline void kept_write_quick(void)
{
    static const char script[] = "#!/bin/sh\n"
                                 "case $* in -E* | -dump* | */probe.cc) PATH=$path exec \"$compiler\" \"$@\" ;; esac\n"
                                 "while [ $# -gt 3 ]; do shift; done; cp \"$1\" \"$3\"\n"; /* TEXT -o OBJECT */
    char text[64];
    const char *compiler = getenv("CUCC_CXX");
    setenv("compiler", compiler ? compiler : "g++", 1);
    setenv("path", getenv("PATH"), 1);
    snprintf(text, sizeof text, "%s/quick", kept_out);
    setenv("quick", text, 1);
    ck_assert_int_eq(mkdir("quick", 0777), 0);
    kept_write("quick/g++", script);
    ck_assert_int_eq(chmod("quick/g++", 0777), 0);
}

/* Goes to the folder. Its build/ has links to all that is built, and a folder of its own for what is kept. */
static inline void kept_set_up(void)
{
    char text[1024];
    ck_assert_ptr_nonnull(getcwd(kept_root, sizeof kept_root));
    unsetenv("CUCC_PCH"); /* a mutant's test is given one */
    unsetenv("CPATH"), unsetenv("CPLUS_INCLUDE_PATH");
    command_folder(kept_out);
    command_succeeds(
        "cpudevice/cucc --build && built=$(cd \"${CUCC_BUILD:-build/cpu}\" && pwd -P) && mkdir $out/build && "
        "for f in \"$built\"/*; do case $f in */precompiled | */preprocessed) ;; *) ln -s \"$f\" $out/build/ ;; "
        "esac; done");
    ck_assert_int_eq(chdir(kept_out), 0);
    snprintf(text, sizeof text, "%s/build", kept_out);
    setenv("CUCC_BUILD", text, 1);
    setenv("CUCC_BUILDS", "no", 1);
    kept_write_quick();
}

static inline void kept_tear_down(void) { command_succeeds("rm -rf $out"); }

/* `pch`: CUCC_PCH for these commands, or NULL. */
static inline void kept_hold(const char *pch, const CommandCase *cases, size_t n)
{
    if (pch)
        setenv("CUCC_PCH", pch, 1);
    commands_hold(cases, n);
}

/* The case for the suite's tests, each of which can run alone; NULL where nothing is kept. */
static inline TCase *kept_case(Suite *s, void (*set_up)(void))
{
    const char *compiler = getenv("CUCC_CXX");
    if (compiler && strstr(compiler, "clang")) {
        test_skip("nothing is kept for clang");
        return NULL;
    }
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, kept_tear_down);
    suite_add_tcase(s, t);
    return t;
}

#endif
