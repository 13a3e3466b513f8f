/* random_loops.c: random kernels without barriers, whose loops all threads go round together, or do not, behind guards that
 * let only some threads take part. Each kernel's body is compiled twice: as a kernel, and as a function of the host that
 * a sequential loop calls for each thread, by g++ alone. Both must leave the same memory. A thread writes only elements
 * of its own, so that the order of the threads says nothing.
 *
 * random_programs.h says how long it runs. */
#include "random_programs.h"

enum { DEEPEST = 3, VARIABLES = 12 };

/* ---- a program ---- */

typedef struct {
    FILE *out;
    Chance chance;
    int depth, counters; /* of loops */
    int variables;       /* v0, v1, ...: declared by now */
} Program;

/* An element: `own` is one that this thread alone uses, round by round of the innermost loop or not. */
static void element(Program *p, bool own)
{
    static const char *const indices[] = {"id", "i + j * nx", "j * nx + i", NULL};
    const char *index = one_of(&p->chance, indices);
    bool round = p->counters > 0 && !one_in(&p->chance, 3);
    char counter[16] = "";
    if (round)
        snprintf(counter, sizeof counter, "k%d", p->counters - 1);
    if (own && round)
        fprintf(p->out, "mine[((unsigned)%s & 7) * all + %s]", counter, index);
    else if (own)
        fprintf(p->out, "mine[%s]", index);
    else if (round && one_in(&p->chance, 3))
        fprintf(p->out, "in[%s & 1023]", counter);
    else if (round)
        fprintf(p->out, one_in(&p->chance, 4) ? "in[(%s * all - i) & 1023]" : "in[(%s & 3) * all + id]", counter);
    else
        fprintf(p->out, "in[%s]", index);
}

static void expression(Program *p, int depth)
{
    static const char *const operators[] = {"+", "-", "*", "^", "&", "|", NULL};
    static const char *const leaves[] = {"i", "j", "nx", "threadIdx.x", "blockIdx.x", "blockDim.y", NULL};
    unsigned kind = any(&p->chance, depth > 2 ? 5 : 8);
    if (kind == 0)
        fprintf(p->out, "%uu", any(&p->chance, 100));
    else if (kind == 1)
        fprintf(p->out, "(unsigned)%s", one_of(&p->chance, leaves));
    else if (kind == 2 && p->counters)
        fprintf(p->out, "(unsigned)k%d", (int)any(&p->chance, (unsigned)p->counters));
    else if (kind <= 3 && p->variables)
        fprintf(p->out, "v%d", (int)any(&p->chance, (unsigned)p->variables));
    else if (kind <= 4) {
        element(p, one_in(&p->chance, 3));
    } else {
        const char *operation = one_of(&p->chance, operators);
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
    fprintf(p->out, "%s%s v%d = ", one_in(&p->chance, 40) ? "volatile " : "", one_of(&p->chance, types), p->variables);
    if (one_in(&p->chance, changing))
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
    const char *bound = one_of(&p->chance, bounds);
    switch (any(&p->chance, 5)) {
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
    if (p->variables && !one_in(&p->chance, 3))
        fprintf(p->out, "v%d", (int)any(&p->chance, (unsigned)p->variables));
    else
        element(p, true);
    fprintf(p->out, " %s ", one_of(&p->chance, operators));
    expression(p, 0);
    fprintf(p->out, ";\n");
}

static void statement(Program *p)
{
    unsigned kind = any(&p->chance, 10);
    if (kind < 2) {
        declaration(p, 10);
    } else if (kind < 5 && p->depth < DEEPEST) {
        fprintf(p->out, "{\n"); /* a counter may be declared before its loop */
        loop(p);
        fprintf(p->out, "}\n");
    } else if (kind == 5 && one_in(&p->chance, 4)) {
        fprintf(p->out, "if (");
        expression(p, 1);
        fprintf(p->out, " & 1)\n");
        change(p);
    } else if (kind == 6 && p->counters && one_in(&p->chance, 8)) {
        fprintf(p->out, "if ((");
        expression(p, 1);
        fprintf(p->out, " & 15) == 3)\n%s;\n", one_in(&p->chance, 2) ? "break" : "continue");
    } else {
        change(p);
    }
}

static void statements(Program *p)
{
    for (unsigned n = 1 + any(&p->chance, 3); n > 0; n--)
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
    for (unsigned n = any(&p->chance, 4); n > 0; n--) {
        if (one_in(&p->chance, 3))
            declaration(p, 3);
        const char *condition = one_of(&p->chance, takes_part);
        if (one_in(&p->chance, 3)) {
            fprintf(p->out, "if (%s) {\n", condition);
            open++;
        } else {
            fprintf(p->out, one_in(&p->chance, 2) ? "if (!(%s))\nreturn;\n" : "if (!(%s)) {\nreturn;\n}\n", condition);
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
    fprintf(p->out, "%s\nint id = i + j * nx;\n", one_of(&p->chance, places));
    int open = guards(p);
    for (unsigned n = 1 + any(&p->chance, 2); n > 0; n--)
        declaration(p, 10);
    statements(p);
    loop(p);
    statements(p);
    if (p->variables)
        fprintf(p->out, "mine[id] += v%d;\n", (int)any(&p->chance, (unsigned)p->variables));
    while (open-- > 0)
        fprintf(p->out, "}\n");
}

/* The text of one kernel, its twin on the host, and a function that compares them. */
static void print_kernel(FILE *out, int number, unsigned long seed)
{
    Program p = {.out = out};
    static const char parameters[] = "unsigned *mine, const unsigned *in, int n, int m, int nx, int all";
    static const char *const blocks[] = {"dim3(32, 2)", "dim3(9, 5)",     "dim3(64)",
                                         "dim3(1, 40)", "dim3(16, 3, 1)", NULL};
    static const char *const grids[] = {"dim3(3, 2)", "dim3(1, 1)", "dim3(2, 3)", NULL};
    for (int twin = 0; twin < 2; twin++) {
        chance_begin(&p.chance, seed, number);
        if (twin)
            fprintf(out,
                    "static void host%d(const uint3 threadIdx, const uint3 blockIdx, const dim3 blockDim, %s)\n{\n",
                    number, parameters);
        else
            fprintf(out, "__global__ void kernel%d(%s)\n{\n", number, parameters);
        body(&p);
        fprintf(out, "}\n");
    }
    fprintf(out, "static int test%d() { return compare(%d, kernel%d, host%d, %s, %s, %u, %u); }\n", number, number,
            number, number, one_of(&p.chance, grids), one_of(&p.chance, blocks), 60 + any(&p.chance, 30),
            any(&p.chance, 80));
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

START_TEST(random_loops_are_right) { random_programs(7, "loops", "build/random_loops", head, print_kernel); }
END_TEST

static void add(TCase *t) { tcase_add_test(t, random_loops_are_right); }

int main(void) { return random_suite("random loops", add); }
