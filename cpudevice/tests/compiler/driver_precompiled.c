/* driver_precompiled.c: what cucc keeps of cuda_runtime.h for g++ (driver/precompiled.c): when it is used, that it changes
 * no byte of what is made, and what happens where it does not fit; for the CPU device with g++ only. The commands see:
 * $cucc; $once, an option of g++. */
#include "driver_kept.h"

/* Compiles with these further options, and says whether g++ was given what is kept. */
#define USES_BY(path, options)                                                                                         \
    path "$cucc -v $once " options " -c -o p.o k.cu 2>said; s=$?; echo uses $(grep -c 'cpp-output.*rest.ii' said), "   \
         "status $s"
#define USES(options) USES_BY("", options)
#define USES_NOT(options) USES_BY("PATH=$quick:$PATH ", options)
#define USED "^uses 1, status 0$"
#define NOT_USED "^uses 0, status 0$"

/* The object of the last command is the one that is made without what is kept. */
#define SAME(options) "CUCC_PCH=0 $cucc $once " options " -c -o q.o k.cu && cmp p.o q.o"

/* Makes what is kept, whose name without an ending is $key, where it is not made yet. */
#define KEY                                                                                                            \
    "[ -e key ] || { CUCC_PCH=1 $cucc -v $once -c k.cu 2>&1 | "                                                        \
    "sed -n 's/^#. g++ .*c++-header.* -o \\(.*\\).gch.part.*/\\1/p' >key; }; key=$(cat key); "

static const CommandCase first_uses[] = {
    /* nothing new, where that is asked for */
    {0, NOT_USED, "CUCC_PCH=kept; export CUCC_PCH; " USES_NOT("") "; " USES_NOT("")},
    {0, NOT_USED, USES_NOT("")}, /* the first time */
    {0, USED, USES("")},
    {0, "^[0-9a-f]+$", "sed -n 's/^#. g++ .*c++-header.* -o \\(.*\\).gch.part.*/\\1/p' said >key; basename $(cat key)"},
    /* nothing is different in the object */
    {0, "^$", SAME("")},
    {0, NOT_USED, "CUCC_PCH=0; export CUCC_PCH; " USES_NOT("")},
    {0, USED, "CUCC_PCH=kept; export CUCC_PCH; " USES("")},
    /* other options, and a macro that changes what the preprocessor makes of the header, are other keys */
    {0, NOT_USED, USES_NOT("-Xcompiler -fno-inline")},
    {0, NOT_USED, USES_NOT("-Dint2=another_name")},
    {0, USED, USES("-DNO_WORD_OF_IT=1")},
};

/* Where it is asked for, what is kept is made at once. */
static const CommandCase at_once[] = {
    {0, USED, USES("-g -O3")}, /* with debug information the object is the same, too */
    {0, "^$", SAME("-g -O3")},
    {0, USED, USES("--check")},
    {0, "^$", SAME("--check")},
};

static const CommandCase texts[] = {
    /* a program's mistake is reported as ever, and its own header that comes before all */
    {1, "^k.cu:4: error: 'missing' was not declared in this scope", KEY "$cucc $once -DMISTAKE -c -o p.o k.cu"},
    {0, "^3 5$", "$cucc $once -include first.h -DFIRST -o p k.cu && ./p"},
    /* a key that stands for another text: not used */
    {0, NOT_USED, KEY "cp $key.ii saved; echo >>$key.ii; " USES_NOT("") "; cp saved $key.ii"},
    {0, NOT_USED, KEY "cp $key.options saved; echo >>$key.options; " USES_NOT("") "; cp saved $key.options"},
    {0, USED, USES("")},
};

/* What g++ cannot load: compiled without it, and not tried again. */
static const CommandCase damaged[] = {
    {0, "^3 4$", KEY "echo damaged >$key.gch; $cucc $once -o p k.cu && ./p"},
    {0, "^0$", KEY "wc -c <$key.gch"},
    {0, NOT_USED, USES_NOT("")},
};

static const char *program =
    "#include <cstdio>\n__global__ void k(int *p)\n{\n"
    "#ifdef MISTAKE\n#line 4\n    missing();\n#endif\n    p[threadIdx.x] = threadIdx.x + max(1, 0);\n}\nint main()\n{\n"
    "    int *p;\n    cudaMallocManaged(&p, 128);\n    k<<<1, 32>>>(p);\n    cudaDeviceSynchronize();\n"
    "#ifdef FIRST\n    p[3] = first();\n#endif\n    printf(\"%d %d\\n\", p[2], p[3]);\n}\n";

static void set_up(void)
{
    char text[4200];
    kept_set_up();
    snprintf(text, sizeof text, "%s/cpudevice/cucc", kept_root);
    ck_assert_int_eq(symlink(text, "cucc"), 0);
    setenv("cucc", "./cucc", 1);
    setenv("once", "-O1 -Xcompiler -frandom-seed=1", 1); /* equal objects */
    kept_write("k.cu", program);
    kept_write("first.h", "inline int first() { return 5; }\n");
}

START_TEST(of_first_uses) { kept_hold(NULL, first_uses, LENGTH(first_uses)); }
END_TEST
START_TEST(of_at_once) { kept_hold("1", at_once, LENGTH(at_once)); }
END_TEST
START_TEST(of_texts) { kept_hold(NULL, texts, LENGTH(texts)); }
END_TEST
START_TEST(of_damaged) { kept_hold(NULL, damaged, LENGTH(damaged)); }
END_TEST

int main(void)
{
    Suite *s = suite_create("driver_precompiled");
    TCase *t = kept_case(s, set_up);
    if (!t)
        return 0;
    tcase_add_test(t, of_first_uses);
    tcase_add_test(t, of_at_once);
    tcase_add_test(t, of_texts);
    tcase_add_test(t, of_damaged);
    return run_suite(s);
}
