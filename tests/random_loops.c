/* random_loops.c: random kernels without barriers, whose loops all threads go round together, or do not, behind guards that
 * let only some threads take part. Each kernel's body is compiled twice: as a kernel, and as a function of the host that
 * a sequential loop calls for each thread, by g++ alone. Both must leave the same memory. A thread writes only elements
 * of its own, so that the order of the threads says nothing.
 *
 * RANDOM_KERNELS_SECONDS bounds the time (a third of it is taken, 20 s by default), RANDOM_KERNELS_SEED sets the first seed,
 * as for random_kernels_test. A program that is wrong is left in build/random_loops/. */
#include <check.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "suite.h"

#define FOLDER "build/random_loops"
#ifdef LAB_CPU
#define COMPILER "cpudevice/cucc -O3"
#else
#define COMPILER "nvcc -w"
#endif
enum { KERNELS = 20, DEEPEST = 3, VARIABLES = 12, LEAST = 4 /* programs, however long they take */ };

/* ---- a program ---- */

typedef struct {
    FILE *out;
    unsigned long state;
    int depth, counters; /* of loops */
    int variables;       /* v0, v1, ...: declared by now */
} Program;

static unsigned any(Program *p, unsigned n) /* below n */
{
    p->state = p->state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(p->state >> 33) % n;
}

static bool one_in(Program *p, unsigned n) { return any(p, n) == 0; }

static const char *one_of(Program *p, const char *const *words)
{
    unsigned n = 0;
    while (words[n])
        n++;
    return words[any(p, n)];
}

/* An element: `own` is one that this thread alone uses, round by round of the innermost loop or not. */
static void element(Program *p, bool own)
{
    static const char *const indices[] = {"id", "i + j * nx", "j * nx + i", NULL};
    const char *index = one_of(p, indices);
    bool round = p->counters > 0 && !one_in(p, 3);
    char counter[16] = "";
    if (round)
        snprintf(counter, sizeof counter, "k%d", p->counters - 1);
    if (own && round)
        fprintf(p->out, "mine[((unsigned)%s & 7) * all + %s]", counter, index);
    else if (own)
        fprintf(p->out, "mine[%s]", index);
    else if (round && one_in(p, 3))
        fprintf(p->out, "in[%s & 1023]", counter);
    else if (round)
        fprintf(p->out, one_in(p, 4) ? "in[(%s * all - i) & 1023]" : "in[(%s & 3) * all + id]", counter);
    else
        fprintf(p->out, "in[%s]", index);
}

static void expression(Program *p, int depth)
{
    static const char *const operators[] = {"+", "-", "*", "^", "&", "|", NULL};
    static const char *const leaves[] = {"i", "j", "nx", "threadIdx.x", "blockIdx.x", "blockDim.y", NULL};
    unsigned kind = any(p, depth > 2 ? 5 : 8);
    if (kind == 0)
        fprintf(p->out, "%uu", any(p, 100));
    else if (kind == 1)
        fprintf(p->out, "(unsigned)%s", one_of(p, leaves));
    else if (kind == 2 && p->counters)
        fprintf(p->out, "(unsigned)k%d", (int)any(p, (unsigned)p->counters));
    else if (kind <= 3 && p->variables)
        fprintf(p->out, "v%d", (int)any(p, (unsigned)p->variables));
    else if (kind <= 4) {
        element(p, one_in(p, 3));
    } else {
        const char *operation = one_of(p, operators);
        fprintf(p->out, "(");
        expression(p, depth + 1);
        fprintf(p->out, " %s ", operation);
        expression(p, depth + 1);
        fprintf(p->out, ")");
    }
}

/* One in `changing` changes something besides. */
static void declaration(Program *p, unsigned changing)
{
    static const char *const types[] = {"unsigned", "unsigned char", "unsigned short", "Number", "unsigned long", NULL};
    if (p->variables == VARIABLES)
        return;
    fprintf(p->out, "%s%s v%d = ", one_in(p, 40) ? "volatile " : "", one_of(p, types), p->variables);
    if (one_in(p, changing))
        fprintf(p->out, "mine[id]++");
    else
        expression(p, 0);
    fprintf(p->out, ";\n");
    p->variables++;
}

static void statements(Program *p);

static void loop(Program *p)
{
    static const char *const bounds[] = {"n",         "m", "n + blockIdx.y", "70", "5", "n / 2", "(int)blockIdx.x * 3",
                                         "m + i % 3", NULL};
    int k = p->counters, outer = p->variables;
    const char *bound = one_of(p, bounds);
    switch (any(p, 5)) {
    case 0: fprintf(p->out, "for (int k%d = %s; k%d > 0; k%d--)", k, bound, k, k); break;
    case 1: fprintf(p->out, "for (unsigned k%d = 0; k%d < %s; k%d += 3)", k, k, bound, k); break;
    case 2: fprintf(p->out, "int k%d;\nfor (k%d = 1; k%d <= %s; ++k%d)", k, k, k, bound, k); break;
    case 3: fprintf(p->out, "for (size_t k%d = 0, end = %s; k%d < end; k%d++)", k, bound, k, k); break;
    default: fprintf(p->out, "for (int k%d = 0; k%d < %s; k%d++)", k, k, bound, k);
    }
    p->counters++, p->depth++;
    fprintf(p->out, " {\n");
    statements(p);
    fprintf(p->out, "}\n");
    p->counters--, p->depth--;
    p->variables = outer;
}

static void change(Program *p)
{
    static const char *const operators[] = {"=", "+=", "-=", "^=", "*=", "|=", NULL};
    if (p->variables && !one_in(p, 3))
        fprintf(p->out, "v%d", (int)any(p, (unsigned)p->variables));
    else
        element(p, true);
    fprintf(p->out, " %s ", one_of(p, operators));
    expression(p, 0);
    fprintf(p->out, ";\n");
}

static void statement(Program *p)
{
    unsigned kind = any(p, 10);
    if (kind < 2) {
        declaration(p, 10);
    } else if (kind < 5 && p->depth < DEEPEST) {
        fprintf(p->out, "{\n"); /* a counter may be declared before its loop */
        loop(p);
        fprintf(p->out, "}\n");
    } else if (kind == 5 && one_in(p, 4)) {
        fprintf(p->out, "if (");
        expression(p, 1);
        fprintf(p->out, " & 1)\n");
        change(p);
    } else if (kind == 6 && p->counters && one_in(p, 8)) {
        fprintf(p->out, "if ((");
        expression(p, 1);
        fprintf(p->out, " & 15) == 3)\n%s;\n", one_in(p, 2) ? "break" : "continue");
    } else {
        change(p);
    }
}

static void statements(Program *p)
{
    for (unsigned n = 1 + any(p, 3); n > 0; n--)
        statement(p);
}

/* Guards, the last of which may be round the rest: how many braces that leaves open. */
static int guards(Program *p)
{
    static const char *const takes_part[] = {"i < nx - 5",
                                             "i + j < nx",
                                             "(i & 1)",
                                             "(i * 5 + j * 3) % 7 < 4",
                                             "j != 2",
                                             "threadIdx.x > 2 || threadIdx.y == 0",
                                             "(int)blockIdx.x < n",
                                             "in[id] % 4 != 0",
                                             "mine[id]++ % 5 != 1",
                                             "half > i",
                                             NULL};
    int open = 0;
    fprintf(p->out, "const int half = nx / 2;\n");
    for (unsigned n = any(p, 4); n > 0; n--) {
        if (one_in(p, 3))
            declaration(p, 3);
        const char *condition = one_of(p, takes_part);
        if (one_in(p, 3)) {
            fprintf(p->out, "if (%s) {\n", condition);
            open++;
        } else {
            fprintf(p->out, one_in(p, 2) ? "if (!(%s))\nreturn;\n" : "if (!(%s)) {\nreturn;\n}\n", condition);
        }
    }
    return open;
}

static void body(Program *p)
{
    static const char *const places[] = {
        "int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;",
        "const int j = threadIdx.y + blockIdx.y * blockDim.y, i = threadIdx.x + blockDim.x * blockIdx.x;",
        "int i = (blockIdx.x * blockDim.x) + threadIdx.x;\nint j = blockIdx.y * blockDim.y + threadIdx.y;", NULL};
    p->depth = p->counters = p->variables = 0;
    fprintf(p->out, "%s\nint id = i + j * nx;\n", one_of(p, places));
    int open = guards(p);
    for (unsigned n = 1 + any(p, 2); n > 0; n--)
        declaration(p, 10);
    statements(p);
    loop(p);
    statements(p);
    if (p->variables)
        fprintf(p->out, "mine[id] += v%d;\n", (int)any(p, (unsigned)p->variables));
    while (open-- > 0)
        fprintf(p->out, "}\n");
}

/* The text of one kernel, its twin on the host, and a function that compares them. */
static void print_kernel(Program *p, int number, unsigned long seed)
{
    static const char parameters[] = "unsigned *mine, const unsigned *in, int n, int m, int nx, int all";
    static const char *const blocks[] = {"dim3(32, 2)", "dim3(9, 5)",     "dim3(64)",
                                         "dim3(1, 40)", "dim3(16, 3, 1)", NULL};
    static const char *const grids[] = {"dim3(3, 2)", "dim3(1, 1)", "dim3(2, 3)", NULL};
    unsigned long state = seed * 1000 + (unsigned long)number;
    for (int twin = 0; twin < 2; twin++) {
        p->state = state * 2862933555777941757ul + 3037000493ul;
        if (twin)
            fprintf(p->out,
                    "static void host%d(const uint3 threadIdx, const uint3 blockIdx, const dim3 blockDim, %s)\n{\n",
                    number, parameters);
        else
            fprintf(p->out, "__global__ void kernel%d(%s)\n{\n", number, parameters);
        body(p);
        fprintf(p->out, "}\n");
    }
    fprintf(p->out, "static int test%d() { return compare(%d, kernel%d, host%d, %s, %s, %u, %u); }\n", number, number,
            number, number, one_of(p, grids), one_of(p, blocks), 60 + any(p, 30), any(p, 80));
}

static const char head[] =
    "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <cuda_runtime.h>\ntypedef unsigned int "
    "Number;\n"
    "template <class K, class H> static int compare(int number, K kernel, H host, dim3 grid, dim3 block, int n, int "
    "m)\n"
    "{\n"
    "    int nx = grid.x * block.x, all = nx * grid.y * block.y, size = 8 * all;\n"
    "    unsigned *mine, *in, *want = (unsigned *)malloc(size * 4);\n"
    "    if (cudaMallocManaged(&mine, size * 4) || cudaMallocManaged(&in, (size + 1024) * 4)) return 2;\n"
    "    for (int i = 0; i < size + 1024; i++) in[i] = (i + number) * 2654435761u >> 7;\n"
    "    for (int i = 0; i < size; i++) mine[i] = want[i] = i * 40503u + number;\n"
    "    kernel<<<grid, block>>>(mine, in, n, m, nx, all);\n"
    "    cudaError_t error = cudaDeviceSynchronize();\n"
    "    if (error) return printf(\"kernel %d: %s\\n\", number, cudaGetErrorString(error)), 1;\n"
    "    uint3 t, b;\n"
    "    for (b.z = 0, b.y = 0; b.y < grid.y; b.y++) for (b.x = 0; b.x < grid.x; b.x++)\n"
    "        for (t.z = 0, t.y = 0; t.y < block.y; t.y++) for (t.x = 0; t.x < block.x; t.x++)\n"
    "            host(t, b, block, want, in, n, m, nx, all);\n"
    "    int wrong = 0;\n"
    "    for (int i = 0; i < size; i++)\n"
    "        if (mine[i] != want[i] && !wrong++) printf(\"kernel %d: [%d] is %u, not %u\\n\", number, i, mine[i], "
    "want[i]);\n"
    "    cudaFree(mine), cudaFree(in), free(want);\n"
    "    return wrong != 0;\n"
    "}\n";

static void print_program(const char *path, unsigned long seed)
{
    Program p = {.out = fopen(path, "w")};
    ck_assert_ptr_nonnull(p.out);
    fputs(head, p.out);
    for (int k = 0; k < KERNELS; k++)
        print_kernel(&p, k, seed);
    fprintf(p.out, "int main()\n{\n    int wrong = 0;\n");
    for (int k = 0; k < KERNELS; k++)
        fprintf(p.out, "    wrong |= test%d();\n", k);
    fprintf(p.out, "    return wrong;\n}\n");
    fclose(p.out);
}

/* ---- the test ---- */

static int run(const char *format, ...)
{
    char command[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(random_loops_are_right)
{
    const char *seconds = getenv("RANDOM_KERNELS_SECONDS"), *from = getenv("RANDOM_KERNELS_SEED");
    time_t end = time(NULL) + (seconds ? atoi(seconds) : 60) / 3;
    unsigned long first = from && !strcmp(from, "new") ? (unsigned long)time(NULL)
                          : from                       ? strtoul(from, NULL, 10)
                                                       : 1,
                  seed = first;
    printf("random loops from seed %lu\n", first);
    fflush(stdout);
    do {
        char path[64];
        snprintf(path, sizeof path, FOLDER "/seed%lu", seed);
        char source[80];
        snprintf(source, sizeof source, "%s.cu", path);
        print_program(source, seed);
        ck_assert_msg(run(COMPILER " -std=c++17 -w -o %s %s >%s.log 2>&1", path, source, path) == 0,
                      "%s does not compile: %s.log", source, path);
        ck_assert_msg(run("CUDA_CPU_WATCHDOG=20 timeout 120 %s >%s.log 2>&1", path, path) == 0, "%s is wrong: %s.log",
                      source, path);
        run("rm -f %s %s.cu %s.log", path, path, path);
        seed++;
    } while (time(NULL) < end || seed < first + LEAST);
    printf("%lu random loops are right\n", (seed - first) * KERNELS);
}
END_TEST

int main(void)
{
    mkdir("build", 0777);
    mkdir(FOLDER, 0777);
    Suite *s = suite_create("random loops");
    TCase *t = tcase_create("random loops");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, random_loops_are_right);
    suite_add_tcase(s, t);
    return run_suite(s);
}
