/* driver_precompiled.c: what cucc keeps of cuda_runtime.h for g++ (driver/precompiled.c): when it is used, that it changes
 * no byte of what is made, and what happens where it does not fit; for the CPU device with g++ only. The commands see:
 * $cucc; $once, an option of g++. What is kept is in a folder of the test's own. */
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "suite.h"

/* Compiles with these further options, and says whether g++ was given what is kept. */
#define USES(options)                                                                                                  \
    "$cucc -v $once " options " -c -o p.o k.cu 2>said; echo uses $(grep -c 'cpp-output.*rest.ii' said), status $?"

#define KEY "key=$(cat key); "

static const CommandCase in_order[] = {
    /* nothing new, where that is asked for */
    {0, "^uses 0, status 0$", "CUCC_PCH=kept; export CUCC_PCH; $cucc $once -c -o p.o k.cu;" USES("")},
    {0, "^uses 0, status 0$", USES("")}, /* the first time */
    {0, "^uses 1, status 0$", USES("")},
    {0, "^[0-9a-f]+$", "sed -n 's/^#. g++ .*c++-header.* -o \\(.*\\).gch.part.*/\\1/p' said >key; basename $(cat key)"},
    /* nothing is different in the object, with debug information neither */
    {0, "^$", "CUCC_PCH=0 $cucc $once -c -o q.o k.cu && cmp p.o q.o"},
    {0, "^$",
     "for i in 1 2 3; do $cucc $once -g -O3 -c -o p.o k.cu; done; CUCC_PCH=0 $cucc $once -g -O3 -c -o q.o k.cu && cmp "
     "p.o q.o"},
    {0, "^$",
     "for i in 1 2 3; do $cucc --check $once -c -o p.o k.cu; done; CUCC_PCH=0 $cucc --check $once -c -o q.o k.cu && "
     "cmp p.o q.o"},
    {0, "^uses 0, status 0$", "CUCC_PCH=0; export CUCC_PCH; " USES("")},
    {0, "^uses 1, status 0$", "CUCC_PCH=kept; export CUCC_PCH; " USES("")},
    /* other options, and a macro that changes what the preprocessor makes of the header, are other keys */
    {0, "^uses 0, status 0$", USES("-Xcompiler -fno-inline")},
    /* at once, where that is asked for */
    {0, "^uses 1, status 0$", "CUCC_PCH=1; export CUCC_PCH; " USES("-Xcompiler -fno-inline-small-functions")},
    {0, "^uses 0, status 0$", USES("-Dint2=another_name")},
    {0, "^uses 1, status 0$", USES("-DNO_WORD_OF_IT=1")},
    /* a program's mistake is reported as ever, and its own header that comes before all */
    {1, "^k.cu:4: error: 'missing' was not declared in this scope", "$cucc $once -DMISTAKE -c -o p.o k.cu"},
    {0, "^3 5$", "$cucc $once -include first.h -DFIRST -o p k.cu && ./p"},
    /* a key that stands for another text: not used */
    {0, "^uses 0, status 0$", KEY "cp $key.ii saved; echo >>$key.ii; " USES("") "; cp saved $key.ii"},
    {0, "^uses 0, status 0$", KEY "cp $key.options saved; echo >>$key.options; " USES("") "; cp saved $key.options"},
    {0, "^uses 1, status 0$", USES("")},
    /* what g++ cannot load: compiled without it, and not tried again */
    {0, "^3 4$", KEY "echo damaged >$key.gch; $cucc $once -o p k.cu && ./p"},
    {0, "^0$", KEY "wc -c <$key.gch"},
    {0, "^uses 0, status 0$", USES("")},
};

static char out[] = "/tmp/precompiledXXXXXX";

static const char *program =
    "#include <cstdio>\n__global__ void k(int *p)\n{\n"
    "#ifdef MISTAKE\n#line 4\n    missing();\n#endif\n    p[threadIdx.x] = threadIdx.x + max(1, 0);\n}\nint main()\n{\n"
    "    int *p;\n    cudaMallocManaged(&p, 128);\n    k<<<1, 32>>>(p);\n    cudaDeviceSynchronize();\n"
    "#ifdef FIRST\n    p[3] = first();\n#endif\n    printf(\"%d %d\\n\", p[2], p[3]);\n}\n";

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
    ck_assert_ptr_nonnull(mkdtemp(out));
    /* A folder of its own for what is kept, which others would replace by theirs, beside what is built. */
    snprintf(text, sizeof text,
             "cpudevice/cucc --build && built=$(cd \"${CUCC_BUILD:-build/cpu}\" && pwd -P) && mkdir %s/build && "
             "for f in \"$built\"/*; do case $f in */precompiled) ;; *) ln -s \"$f\" %s/build/ ;; esac; done",
             out, out);
    ck_assert_int_eq(system(text), 0);
    ck_assert_int_eq(chdir(out), 0);
    snprintf(text, sizeof text, "%s/cpudevice/cucc", root);
    ck_assert_int_eq(symlink(text, "cucc"), 0);
    setenv("cucc", "./cucc", 1);
    setenv("CUCC_BUILD", "build", 1);
    setenv("once", "-O1 -Xcompiler -frandom-seed=1", 1); /* equal objects */
    write_to("k.cu", program);
    write_to("first.h", "inline int first() { return 5; }\n");
}

START_TEST(in_turn)
{
    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++)
        command_holds(&in_order[i]);
    ck_assert_int_eq(system("rm -f $(cat key).*"), 0);
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
    Suite *s = suite_create("driver_precompiled");
    TCase *t = tcase_create("all");
    const char *compiler = getenv("CUCC_CXX");
    if (compiler && strstr(compiler, "clang")) {
        test_skip("clang precompiles in another way");
        return 0;
    }
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_test(t, in_turn);
    suite_add_tcase(s, t);
    return run_suite(s);
}
