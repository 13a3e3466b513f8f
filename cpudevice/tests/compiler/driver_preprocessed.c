/* driver_preprocessed.c: what cucc keeps of cuda_runtime.h for the preprocessor (driver/preprocessed.c): when it is used, that
 * what is made is the same, and that it is not used where another file, another option or a changed header could make it
 * differ; for the CPU device with g++ only. The commands see $cucc, whose headers are a copy in home/include. */
#include "driver_kept.h"

/* Compiles with these further options; says how often g++ has preprocessed the file, and whether with what is kept. */
#define USES(options)                                                                                                  \
    "PATH=$quick:$PATH $cucc -v " options " -c -o p.o k.cu 2>said; s=$?; echo of $(grep -c 'g++ -E .*k.cu' said) "     \
    "runs $(grep -c 'imacros.*k.cu' said) quick, status $s"
/* Compiles with these further options; says what the program has for NAME, which stands among markers of lines. */
#define NAMED(options)                                                                                                 \
    "PATH=$quick:$PATH $cucc " options " -c -o p.o k.cu && "                                                           \
    "echo $(grep -v '^#' p.o | tr -d '\\n' | sed 's/.*%d.n\", *//; s/ *,.*//')"
#define QUICK "^of 1 runs 1 quick, status 0$"
#define WHOLE "^of 1 runs 0 quick, status 0$"

/* The object, which is made with what is kept if that was used last, is the one that is made without. */
#define SAME(options) "$cucc " options " -c -o p.o k.cu && CUCC_PCH=0 $cucc " options " -c -o q.o k.cu && cmp p.o q.o"

static const CommandCase first_uses[] = {
    {0, WHOLE, "CUCC_PCH=kept; export CUCC_PCH; " USES("") "; " USES("")},
    {0, WHOLE, USES("")}, /* the first time */
    {0, QUICK, USES("")},
    {0, "^$", SAME("")},
    {0, WHOLE, "CUCC_PCH=0; export CUCC_PCH; " USES("")},
    {0, QUICK, "CUCC_PCH=kept; export CUCC_PCH; " USES("")},
};

/* From here on with CUCC_PCH=1: what may be kept is used at once. */
static const CommandCase objects[] = {
    /* nothing is different in the object, with debug information neither */
    {0, QUICK, USES("-g -O0 --check")},
    {0, "^$", SAME("-g -O0 --check")},
    /* a macro that changes what is made of the headers is another key */
    {0, QUICK, USES("-DNDEBUG -O0")},
    {0, "^$", SAME("-DNDEBUG -O0")},
};

/* Folders of -I: harmless, unless they have a header's name. */
static const CommandCase folders[] = {
    {0, QUICK, USES("-Iempty")},
    {0, WHOLE, USES("-Iother -DNAME=SHADOW")},
    {0, "^7$", NAMED("-Iother -DNAME=SHADOW")},
    {0, WHOLE, "mkdir here && cd here && cp ../k.cu . && echo '#include_next <math.h>' >math.h && " USES("")},
    {0, WHOLE, "CPATH=other; export CPATH; " USES("-DNAME=SHADOW")},
};

static const CommandCase options[] = {
    /* not known to be harmless */
    {0, WHOLE, USES("-idirafter empty")},
    {0, WHOLE, USES("-Xcompiler -fmacro-prefix-map=k=j")},
    {0, WHOLE, USES("-MD -MF d")},
    /* dependencies without the system's */
    {0, QUICK, USES("-MMD -MP -MF d")},
    {0, "^$", "CUCC_PCH=0 $cucc -MMD -MP -MF e -c -o p.o k.cu && cmp d e && grep -q k.cu d"},
};

/* A message: said once, and what it says of the header is of the header's own line. */
static const CommandCase messages[] = {
    {0, "^of 2 runs 1 quick, status 0$", USES("-DREDEFINED")},
    {0, "^1 1$", "echo $(grep -c 'warning: \"M_PI\" redefined' said) $(grep -c '/math.h:[0-9]*: note' said)"},
    {0, "^of 2 runs 1 quick, status 1$", USES("-DMISTAKE")},
    {0, "^1$", "grep -c 'error: #error of the program' said"},
};

static const CommandCase headers[] = {
    /* one that has changed, at its length */
    {0, "^0$", NAMED("-DNAME=DEEPEST")},
    {0, "^5$", "sed -i 's/DEEPEST 0/DEEPEST 5/' home/include/vector_types.h && " NAMED("-DNAME=DEEPEST")},
    {0, QUICK, USES("-DNAME=DEEPEST")},
    {0, WHOLE, "touch home/include/vector_types.h; CUCC_PCH=kept; export CUCC_PCH; " USES("-DNAME=DEEPEST")},
    {0, QUICK, USES("-DNAME=DEEPEST")},
    /* one that does what is no macro */
    {0, WHOLE, "echo '#pragma once' >>home/include/vector_types.h; " USES("-DNAME=DEEPEST")},
    {0, WHOLE, USES("-DNAME=DEEPEST")},
};

static const char *program =
    "#include <cassert>\n#include <climits>\n#include <cmath>\n#include <cstdio>\n"
    "#ifdef REDEFINED\n#define M_PI 3\n#endif\n#ifdef MISTAKE\n#error of the program\n#endif\n"
    "#ifndef NAME\n#define NAME INT_MAX\n#endif\n"
    "__global__ void k(int *p)\n{\n    assert(p != NULL);\n    p[threadIdx.x] = M_PI > 3;\n}\n"
    "int main()\n{\n    printf(\"%d %d\\n\", NAME, __LINE__);\n    k<<<1, 32>>>(nullptr);\n}\n";

static void set_up(void)
{
    char text[64];
    kept_set_up();
    setenv("root", kept_root, 1);
    command_succeeds(
        "mkdir home empty other && for f in \"$root\"/cpudevice/*; do case $f in */include) cp -rp \"$f\" home/ ;; "
        "*) ln -s \"$f\" home/ ;; esac; done && echo '#define DEEPEST 0' >>home/include/vector_types.h && "
        ": >build/precompiled"); /* no folder: nothing is precompiled, which would take most of the time */
    snprintf(text, sizeof text, "%s/home/cucc", kept_out);
    setenv("cucc", text, 1);
    kept_write("k.cu", program);
    kept_write("other/math.h", "#define SHADOW 7\n#include_next <math.h>\n");
}

START_TEST(of_first_uses) { kept_hold(NULL, first_uses, LENGTH(first_uses)); }
END_TEST
START_TEST(of_objects) { kept_hold("1", objects, LENGTH(objects)); }
END_TEST
START_TEST(of_folders) { kept_hold("1", folders, LENGTH(folders)); }
END_TEST
START_TEST(of_options) { kept_hold("1", options, LENGTH(options)); }
END_TEST
START_TEST(of_messages) { kept_hold("1", messages, LENGTH(messages)); }
END_TEST
START_TEST(of_headers) { kept_hold("1", headers, LENGTH(headers)); }
END_TEST

int main(void)
{
    Suite *s = suite_create("driver_preprocessed");
    TCase *t = kept_case(s, set_up);
    if (!t)
        return 0;
    tcase_add_test(t, of_first_uses);
    tcase_add_test(t, of_objects);
    tcase_add_test(t, of_folders);
    tcase_add_test(t, of_options);
    tcase_add_test(t, of_messages);
    tcase_add_test(t, of_headers);
    return run_suite(s);
}
