/* random_accesses.c: kernels and functions of the host with random forms of access (accesses/access_forms.h), whose generator knows
 * each byte that they read, write or change by an atomic. A program is compiled with `cucc --check` and linked with
 * accesses/access_log.c, which stands in front of the checker's callbacks: what was told must be what was done, byte by byte.
 * A byte may be told twice where it is read once, as g++ may read it once more on one of two ways to the same place.
 *
 * The array lies in global memory, in shared memory or in a __device__ variable, or the host uses it.
 * random_programs.h says how long it runs; it is for the CPU device only. ACCESSES_FOLDER is where it works and
 * RANDOM_FILES how many programs it makes: cpudevice/tests/campaigns/accesses.py runs many at once. */
#define COMPILER "cpudevice/cucc --check -g -Xlinker @$ACCESSES_FOLDER/wraps $ACCESSES_FOLDER/log.o"
#include "random_programs.h"

#include <ctype.h>

#include "accesses/access_forms.h"

#define LOG "cpudevice/tests/random/accesses/access_log.c"

enum { SLOT = 256, SLOTS = 64, TO = SLOT / 2, STATEMENTS = 6 };

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void print_text(FILE *out, const char *text, const char *type, unsigned at, unsigned value)
{
    for (const char *c = text; *c; c++) {
        const bool word = (c > text && in_word(c[-1])) || in_word(c[1]);
        if (!word && *c == 'T')
            fputs(type, out);
        else if (!word && *c == 'P')
            fprintf(out, "p + %u", at);
        else if (!word && *c == 'Q')
            fprintf(out, "p + %u", at + TO);
        else if (!word && *c == 'V')
            fprintf(out, "(n + %u)", value);
        else
            fputc(*c, out);
    }
}

/* A family that may stand `where`, by its weight. */
static const Family *any_family(Chance *chance, unsigned where)
{
    const unsigned count = sizeof families / sizeof *families;
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += families[i].where & where ? families[i].weight : 0;
    unsigned drawn = any(chance, sum), i = 0;
    for (;; i++) {
        const unsigned weight = families[i].where & where ? families[i].weight : 0;
        if (drawn < weight)
            return &families[i];
        drawn -= weight;
    }
}

/* What a statement stands in; n is 3. */
static const char *const frames[][2] = {{"{ ", " }"},
                                        {"for (int i = 0; i < 1; i++) { ", " }"},
                                        {"if (n) { ", " }"},
                                        {"if (n < 0) acc++; else { ", " }"},
                                        {"[&] { ", " }();"},
                                        {"do { ", " } while (n < 0);"},
                                        {"while (n) { ", " break; }"},
                                        {"switch (n) { case 3: { ", " } }"}};

static void print_statement(FILE *out, Chance *chance, unsigned where, unsigned slot, FILE *expected)
{
    const Family *family = any_family(chance, where);
    const Form *form = &family->forms[any(chance, family->n_forms)];
    const Type *type = &family->types[any(chance, family->n_types)];
    const char *const *frame = frames[any(chance, sizeof frames / sizeof *frames)];
    const unsigned at = slot * SLOT + type->align * any(chance, 48 / type->align);
    fprintf(out, "    %s", frame[0]);
    print_text(out, form->text, type->name, at, any(chance, 50));
    fprintf(out, "%s\n", frame[1]);
    fprintf(expected, "{%u, %u, %u, %u, %u}, ", at, form->reads * type->size, form->writes * type->size,
            form->copies * type->size, form->atomics * type->size);
}

/* Where the array lies: what the function begins with, its kind and who runs it. */
static const struct {
    unsigned where;
    const char *kind, *array, *runner;
} places[] = {
    {IN_GLOBAL, "__global__", "", "run_kernel"},
    {IN_GLOBAL, "__global__", "    static __device__ __align__(16) char a[SIZE];\n    p = a;\n", "run_kernel"},
    {IN_SHARED, "__global__", "    __shared__ __align__(16) char a[SIZE];\n    p = a;\n", "run_kernel"},
    {ON_HOST, "static", "", "run_function"}};

static void print_kernel(FILE *out, int number, unsigned long seed)
{
    Chance chance;
    chance_begin(&chance, seed, number);
    char *expected = NULL;
    size_t length;
    FILE *list = open_memstream(&expected, &length);
    ck_assert_ptr_nonnull(list);
    const unsigned place = any(&chance, sizeof places / sizeof *places);
    fprintf(out, "%s void touch%d(char *p, char *volatile *base, int *result, int n)\n{\n", places[place].kind, number);
    fprintf(out, "%s    int acc = 0;\n    memset(p, 1, SIZE);\n    *base = p;\n    KEEP_ORDER;\n", places[place].array);
    for (unsigned k = 0; k < STATEMENTS; k++)
        print_statement(out, &chance, places[place].where, k * (SLOTS / STATEMENTS) + any(&chance, SLOTS / STATEMENTS),
                        list);
    fclose(list);
    fprintf(out, "    KEEP_ORDER;\n    *base = nullptr;\n    *result = acc;\n}\nstatic int test%d()\n{\n", number);
    fprintf(out, "    const Expected expected[] = {%s};\n    return %s(%d, touch%d, expected, %d);\n}\n", expected,
            places[place].runner, number, number, STATEMENTS);
    free(expected);
}

static const char head[] =
    "#include <cstdio>\n#include <cstring>\n#include <new>\n#include <math.h>\n"
    "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>\n"
    "#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\nnamespace cg = cooperative_groups;\n"
    "#include <cuComplex.h>\n#include <cuda/atomic>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include "
    "<cuda_fp8.h>\n"
    "#include <cuda_pipeline.h>\n"
    "#define BOTH __host__ __device__\n"
    "#define KEEP_ORDER asm volatile(\"\" ::: \"memory\")\n"
    "enum { SIZE = 16384, TO = 128, ROOM = 2560 };\n"
    "extern \"C\" {\n"
    "extern char *volatile *log_base;\n"
    "extern unsigned char log_reads[SIZE], log_writes[SIZE], log_atomics[SIZE];\n"
    "}\n"
    /* types */
    "struct One { float v; };\n"
    "struct Two { float a, b; };\n"
    "struct Three { int a[3]; };\n"
    "struct Eight { float a[8]; };\n"
    "struct Bytes { char a[3]; };\n"
    "struct Five { char a[5]; };\n"
    "struct Short { short a[3]; };\n"
    "struct Padded { char a; int b; };\n"
    "struct Long { long a; char b; };\n"
    "union Word { int i; float f; };\n"
    "struct Bits { unsigned a : 3, b : 29; };\n"
    "struct Nested { One o; Two t[2]; };\n"
    "struct Derived : Two { float c; };\n"
    "struct alignas(16) Aligned { float a[8]; };\n"
    "struct Bytes4 { int a; };\n"
    "struct alignas(8) Bytes8 { int a[2]; };\n"
    "struct alignas(16) Bytes16 { int a[4]; };\n"
    "template <class T> struct Pair { T a, b; };\n"
    /* functions */
    "template <class T> BOTH __noinline__ T make(int v) { T t; memset(&t, v, sizeof t); return t; }\n"
    "template <class T> BOTH __noinline__ T deep(int v, int n) { return n ? deep<T>(v, n - 1) : make<T>(v); }\n"
    "template <class T> BOTH __noinline__ int take(T t) { return *(char *)&t; }\n"
    "template <class... T> BOTH __noinline__ int take_all(T... t) { return (take(t) + ...); }\n"
    "template <class T> BOTH __noinline__ T same(T t) { return t; }\n"
    "template <class T> BOTH __noinline__ T change(T t) { ++*(char *)&t; return t; }\n"
    "template <class T> BOTH __noinline__ T &place(void *p) { return *(T *)p; }\n"
    "template <class T> BOTH __noinline__ void fill(T &t, int v) { t = make<T>(v); }\n"
    "template <class T> BOTH __noinline__ void exchange(T &a, T &b) { T t = a; a = b, b = t; }\n"
    "template <class T> BOTH __noinline__ void set_number(T &t, int v) { t = (T)v; }\n"
    "template <class T> BOTH __noinline__ int operator^(T a, T b) { return *(char *)&a - *(char *)&b; }\n"
    "template <class T> __device__ __noinline__ int asynchronous(const void *p)\n"
    "{\n"
    "    __shared__ T landing;\n"
    "    __pipeline_memcpy_async(&landing, p, sizeof landing);\n"
    "    __pipeline_commit();\n"
    "    __pipeline_wait_prior(0);\n"
    "    return take(landing);\n"
    "}\n"
    "template <class T> __device__ __noinline__ T by_group(const void *p)\n"
    "{\n"
    "    __shared__ T landing;\n"
    "    cg::memcpy_async(cg::this_thread_block(), &landing, (const T *)p, sizeof landing);\n"
    "    cg::wait(cg::this_thread_block());\n"
    "    return landing;\n"
    "}\n"
    /* classes */
    "template <class T> struct Maker\n"
    "{\n"
    "    int v;\n"
    "    BOTH __noinline__ T operator()() const { return make<T>(v); }\n"
    "    BOTH __noinline__ operator T() const { return make<T>(v); }\n"
    "};\n"
    "template <class T> struct Held { T a, b; BOTH Held(int v) : a(make<T>(v)), b{make<T>(v)} {} };\n"
    "template <class T> struct Ended { T a; BOTH __noinline__ ~Ended() { a = make<T>(1); } };\n"
    "template <class T> struct Owner\n"
    "{\n"
    "    T a;\n"
    "    BOTH __noinline__ void set(T t) { a = t; }\n"
    "    BOTH __noinline__ int taken() const { return take(a); }\n"
    "    BOTH Owner &operator=(const T &t) { a = t; return *this; }\n"
    "    BOTH operator T() const { return a; }\n"
    "};\n"
    "template <class T> struct Catcher { T a; BOTH __noinline__ int operator()() const { return take(a); } };\n"
    "template <class T> struct Pointers { int (*taken_by)(T); };\n"
    "struct Left { template <class T> __device__ T operator()(T a, T b) const { return a; } };\n"
    "struct Taker { template <class T> BOTH __noinline__ int take(T t) const { return *(char *)&t; } };\n"
    /* what is expected, in bytes at SLOT's place and TO further */
    "struct Expected { unsigned at, reads, writes, copies, atomics; };\n"
    "static int differs(int number, const char *what, const unsigned char *told, const unsigned char *made, int most)\n"
    "{\n"
    "    for (int i = 0; i < SIZE; i++)\n"
    "        if (told[i] < made[i] || told[i] > most * made[i])\n"
    "            return printf(\"touch%d, statement %d, byte %d: %d %s were told, %d were made\\n\", number, i / "
    "ROOM,\n"
    "                          i, told[i], what, made[i]);\n"
    "    return 0;\n"
    "}\n"
    "static void add(unsigned char *made, unsigned at, unsigned bytes) { while (bytes--) made[at++]++; }\n"
    "template <class F> static int run(int number, char *p, const Expected *e, int n, F touch)\n"
    "{\n"
    "    static unsigned char reads[SIZE], writes[SIZE], atomics[SIZE];\n"
    "    memset(reads, 0, SIZE), memset(writes, 0, SIZE), memset(atomics, 0, SIZE);\n"
    "    memset(log_reads, 0, SIZE), memset(log_writes, 0, SIZE), memset(log_atomics, 0, SIZE);\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        add(reads, e[i].at, e[i].reads), add(writes, e[i].at, e[i].writes);\n"
    "        add(writes, e[i].at + TO, e[i].copies), add(atomics, e[i].at, e[i].atomics);\n"
    "    }\n"
    "    char *volatile *base;\n"
    "    int *result;\n"
    "    if (cudaMallocManaged(&base, sizeof *base) || cudaMallocManaged(&result, 4)) return 2;\n"
    "    *base = nullptr;\n"
    "    log_base = base;\n"
    "    touch(p, base, result);\n"
    "    log_base = nullptr;\n"
    "    cudaFree((void *)base), cudaFree(result), cudaFree(p);\n"
    "    return differs(number, \"reads\", log_reads, reads, 2) | differs(number, \"writes\", log_writes, writes, 1) "
    "|\n"
    "           differs(number, \"atomics\", log_atomics, atomics, 1);\n"
    "}\n"
    "template <class K> static int run_kernel(int number, K kernel, const Expected *e, int n)\n"
    "{\n"
    "    char *p;\n"
    "    cudaError_t error = cudaMalloc(&p, SIZE);\n"
    "    const int wrong = run(number, p, e, n, [&](char *p, char *volatile *base, int *result) {\n"
    "        kernel<<<1, 1>>>(p, base, result, 3);\n"
    "        error = cudaDeviceSynchronize();\n"
    "    });\n"
    "    return wrong | (error && printf(\"touch%d: %s\\n\", number, cudaGetErrorString(error)));\n"
    "}\n"
    "template <class K> static int run_function(int number, K function, const Expected *e, int n)\n"
    "{\n"
    "    char *p;\n"
    "    if (cudaMallocManaged(&p, SIZE)) return 2;\n"
    "    return run(number, p, e, n,\n"
    "               [&](char *p, char *volatile *base, int *result) { function(p, base, result, 3); });\n"
    "}\n";

START_TEST(random_accesses_are_told)
{
    setenv("ACCESSES_FOLDER", "build/random_accesses", 0);
    ck_assert(random_run("mkdir -p $ACCESSES_FOLDER && cc -O1 -c -o $ACCESSES_FOLDER/log.o " LOG) == 0);
    ck_assert(random_run("nm $ACCESSES_FOLDER/log.o | sed -n 's/.* T __wrap_/--wrap=/p' >$ACCESSES_FOLDER/wraps") == 0);
    setenv("CUDA_CPU_BULK", "0", 1); /* each access has its callback */
    const char *files = getenv("RANDOM_FILES");
    random_programs(files ? strtoul(files, NULL, 10) : 4, "accesses", getenv("ACCESSES_FOLDER"), head, print_kernel);
}
END_TEST

static void add(TCase *t) { tcase_add_test(t, random_accesses_are_told); }

int main(void) { return random_suite("random accesses", add); }
