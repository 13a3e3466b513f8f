/* random_accesses.c: kernels of random forms of access, whose generator knows each byte that they read and write: structs of
 * many sizes that functions return and take, through pointers to functions, lambdas, methods, operators, references and
 * lists, objects made in place, copies, numbers and results of the math library. A program is compiled with `cucc --check`
 * and linked with a log round the checker's callbacks; what was told must be what was done, byte by byte.
 *
 * random_programs.h says how long it runs; it is for the CPU device only. */
#define FOLDER "build/random_accesses"
#define COMPILER "cpudevice/cucc --check -g -Xlinker @" FOLDER "/wraps " FOLDER "/log.o"
#include "random_programs.h"

#include <ctype.h>

enum { SLOT = 128, SLOTS = 64, STATEMENTS = 6 };

typedef struct {
    const char *name;
    unsigned size;
} Type;
static const Type types[] = {{"One", 4},    {"Two", 8},   {"Three", 12}, {"Eight", 32},  {"Bytes", 3}, {"Short", 6},
                             {"Padded", 8}, {"Long", 16}, {"Word", 4},   {"float4", 16}, {"Bits", 4},  {"Nested", 20}};
static const Type numbers[] = {{"char", 1}, {"short", 2}, {"int", 4}, {"float", 4}, {"double", 8}, {"long", 8}};

/* Which bytes of the slot a form touches; the text has T for the type, P for the place, V for a value. */
typedef struct {
    const char *text;
    unsigned reads, writes; /* so many objects in a row */
} Form;
static const Form forms[] = {
    {"*(T *)(P) = make<T>(V);", 0, 1},
    {"*(T *)(P) = n ? make<T>(V) : make<T>(n);", 0, 1},
    {"*(T *)(P) = (acc++, make<T>(V));", 0, 1},
    {"*(T *)(P) = (make<T>(V));", 0, 1},
    {"((T *)(P))[0] = make<T>(V);", 0, 1},
    {"T t = make<T>(V); *(T *)(P) = t;", 0, 1},
    {"T &r = *(T *)(P); r = make<T>(V);", 0, 1},
    {"T *q = (T *)(P); *q = make<T>(V), q[1] = make<T>(n);", 0, 2},
    {"T (*volatile f)(int) = make<T>; *(T *)(P) = f(V);", 0, 1},
    {"auto f = [](int v) { return make<T>(v); }; *(T *)(P) = f(V);", 0, 1},
    {"new ((void *)(P)) T(make<T>(V));", 0, 1},
    {"new ((void *)(P)) Pair<T>{make<T>(V), make<T>(n)};", 0, 2},
    {"new ((void *)(P)) Held<T>(V);", 0, 2},
    {"*(Pair<T> *)(P) = {make<T>(V), make<T>(n)};", 0, 2},
    {"*(Pair<T> *)(P) = Pair<T>{make<T>(V), make<T>(n)};", 0, 2},
    {"T t = make<T>(V); memcpy(P, &t, sizeof t);", 0, 1},
    {"memset(P, V, sizeof(T));", 0, 1},
    {"fill(*(T *)(P), V);", 0, 1},
    {"acc += take(*(T *)(P));", 1, 0},
    {"acc += take(((const T *)(P))[0]);", 1, 0},
    {"const T &r = *(T *)(P); acc += take(r);", 1, 0},
    {"T t = *(T *)(P); acc += take(t);", 1, 0},
    {"Taker k; acc += k.take(*(T *)(P));", 1, 0},
    {"int (*volatile f)(T) = take<T>; acc += f(*(T *)(P));", 1, 0},
    {"int (*f[2])(T) = {take<T>, take<T>}; acc += f[n & 1](*(T *)(P));", 1, 0},
    {"Pointers<T> k = {take<T>}; acc += k.taken_by(*(T *)(P));", 1, 0},
    {"auto f = [&](T t) { return take(t) + n; }; acc += f(*(T *)(P));", 1, 0},
    {"acc += *(T *)(P) ^ ((T *)(P))[1];", 2, 0},
    {"acc += take(((Pair<T> *)(P))->a) + take(((Pair<T> *)(P))->b);", 2, 0},
    {"T t; memcpy(&t, P, sizeof t); acc += take(t);", 1, 0},
    {"if (take(*(T *)(P)) > n) acc++;", 1, 0},
    {"((T *)(P))[0] = change(((T *)(P))[0]);", 1, 1},
    {"*(T *)(P) = make<T>(take(*(T *)(P)));", 1, 1},
};
static const Form of_numbers[] = {
    {"*(T *)(P) = (T)V;", 0, 1},
    {"*(volatile T *)(P) = (T)V;", 0, 1},
    {"acc += (int)*(volatile T *)(P);", 1, 0},
    {"acc += (int)((T *)(P))[0];", 1, 0},
    {"*(T *)(P) += (T)V;", 1, 1},
    {"((T *)(P))[n & 0]++;", 1, 1},
    {"set_number(*(T *)(P), V);", 0, 1},
    {"struct S { T t; } s = {(T)V}; *(S *)(P) = s;", 0, 1},
};
/* Of a type of their own. */
static const struct {
    Form form;
    unsigned size;
} of_math[] = {
    {{"acc += frexpf((float)V, (int *)(P));", 0, 1}, 4},
    {{"acc += frexp((double)V, (int *)(P));", 0, 1}, 4},
    {{"acc += modff((float)V, (float *)(P));", 0, 1}, 4},
    {{"acc += modf((double)V, (double *)(P));", 0, 1}, 8},
    {{"acc += remquof((float)V, 3, (int *)(P));", 0, 1}, 4},
    {{"acc += remquo((double)V, 3, (int *)(P));", 0, 1}, 4},
    {{"sincosf(V, (float *)(P), (float *)(P) + 1);", 0, 2}, 4},
    {{"sincos(V, (double *)(P), (double *)(P) + 1);", 0, 2}, 8},
    {{"sincospif(V, (float *)(P), (float *)(P) + 1);", 0, 2}, 4},
};

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void print_text(FILE *out, const char *text, const char *type, int slot, unsigned at, unsigned value)
{
    for (const char *c = text; *c; c++) {
        const bool word = (c > text && in_word(c[-1])) || in_word(c[1]);
        if (!word && *c == 'T')
            fputs(type, out);
        else if (!word && *c == 'P')
            fprintf(out, "p + %u", (unsigned)slot * SLOT + at);
        else if (!word && *c == 'V')
            fprintf(out, "(n + %u)", value);
        else
            fputc(*c, out);
    }
}

static void print_kernel(FILE *out, int number, unsigned long seed)
{
    Chance chance;
    chance_begin(&chance, seed, number);
    char expect[4096] = "";
    fprintf(out, "__global__ void kernel%d(char *p, int *result, int n)\n{\n    int acc = 0;\n", number);
    for (int k = 0; k < STATEMENTS; k++) {
        const unsigned kind = any(&chance, 10), at = 16 * any(&chance, 3);
        const int slot = k * 8 + (int)any(&chance, 8);
        const Type number_type = numbers[any(&chance, sizeof numbers / sizeof *numbers)];
        const Type struct_type = types[any(&chance, sizeof types / sizeof *types)];
        const unsigned math = any(&chance, sizeof of_math / sizeof *of_math);
        const Form f = kind == 0   ? of_math[math].form
                       : kind <= 2 ? of_numbers[any(&chance, sizeof of_numbers / sizeof *of_numbers)]
                                   : forms[any(&chance, sizeof forms / sizeof *forms)];
        const unsigned size = kind == 0 ? of_math[math].size : kind <= 2 ? number_type.size : struct_type.size;
        fprintf(out, one_in(&chance, 4) ? "    for (int i = 0; i < 1; i++) { " : "    { ");
        print_text(out, f.text, kind <= 2 ? number_type.name : struct_type.name, slot, at, any(&chance, 50));
        fprintf(out, " }\n");
        snprintf(expect + strlen(expect), sizeof expect - strlen(expect), "{%u, %u, %u}, ", (unsigned)slot * SLOT + at,
                 f.reads * size, f.writes * size);
    }
    fprintf(out, "    *result = acc;\n}\nstatic int test%d()\n{\n    const Expected expected[] = {%s};\n", number,
            expect);
    fprintf(out, "    return run(%d, kernel%d, expected, %d);\n}\n", number, number, STATEMENTS);
}

static const char head[] =
    "#include <cstdio>\n#include <cstring>\n#include <new>\n#include <math.h>\n"
    "extern \"C\" { extern char *log_base; extern unsigned char log_reads[8192], log_writes[8192]; }\n"
    "struct One { float v; };\nstruct Two { float a, b; };\nstruct Three { int a[3]; };\nstruct Eight { float a[8]; "
    "};\n"
    "struct Bytes { char a[3]; };\nstruct Short { short a[3]; };\nstruct Padded { char a; int b; };\n"
    "struct Long { long a; char b; };\nunion Word { int i; float f; };\nstruct Bits { unsigned a : 3, b : 29; };\n"
    "struct Nested { One o; Two t[2]; };\n"
    "template <class T> struct Pair { T a, b; };\n"
    "template <class T> __device__ __noinline__ T make(int v) { T t; memset(&t, v, sizeof t); return t; }\n"
    "template <class T> __device__ __noinline__ int take(T t) { return *(char *)&t; }\n"
    "template <class T> __device__ __noinline__ T change(T t) { ++*(char *)&t; return t; }\n"
    "template <class T> __device__ __noinline__ void fill(T &t, int v) { t = make<T>(v); }\n"
    "template <class T> __device__ __noinline__ void set_number(T &t, int v) { t = (T)v; }\n"
    "template <class T> __device__ __noinline__ int operator^(T a, T b) { return *(char *)&a - *(char *)&b; }\n"
    "template <class T> struct Held { T a, b; __device__ Held(int v) : a(make<T>(v)), b{make<T>(v)} {} };\n"
    "template <class T> struct Pointers { int (*taken_by)(T); };\n"
    "struct Taker { template <class T> __device__ __noinline__ int take(T t) const { return *(char *)&t; } };\n"
    "struct Expected { unsigned at, read, written; };\n"
    "template <class K> static int run(int number, K kernel, const Expected *e, int n)\n{\n"
    "    static unsigned char reads[8192], writes[8192];\n"
    "    char *p;\n    int *result;\n"
    "    if (cudaMalloc(&p, 8192) || cudaMalloc(&result, 4) || cudaMemset(p, 1, 8192)) return 2;\n"
    "    memset(reads, 0, 8192), memset(writes, 0, 8192), memset(log_reads, 0, 8192), memset(log_writes, 0, 8192);\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        for (unsigned b = 0; b < e[i].read; b++) reads[e[i].at + b]++;\n"
    "        for (unsigned b = 0; b < e[i].written; b++) writes[e[i].at + b]++;\n    }\n"
    "    log_base = p;\n    kernel<<<1, 1>>>(p, result, 3);\n"
    "    cudaError_t error = cudaDeviceSynchronize();\n    log_base = nullptr;\n"
    "    if (error) return printf(\"kernel %d: %s\\n\", number, cudaGetErrorString(error)), 1;\n"
    "    int wrong = 0;\n"
    "    for (int i = 0; i < 8192; i++)\n"
    "        if ((reads[i] != log_reads[i] || writes[i] != log_writes[i]) && !wrong++)\n"
    "            printf(\"kernel %d: byte %d of slot %d: %d reads and %d writes were told, %d and %d were made\\n\", "
    "number,\n"
    "                   i % 128, i / 128, log_reads[i], log_writes[i], reads[i], writes[i]);\n"
    "    cudaFree(p), cudaFree(result);\n    return wrong != 0;\n}\n";

/* The log: what is called in place of each callback writes down the bytes and goes on to it. */
static void print_log(FILE *c, FILE *wraps)
{
    fprintf(
        c,
        "#include <stddef.h>\n#include <stdint.h>\nchar *log_base;\nunsigned char log_reads[8192], log_writes[8192];\n"
        "static void note(unsigned char *log, const void *p, size_t n)\n{\n"
        "    for (uintptr_t i = (uintptr_t)p - (uintptr_t)log_base; log_base && n--; i++)\n"
        "        if (i < 8192) log[i]++;\n}\n");
    static const char *const kinds[] = {"read",           "write", "unaligned_read", "unaligned_write", "volatile_read",
                                        "volatile_write", NULL};
    for (int k = 0; kinds[k]; k++)
        for (int n = 1; n <= 16; n *= 2) {
            fprintf(wraps, "--wrap=__tsan_%s%d\n", kinds[k], n);
            fprintf(c,
                    "void __real___tsan_%s%d(void *);\nvoid __wrap___tsan_%s%d(void *p)\n{\n    note(log_%s, p, %d);\n"
                    "    __real___tsan_%s%d(p);\n}\n",
                    kinds[k], n, kinds[k], n, strstr(kinds[k], "read") ? "reads" : "writes", n, kinds[k], n);
        }
    for (int w = 0; w < 2; w++) {
        const char *kind = w ? "write" : "read";
        fprintf(wraps, "--wrap=__tsan_%s_range\n", kind);
        fprintf(c,
                "void __real___tsan_%s_range(void *, unsigned long);\nvoid __wrap___tsan_%s_range(void *p, unsigned "
                "long n)\n"
                "{\n    note(log_%ss, p, n);\n    __real___tsan_%s_range(p, n);\n}\n",
                kind, kind, kind, kind);
    }
    static const char *const copies[] = {"cpudev_check_memcpy", "__tsan_memcpy", NULL};
    for (int k = 0; copies[k]; k++) {
        fprintf(wraps, "--wrap=%s\n", copies[k]);
        fprintf(c,
                "void *__real_%s(void *, const void *, size_t);\nvoid *__wrap_%s(void *d, const void *s, size_t n)\n{\n"
                "    note(log_reads, s, n), note(log_writes, d, n);\n    return __real_%s(d, s, n);\n}\n",
                copies[k], copies[k], copies[k]);
    }
    static const char *const sets[] = {"cpudev_check_memset", "__tsan_memset", NULL};
    for (int k = 0; sets[k]; k++) {
        fprintf(wraps, "--wrap=%s\n", sets[k]);
        fprintf(c,
                "void *__real_%s(void *, int, size_t);\nvoid *__wrap_%s(void *d, int v, size_t n)\n{\n"
                "    note(log_writes, d, n);\n    return __real_%s(d, v, n);\n}\n",
                sets[k], sets[k], sets[k]);
    }
    static const struct {
        const char *name, *type, *second, *result;
    } math[] = {{"frexp", "double", "", "int"},
                {"frexpf", "float", "", "int"},
                {"modf", "double", "", "double"},
                {"modff", "float", "", "float"},
                {"remquo", "double", "double y, ", "int"},
                {"remquof", "float", "float y, ", "int"}};
    for (size_t k = 0; k < sizeof math / sizeof *math; k++) {
        const char *name = math[k].name, *type = math[k].type, *second = math[k].second, *result = math[k].result;
        fprintf(wraps, "--wrap=cpudev_check_%s\n", name);
        fprintf(c,
                "%s __real_cpudev_check_%s(%s x, %s%s *p);\n%s __wrap_cpudev_check_%s(%s x, %s%s *p)\n{\n"
                "    note(log_writes, p, sizeof *p);\n    return __real_cpudev_check_%s(x, %sp);\n}\n",
                type, name, type, second, result, type, name, type, second, result, name, *second ? "y, " : "");
    }
}

static void print_sines(FILE *c, FILE *wraps, const char *name, const char *type)
{
    fprintf(wraps, "--wrap=cpudev_check_%s\n", name);
    fprintf(c,
            "void __real_cpudev_check_%s(%s x, %s *s, %s *c);\nvoid __wrap_cpudev_check_%s(%s x, %s *s, %s *c)\n{\n"
            "    note(log_writes, s, sizeof *s), note(log_writes, c, sizeof *c);\n    __real_cpudev_check_%s(x, s, "
            "c);\n}\n",
            name, type, type, type, name, type, type, type, name);
}

START_TEST(random_accesses_are_told)
{
    mkdir("build", 0777);
    mkdir(FOLDER, 0777);
    FILE *c = fopen(FOLDER "/log.c", "w"), *wraps = fopen(FOLDER "/wraps", "w");
    ck_assert(c && wraps);
    print_log(c, wraps);
    print_sines(c, wraps, "sincos", "double");
    print_sines(c, wraps, "sincosf", "float");
    fclose(c);
    fclose(wraps);
    ck_assert(random_run("cc -O1 -w -c -o " FOLDER "/log.o " FOLDER "/log.c") == 0);
    setenv("CUDA_CPU_BULK", "0", 1); /* each access has its callback */
    random_programs(4, "accesses", FOLDER, head, print_kernel);
}
END_TEST

static void add(TCase *t) { tcase_add_test(t, random_accesses_are_told); }

int main(void) { return random_suite("random accesses", add); }
