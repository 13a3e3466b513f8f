/* driver_preprocessed.c: what cucc keeps of cuda_runtime.h for the preprocessor (driver/preprocessed.c): when it is used, that
 * what is made is the same, and that it is not used where another file, another option or a changed header could make it
 * differ; for the CPU device with g++ only. The commands see $cucc, whose headers are a copy in home/include. */
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "suite.h"

/* Compiles with these further options; says how often g++ has preprocessed the file, and whether with what is kept. */
#define USES(options)                                                                                                  \
    "$cucc -v " options " -c -o p.o k.cu 2>said; s=$?; echo of $(grep -c 'g++ -E .*k.cu' said) runs "                  \
    "$(grep -c 'imacros.*k.cu' said) quick, status $s"
#define QUICK "^of 1 runs 1 quick, status 0$"
#define WHOLE "^of 1 runs 0 quick, status 0$"

/* The object is the one that is made without what is kept. */
#define SAME(options) "CUCC_PCH=0 $cucc " options " -c -o q.o k.cu && cmp p.o q.o"

static const CommandCase first_uses[] = {
    {0, WHOLE, "CUCC_PCH=kept; export CUCC_PCH; $cucc -c -o p.o k.cu;" USES("")},
    {0, WHOLE, USES("")}, /* the first time */
    {0, QUICK, USES("")},
    {0, "^$", SAME("")},
    {0, WHOLE, "CUCC_PCH=0; export CUCC_PCH; " USES("")},
    {0, QUICK, "CUCC_PCH=kept; export CUCC_PCH; " USES("")},
};

/* With CUCC_PCH=1: what may be kept is used at once. */
static const CommandCase at_once[] = {
    /* nothing is different in the object, with debug information neither */
    {0, QUICK, USES("-g -O0 --check")},
    {0, "^$", SAME("-g -O0 --check")},
    /* a macro that changes what is made of the headers is another key */
    {0, QUICK, USES("-DNDEBUG -O0")},
    {0, "^$", SAME("-DNDEBUG -O0")},
    /* folders of -I: harmless, unless they have a header's name */
    {0, QUICK, USES("-Iempty")},
    {0, WHOLE, USES("-Iother -DNAME=SHADOW")},
    {0, "^7 ", "$cucc -Iother -DNAME=SHADOW -o p k.cu && ./p"},
    {0, WHOLE, "mkdir here && cd here && cp ../k.cu . && echo '#include_next <math.h>' >math.h && " USES("")},
    {0, WHOLE, "CPATH=other; export CPATH; " USES("-DNAME=SHADOW")},
    /* options that are not known to be harmless */
    {0, WHOLE, USES("-idirafter empty")},
    {0, WHOLE, USES("-Xcompiler -fmacro-prefix-map=k=j")},
    {0, WHOLE, USES("-MD -MF d")},
    /* dependencies without the system's */
    {0, QUICK, USES("-MMD -MP -MF d")},
    {0, "^$", "CUCC_PCH=0 $cucc -MMD -MP -MF e -c -o p.o k.cu && cmp d e && grep -q k.cu d"},
    /* a message: said once, and what it says of the header is of the header's own line */
    {0, "^of 2 runs 1 quick, status 0$", USES("-DREDEFINED")},
    {0, "^1 1$", "echo $(grep -c 'warning: \"M_PI\" redefined' said) $(grep -c '/math.h:[0-9]*: note' said)"},
    {0, "^of 2 runs 1 quick, status 1$", USES("-DMISTAKE")},
    {0, "^1$", "grep -c 'error: #error of the program' said"},
    /* a header that has changed, at its length */
    {0, "^0 ", "$cucc -DNAME=DEEPEST -o p k.cu && ./p"},
    {0, "^5 ", "sed -i 's/DEEPEST 0/DEEPEST 5/' home/include/vector_types.h && $cucc -DNAME=DEEPEST -o p k.cu && ./p"},
    {0, WHOLE, "touch home/include/vector_types.h; CUCC_PCH=kept; export CUCC_PCH; " USES("")},
    {0, QUICK, USES("")},
    /* one that does what is no macro */
    {0, WHOLE, "echo '#pragma once' >>home/include/vector_types.h; " USES("")},
    {0, WHOLE, USES("")},
};

static char out[] = "/tmp/preprocessedXXXXXX";

static const char *program =
    "#include <cassert>\n#include <climits>\n#include <cmath>\n#include <cstdio>\n"
    "#ifdef REDEFINED\n#define M_PI 3\n#endif\n#ifdef MISTAKE\n#error of the program\n#endif\n"
    "#ifndef NAME\n#define NAME INT_MAX\n#endif\n"
    "__global__ void k(int *p)\n{\n    assert(p != NULL);\n    p[threadIdx.x] = M_PI > 3;\n}\n"
    "int main()\n{\n    printf(\"%d %d\\n\", NAME, __LINE__);\n    k<<<1, 32>>>(nullptr);\n}\n";

static void write_to(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
}

static void set_up(void)
{
    char root[4096], text[8192];
    ck_assert_ptr_nonnull(getcwd(root, sizeof root));
    unsetenv("CUCC_PCH"); /* a mutant's test is given one */
    unsetenv("CPATH"), unsetenv("CPLUS_INCLUDE_PATH");
    ck_assert_ptr_nonnull(mkdtemp(out));
    snprintf(
        text, sizeof text,
        "cpudevice/cucc --build && built=$(cd \"${CUCC_BUILD:-build/cpu}\" && pwd -P) && cd %s && "
        "mkdir build home empty other && for f in \"$built\"/*; do "
        "case $f in */preprocessed) ;; *) ln -s \"$f\" build/ ;; esac; done && "
        "for f in %s/cpudevice/*; do case $f in */include) cp -rp \"$f\" home/ ;; *) ln -s \"$f\" home/ ;; esac; done",
        out, root);
    ck_assert_int_eq(system(text), 0);
    ck_assert_int_eq(chdir(out), 0);
    snprintf(text, sizeof text, "%s/home/cucc", out);
    setenv("cucc", text, 1);
    snprintf(text, sizeof text, "%s/build", out);
    setenv("CUCC_BUILD", text, 1);
    setenv("CUCC_BUILDS", "no", 1);
    write_to("k.cu", program);
    write_to("other/math.h", "#define SHADOW 7\n#include_next <math.h>\n");
    ck_assert_int_eq(system("echo '#define DEEPEST 0' >>home/include/vector_types.h"), 0);
}

START_TEST(in_turn)
{
    for (size_t i = 0; i < sizeof first_uses / sizeof *first_uses; i++)
        command_holds(&first_uses[i]);
    setenv("CUCC_PCH", "1", 1);
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++)
        command_holds(&at_once[i]);
}
END_TEST

static void tear_down(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", out);
    ck_assert_int_eq(system(command), 0);
}

int main(void)
{
    Suite *s = suite_create("driver_preprocessed");
    TCase *t = tcase_create("all");
    const char *compiler = getenv("CUCC_CXX");
    if (compiler && strstr(compiler, "clang")) {
        test_skip("nothing is kept for clang");
        return 0;
    }
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_test(t, in_turn);
    suite_add_tcase(s, t);
    return run_suite(s);
}
