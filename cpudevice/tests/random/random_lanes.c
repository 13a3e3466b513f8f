/* random_lanes.c: random kernels whose lanes exchange values: shuffles of each kind and width, __syncwarp() with shared
 * memory, __syncthreads(), functions and tiles that do so, in loops and within `if`s that whole warps or some lanes of each
 * take. Each kernel has a twin: a function of the host, compiled by g++ alone, that does each statement for all threads
 * before the next, with a model of the shuffles after CUDA's documentation. Both must leave the same memory.
 *
 * random_programs.h says how long it runs. */
#include "random_programs.h"

enum { VARIABLES = 10, DEEPEST = 3 };

typedef struct {
    FILE *kernel, *twin;
    Chance chance;
    int depth;                 /* of ifs: the twin's me.p[depth] says who takes part */
    int loops;                 /* k0, k1, ...: counters that are there */
    bool in_if, powers;        /* loops count by halves or doubles here; the innermost does, up to 16 */
    int variables;             /* w0, w1, ... */
    bool some;                 /* lanes of a warp part: only those that are there are asked */
    bool ragged;               /* the last warp has 16 lanes: no shuffle goes beyond those */
    const char *mask, *source; /* who takes part; one of those, for each lane that asks */
} Program;

/* For each thread of the twin's that takes part at this depth (-1: every one). */
static void each(Program *p) { fprintf(p->twin, p->depth < 0 ? "EACH(true) " : "EACH(me.p[%d]) ", p->depth); }

static void end_each(Program *p) { fprintf(p->twin, " END\n"); }

/* The same statement for a thread of the kernel, and for each thread of the twin. */
static void both(Program *p, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(p->kernel, "%s\n", text);
    each(p);
    fputs(text, p->twin);
    end_each(p);
}

/* Text of an unsigned value. */
static void expression(Program *p, char *text, size_t room, int depth)
{
    static const char *const leaves[] = {"v0",
                                         "v1",
                                         "(unsigned)v2",
                                         "(unsigned)v3",
                                         "(unsigned)(long long)v4",
                                         "lane",
                                         "wid",
                                         "t",
                                         "in[id]",
                                         "blockIdx.x",
                                         "7u",
                                         "mine[id]",
                                         "(unsigned)n",
                                         NULL};
    static const char *const operators[] = {"+", "-", "*", "^", "&", "|", NULL};
    unsigned kind = any(&p->chance, depth > 1 ? 6 : 9);
    if (kind == 0 && p->loops) {
        snprintf(text, room, "(unsigned)k%d", (int)any(&p->chance, (unsigned)p->loops));
    } else if (kind == 1 && p->variables) {
        snprintf(text, room, "w%d", (int)any(&p->chance, (unsigned)p->variables));
    } else if (kind < 6) {
        snprintf(text, room, "%s", one_of(&p->chance, leaves));
    } else {
        char a[256], b[256];
        expression(p, a, sizeof a, depth + 1);
        expression(p, b, sizeof b, depth + 1);
        snprintf(text, room, one_in(&p->chance, 6) ? "((%s %s %s) %% 1000u)" : "(%s %s %s)", a,
                 one_of(&p->chance, operators), b);
    }
}

static void variable(Program *p, char name[16])
{
    static const char *const names[] = {"v0", "v1", "v2", "v3", NULL};
    if (p->variables && one_in(&p->chance, 2))
        snprintf(name, 16, "w%d", (int)any(&p->chance, (unsigned)p->variables));
    else
        snprintf(name, 16, "%s", one_of(&p->chance, names));
}

static void assignment(Program *p)
{
    static const char *const operators[] = {"=", "+=", "^=", "*=", "-=", NULL};
    char value[512], name[16];
    expression(p, value, sizeof value, 0);
    variable(p, name);
    switch (any(&p->chance, 8)) {
    case 0: both(p, "mine[id] += %s;", value); break;
    case 1: both(p, "v4 = (float)(%s & 1023u);", value); break;
    case 2: both(p, "for (unsigned i = %s %% 5; i < 6; i++) v2 += in[(id + i) & 511];", value); break;
    default: both(p, "%s %s %s;", name, one_of(&p->chance, operators), value);
    }
}

/* A new variable of the block's, with its value or without. */
static void declaration(Program *p)
{
    char value[512];
    if (p->variables == VARIABLES)
        return;
    expression(p, value, sizeof value, 0);
    fprintf(p->kernel, one_in(&p->chance, 3) ? "unsigned w%1$d;\nw%1$d = %2$s;\n" : "unsigned w%1$d = %2$s;\n",
            p->variables, value);
    each(p);
    fprintf(p->twin, "w%d = %s;", p->variables, value);
    end_each(p);
    p->variables++;
}

/* ---- what lanes do together ---- */

/* Whom a shuffle of this kind and width asks. */
static void argument_of(Program *p, const char *kind, int width, char *text, size_t room)
{
    static const char *const offsets[] = {"1", "2", "3", "5", "8", "(unsigned)n % 5", NULL};
    if (!strcmp(kind, "idx"))
        snprintf(text, room, one_in(&p->chance, 2) ? "(int)(lane * 5 + 3) & 31" : "%u", any(&p->chance, 16));
    else if (p->loops && p->powers && width == 32 && one_in(&p->chance, 2))
        snprintf(text, room, "k%d", p->loops - 1);
    else if (!strcmp(kind, "xor"))
        snprintf(text, room, "%u", any(&p->chance, (unsigned)width));
    else
        snprintf(text, room, "%s", one_of(&p->chance, offsets));
}

static void shuffle(Program *p)
{
    static const char *const kinds[] = {"idx", "up", "down", "xor", NULL};
    const char *kind = p->some ? "idx" : one_of(&p->chance, kinds);
    int width = p->ragged ? 16 >> any(&p->chance, 3) : p->some || one_in(&p->chance, 2) ? 32 : 32 >> any(&p->chance, 4);
    char argument[128], name[16], value[512], call[1024];
    if (p->some)
        snprintf(argument, sizeof argument, "%s", p->source);
    else
        argument_of(p, kind, width, argument, sizeof argument);
    variable(p, name);
    bool real = one_in(&p->chance, 6), same = one_in(&p->chance, 2);
    if (real || same)
        snprintf(value, sizeof value, "%s", real ? "v4" : name);
    else
        expression(p, value, sizeof value, 0);
    fprintf(p->twin, "EACH(me.p[%d]) give(me, %s, %s, %s, %d, '%c'); END\n", p->depth, value, p->mask, argument, width,
            *kind);
    int room = snprintf(call, sizeof call, "__shfl%s%s_sync(%s, %s, %s", *kind == 'i' ? "" : "_",
                        *kind == 'i' ? "" : kind, p->mask, value, argument);
    snprintf(call + room, sizeof call - (size_t)room, width == 32 && one_in(&p->chance, 2) ? ")" : ", %d)", width);
    const char *form = real                            ? "v4 += %2$s;%1$.0s"
                       : same && one_in(&p->chance, 3) ? "%1$s = max(%1$s, %2$s);"
                       : p->variables < VARIABLES && one_in(&p->chance, 4)
                           ? "unsigned w%3$d = 3u * (unsigned)%2$s + v1;%1$.0s"
                           : "%1$s += %2$s;";
    bool declares = form[0] == 'u';
    fprintf(p->kernel, form, name, call, p->variables);
    fprintf(p->kernel, "\n");
    each(p);
    snprintf(call, sizeof call, "taken(th, me, %s)", value);
    fprintf(p->twin, declares ? form + strlen("unsigned ") : form, name, call, p->variables);
    end_each(p);
    p->variables += declares;
    if (real)
        both(p, "if (v4 > 1e6f) v4 = 1;");
}

/* A value through shared memory, to a lane of the warp or, where all threads come by, to any thread of the block. */
static void through_memory(Program *p)
{
    bool block = !p->depth && one_in(&p->chance, 2), named = p->some || one_in(&p->chance, 2);
    char value[512], wait[64] = "__syncthreads();\n";
    expression(p, value, sizeof value, 0);
    if (!block && named)
        snprintf(wait, sizeof wait, "__syncwarp(%s);\n", p->mask);
    else if (!block)
        snprintf(wait, sizeof wait, "__syncwarp();\n");
    both(p, "s[t] = %s;", value);
    fputs(wait, p->kernel);
    if (block)
        both(p, "v1 += s[t ^ 1];");
    else
        both(p, "v1 += s[t - lane + (%s)];", p->source);
    fputs(wait, p->kernel);
}

/* A function or a tile, by whole warps. The twin knows what they are to give. */
static void call(Program *p)
{
    static const struct {
        const char *text;
        char kind;
        int argument, width;
    } all[] = {{"sum_of_warp(%s)", 's', 0, 32},       {"maximum(%s)", 'm', 0, 32},
               {"sum_of<16>(%s)", 's', 0, 16},        {"sum_of<WIDTH / 4>(%s)", 's', 0, 8},
               {"tile.shfl_down(%s, 3)", 'd', 3, 32}, {"half.shfl_xor(%s, 5)", 'x', 5, 16},
               {"half.shfl(%s, 21)", 'i', 21, 16},    {"tile.shfl_up(%s, tile.size() / 8)", 'u', 4, 32}};
    unsigned which = any(&p->chance, 8);
    const char *name = one_in(&p->chance, 2) ? "v0" : "v1";
    if (p->some || p->ragged)
        return;
    fprintf(p->twin, "EACH(me.p[%d]) give(me, %s, ~0u, %d, %d, '%c'); END\n", p->depth, name, all[which].argument,
            all[which].width, all[which].kind);
    fprintf(p->kernel, "%s = ", name);
    fprintf(p->kernel, all[which].text, name);
    fprintf(p->kernel, ";\n");
    each(p);
    fprintf(p->twin, "%s = taken(th, me, %s);", name, name);
    end_each(p);
}

/* ---- control flow ---- */

static void statements(Program *p);

static void condition(Program *p)
{
    static const struct {
        const char *text, *mask, *source; /* NULL: whole warps */
    } all[] = {{"wid == 0", NULL, NULL},
               {"t < 32", NULL, NULL},
               {"(wid & 1) == 0", NULL, NULL},
               {"blockIdx.x == 1", NULL, NULL},
               {"n > 3", NULL, NULL},
               {"in[blockIdx.x] % 2", NULL, NULL},
               {"lane < 8", "0xffu", "(lane * 3 + 1) & 7"},
               {"lane % 2 == 0", "0x55555555u", "(lane * 3 + 2) & 30"},
               {"lane >= 16", "0xffff0000u", "16 + (lane * 7 & 15)"}};
    Program outer = *p;
    unsigned which = any(&p->chance, 9);
    if (p->some || p->ragged)
        which %= 6;
    fprintf(p->kernel, "if (%s) {\n", all[which].text);
    fprintf(p->twin, "EACH(true) me.p[%d] = me.p[%d] && (%s); END\n", p->depth + 1, p->depth, all[which].text);
    p->depth++;
    p->in_if = true;
    if (all[which].mask) {
        p->some = true;
        p->mask = all[which].mask;
        p->source = all[which].source;
    }
    statements(p);
    fprintf(p->kernel, "}");
    outer.chance = p->chance;
    *p = outer;
    if (one_in(&p->chance, 4)) {
        fprintf(p->kernel, " else {\n");
        fprintf(p->twin, "EACH(true) me.p[%d] = me.p[%d] && !me.p[%d]; END\n", p->depth + 1, p->depth, p->depth + 1);
        p->depth++;
        assignment(p);
        p->depth--;
        fprintf(p->kernel, "}");
    }
    fprintf(p->kernel, "\n");
}

/* For all threads of the block; within an `if`, by halves or doubles. */
static void loop(Program *p)
{
    static const char *const heads[] = {"for (int k%1$d = 16; k%1$d > 0; k%1$d >>= 1) {\n",
                                        "for (unsigned k%1$d = 1; k%1$d < 32; k%1$d *= 2) {\n",
                                        "for (int k%1$d = warpSize / 2; k%1$d; k%1$d /= 2) {\n",
                                        "for (unsigned k%1$d = 1; k%1$d <= blockDim.x / 8; k%1$d <<= 1) {\n",
                                        "for (int k%1$d = 0; k%1$d < n; k%1$d++) {\n",
                                        "for (unsigned k%1$d = blockDim.x; k%1$d > 20; k%1$d /= 2) {\n"};
    unsigned which = any(&p->chance, p->in_if ? 4 : 6);
    int k = p->loops++;
    bool powers = p->powers;
    p->powers = which < 3;
    fprintf(p->kernel, heads[which], k);
    fprintf(p->twin, heads[which], k);
    statements(p);
    fprintf(p->kernel, "}\n");
    fprintf(p->twin, "}\n");
    p->loops--;
    p->powers = powers;
}

static void statement(Program *p)
{
    unsigned kind = any(&p->chance, 13);
    if (kind < 4)
        shuffle(p);
    else if (kind < 6)
        assignment(p);
    else if (kind == 6)
        declaration(p);
    else if (kind == 7)
        through_memory(p);
    else if (kind == 8)
        call(p);
    else if (kind < 10 && p->depth + p->loops < DEEPEST)
        loop(p);
    else if (p->depth + p->loops < DEEPEST)
        condition(p);
    else
        shuffle(p);
}

static void statements(Program *p)
{
    int outer = p->variables;
    for (unsigned n = 1 + any(&p->chance, 3); n > 0; n--)
        statement(p);
    p->variables = outer;
}

static void body(Program *p)
{
    static const char *const leaves[] = {"t >= 32", "wid == 1", "blockIdx.x == 2", "t >= 48", NULL};
    const char *who = one_of(&p->chance, leaves);
    if (one_in(&p->chance, 4)) {
        p->ragged |= !strcmp(who, "t >= 48");
        fprintf(p->kernel, "if (%s) return;\n", who);
        fprintf(p->twin, "EACH(true) me.p[0] = !(%s); END\n", who);
    }
    for (unsigned n = 3 + any(&p->chance, 4); n > 0; n--)
        statement(p);
}

/* One kernel and its twin, and a function that compares them. */
static void print_kernel(FILE *out, int number, unsigned long seed)
{
    static const char parameters[] = "unsigned *mine, const unsigned *in, int n";
    static const char *const blocks[] = {"dim3(64)", "dim3(32, 3)", "dim3(256)", "dim3(16, 8)", "dim3(128)", NULL},
                             *const ragged[] = {"dim3(48)", "dim3(16, 5)", "dim3(80)", NULL};
    char *kernel = NULL, *twin = NULL;
    size_t kernel_size, twin_size;
    Program p = {.kernel = open_memstream(&kernel, &kernel_size), .twin = open_memstream(&twin, &twin_size)};
    chance_begin(&p.chance, seed, number);
    p.mask = "0xffffffffu";
    p.source = "lane ^ 1";
    p.ragged = one_in(&p.chance, 6);
    const char *block = one_of(&p.chance, p.ragged ? ragged : blocks);
    body(&p);
    fclose(p.kernel);
    fclose(p.twin);
    fprintf(out, "__global__ void kernel%d(%s)\n{\nKERNEL_HEAD\n%sKERNEL_END\n}\n", number, parameters, kernel);
    fprintf(out, "static void twin%d(const uint3 blockIdx, const dim3 blockDim, %s)\n{\nTWIN_HEAD\n%sTWIN_END\n}\n",
            number, parameters, twin);
    fprintf(out, "static int test%d() { return compare(%d, kernel%d, twin%d, %s, %u); }\n", number, number, number,
            number, block, any(&p.chance, 7));
    free(kernel);
    free(twin);
}

static const char head[] =
    "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <cuda_runtime.h>\n"
    "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\nconstexpr int WIDTH = 32;\n"
    "__device__ unsigned sum_of_warp(unsigned value)\n"
    "{\n    for (int i = warpSize / 2; i > 0; i >>= 1)\n        value += __shfl_xor_sync(0xffffffffu, value, i);\n"
    "    return value;\n}\n"
    "template <int N> __device__ unsigned sum_of(unsigned value)\n"
    "{\n    for (int i = N / 2; i > 0; i /= 2)\n        value += __shfl_xor_sync(0xffffffffu, value, i, N);\n"
    "    return value;\n}\n"
    "template <typename T> __device__ T maximum(T value)\n"
    "{\n    for (int i = 1; i < 32; i *= 2) {\n        T other = __shfl_xor_sync(0xffffffffu, value, i);\n"
    "        if (other > value) value = other;\n    }\n    return value;\n}\n"
    "#define KERNEL_HEAD __shared__ unsigned s[1024]; \\\n"
    "    auto block = cg::this_thread_block(); \\\n"
    "    auto tile = cg::tiled_partition<32>(block); cg::thread_block_tile<16> half = cg::tiled_partition<16>(block); "
    "\\\n"
    "    const unsigned t = threadIdx.x + blockDim.x * threadIdx.y, lane = t % 32, wid = t / 32; \\\n"
    "    const unsigned id = blockIdx.x * (blockDim.x * blockDim.y) + t; \\\n"
    "    unsigned v0 = in[id], v1 = t; int v2 = blockIdx.x; unsigned long long v3 = id * 7919ull; float v4 = lane;\n"
    "#define KERNEL_END mine[id] += v0 ^ v1 ^ (unsigned)v2 ^ (unsigned)(v3 >> 7) ^ (unsigned)v4;\n"
    "struct Thread {\n"
    "    bool p[8]; unsigned t, v0, v1; int v2; unsigned long long v3; float v4;\n"
    "    unsigned w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, mask; int argument, width; char kind; unsigned long long "
    "gave;\n"
    "};\n"
    "template <class T> static void give(Thread &me, T value, unsigned mask, int argument, int width, char kind)\n"
    "{\n    me.gave = 0; memcpy(&me.gave, &value, sizeof value);\n"
    "    me.mask = mask, me.argument = argument, me.width = width, me.kind = kind;\n}\n"
    "template <class T> static T taken(Thread *th, const Thread &me, T value)\n"
    "{\n"
    "    const int lane = me.t % 32, first = lane / me.width * me.width, behind = first + me.width;\n"
    "    Thread *warp = th + me.t - lane;\n"
    "    T result = 0, one;\n"
    "    if (me.kind == 's' || me.kind == 'm') {\n"
    "        for (int i = first; i < behind; i++) {\n"
    "            memcpy(&one, &warp[i].gave, sizeof one);\n"
    "            result = me.kind == 's' ? result + one : one > result ? one : result;\n"
    "        }\n        return result;\n    }\n"
    "    int from = me.kind == 'i' ? first + me.argument % me.width : me.kind == 'u' ? lane - me.argument :\n"
    "               me.kind == 'd' ? lane + me.argument : lane ^ me.argument;\n"
    "    if (from < first || from >= behind) from = lane;\n"
    "    memcpy(&result, &warp[from].gave, sizeof result);\n"
    "    return result;\n"
    "}\n"
    "#define EACH(who) for (int q = 0; q < threads; q++) { Thread &me = th[q]; const unsigned t = q, lane = t % 32, "
    "\\\n"
    "    wid = t / 32, id = blockIdx.x * threads + t; unsigned &v0 = me.v0, &v1 = me.v1; int &v2 = me.v2; \\\n"
    "    unsigned long long &v3 = me.v3; float &v4 = me.v4; unsigned &w0 = me.w0, &w1 = me.w1, &w2 = me.w2, &w3 = "
    "me.w3, \\\n"
    "    &w4 = me.w4, &w5 = me.w5, &w6 = me.w6, &w7 = me.w7, &w8 = me.w8, &w9 = me.w9; if (who) {\n"
    "#define END } }\n"
    "#define TWIN_HEAD const int threads = blockDim.x * blockDim.y, warpSize = 32; static unsigned s[1024]; \\\n"
    "    static Thread th[1024]; memset(th, 0, sizeof th); \\\n"
    "    EACH(true) me.t = t; me.p[0] = true; v0 = in[id]; v1 = t; v2 = blockIdx.x; v3 = id * 7919ull; v4 = lane; END\n"
    "#define TWIN_END EACH(me.p[0]) mine[id] += v0 ^ v1 ^ (unsigned)v2 ^ (unsigned)(v3 >> 7) ^ (unsigned)v4; END\n"
    "template <class K, class H> static int compare(int number, K kernel, H twin, dim3 block, int n)\n"
    "{\n"
    "    const int grid = 3, size = grid * block.x * block.y;\n"
    "    unsigned *mine, *in, *want = (unsigned *)malloc(size * 4);\n"
    "    if (cudaMallocManaged(&mine, size * 4) || cudaMallocManaged(&in, (size + 1024) * 4)) return 2;\n"
    "    for (int i = 0; i < size + 1024; i++) in[i] = (i + number) * 2654435761u >> 7;\n"
    "    for (int i = 0; i < size; i++) mine[i] = want[i] = i * 40503u + number;\n"
    "    kernel<<<grid, block>>>(mine, in, n);\n"
    "    cudaError_t error = cudaDeviceSynchronize();\n"
    "    if (error) return printf(\"kernel %d: %s\\n\", number, cudaGetErrorString(error)), 1;\n"
    "    uint3 b = {0, 0, 0};\n"
    "    for (; b.x < grid; b.x++) twin(b, block, want, in, n);\n"
    "    int wrong = 0;\n"
    "    for (int i = 0; i < size; i++)\n"
    "        if (mine[i] != want[i] && !wrong++)\n"
    "            printf(\"kernel %d: [%d] is %u, not %u\\n\", number, i, mine[i], want[i]);\n"
    "    cudaFree(mine), cudaFree(in), free(want);\n"
    "    return wrong != 0;\n"
    "}\n";

START_TEST(random_lanes_are_right) { random_programs(4, "lanes", "build/random_lanes", head, print_kernel); }
END_TEST

static void add(TCase *t) { tcase_add_test(t, random_lanes_are_right); }

int main(void) { return random_suite("random lanes", add); }
