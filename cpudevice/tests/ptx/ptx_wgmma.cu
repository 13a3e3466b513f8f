/* ptx_wgmma.cu: wgmma against a GPU. Each product of ptx/wgmma.h runs on descriptors of every swizzle, advanced inside a
 * swizzled row, with odd strides and base offsets, over 64 KB of shared memory full of small numbers, so that every sum is
 * exact whatever its order: the hash of D over all threads is compared with what an H200 gave (cpudevice/tests/records/h200/wgmma.csv).
 * Products whose sums round are compared one by one with the H200's, to the tolerance that is said at ROUNDED.
 *
 *   build/cuda/cpudevice/tests/ptx/ptx_wgmma --record >cpudevice/tests/records/h200/wgmma.csv       on a Hopper GPU, built by nvcc for sm_90a
 *
 * Without the library Check: nvcc -arch=sm_90a -std=c++17 -DRECORD_ONLY cpudevice/tests/ptx/ptx_wgmma.cu. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#ifndef RECORD_ONLY
#include "suite.h"
#endif

enum { THREADS = 128, REGISTERS = 128, MEMORY = 64 * 1024, SAMPLES = 24 };
enum { halves, brains, words, bytes, integers, bits }; /* what shared memory is filled with */

/* ---- layouts: A and B's descriptors ---- */

typedef struct {
    const char *name; /* the column of the results */
    uint32_t start_a, start_b, leading, stride, base, mode;
} Layout;

/* Start addresses count from the beginning of dynamic shared memory, a multiple of 1024. */
static const Layout layouts[] = {
    {"none", 0, 8192, 128, 256, 0, 0},          {"none", 1024 + 16, 9216 + 48, 2048, 144, 0, 0},
    {"none", 512, 16384, 4096, 128, 0, 0},      {"swizzle128", 0, 16384, 16, 1024, 0, 1},
    {"swizzle128", 32, 16384 + 64, 4096, 1024, 0, 1}, {"swizzle128", 1024, 8192, 2048, 1536, 0, 1},
    {"swizzle64", 0, 8192, 16, 512, 0, 2},      {"swizzle64", 2048 + 32, 8192, 2048, 512, 0, 2},
    {"swizzle64", 512, 8192 + 32, 1024, 640, 0, 2}, {"swizzle32", 0, 4096, 16, 256, 0, 3},
    {"swizzle32", 256, 12288, 512, 384, 0, 3},  {"swizzle32", 1024, 8192, 3072, 256, 0, 3},
    {"base", 384, 8192 + 384, 2048, 1024, 3, 1}, {"base", 128, 8192 + 128, 1024, 512, 1, 2},
    {"base", 128, 4096 + 128, 512, 256, 1, 3},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };
static const char *const columns[] = {"none", "swizzle128", "swizzle64", "swizzle32", "base"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static __device__ uint64_t descriptor(uint32_t memory, uint32_t start, const Layout *l)
{
    return (uint64_t)((memory + start) >> 4 & 0x3fff) | (uint64_t)(l->leading >> 4) << 16 |
           (uint64_t)(l->stride >> 4) << 32 | (uint64_t)l->base << 49 | (uint64_t)l->mode << 62;
}

/* ---- numbers ---- */

static __host__ __device__ uint32_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

static __host__ __device__ uint32_t pattern(uint32_t kind, bool two, bool negative)
{
    const uint32_t one[] = {0x3c00, 0x3f80, 0x3f800000, 0x38, 0, 0}, twice[] = {0x4000, 0x4000, 0x40000000, 0x40, 0, 0};
    const uint32_t sign[] = {0x8000, 0x8000, 0x80000000, 0x80, 0, 0};
    return (two ? twice : one)[kind] | (negative ? sign[kind] : 0);
}

/* The i-th 32 bits of memory: elements of 1, 2, -1 and -2 (of e5m2 a half for 1), so that sums are exact in 11 bits. Or
 * `rounded`: with random mantissas, so that sums round. Integers and bits are random. */
static __host__ __device__ uint32_t word_of(uint32_t kind, bool rounded, uint32_t i)
{
    const uint32_t mantissas[] = {0x03ff03ff, 0x007f007f, 0x007fffff, 0x07070707, 0, 0}, r = mix(i);
    const int width = kind == halves || kind == brains ? 16 : kind == words ? 32 : 8;
    uint32_t word = 0;
    if (kind == integers || kind == bits)
        return r;
    for (int at = 0; at < 32; at += width)
        word |= pattern(kind, r >> at / 4 & 1, r >> (at / 4 + 1) & 1) << at;
    return rounded ? word ^ (mix(i + 1000003u) & mantissas[kind]) : word;
}

/* A register of D before the product. */
static __host__ __device__ uint32_t before_of(uint32_t kind, int bytes_of_d, uint32_t i)
{
    const float small = (float)(int)(mix(i + 7) % 17) - 8;
    uint32_t word;
    if (kind == integers)
        return i % 3 ? mix(i + 5) : 0x7ffffff0u - (i % 2 << 31);
    if (kind == bits)
        return mix(i + 5);
    if (bytes_of_d == 2)
        return 0x3c004200u | (i % 2 << 15); /* 3 and 1 */
    memcpy(&word, &small, sizeof word);
    return word;
}

/* Metadata of a sparse A: of each four elements two places in order; of pairs (words) 0b0100 or 0b1110. */
static __device__ uint32_t metadata_of(uint32_t kind, uint32_t thread)
{
    const uint32_t pairs[] = {0x4, 0x8, 0x9, 0xc, 0xd, 0xe};
    uint32_t word = 0;
    for (int g = 0; g < 8; g++) {
        const uint32_t r = mix(thread * 8 + g + 77);
        word |= (kind == words ? (r & 1 ? 0x4 : 0xe) : pairs[r % 6]) << 4 * g;
    }
    return word;
}

/* ---- products ---- */

#define R4 "%0, %1, %2, %3"
#define R8 R4 ", %4, %5, %6, %7"
#define R12 R8 ", %8, %9, %10, %11"
#define R16 R12 ", %12, %13, %14, %15"
#define R20 R16 ", %16, %17, %18, %19"
#define R24 R20 ", %20, %21, %22, %23"
#define R28 R24 ", %24, %25, %26, %27"
#define R32 R28 ", %28, %29, %30, %31"
#define R36 R32 ", %32, %33, %34, %35"
#define R40 R36 ", %36, %37, %38, %39"
#define R44 R40 ", %40, %41, %42, %43"
#define R48 R44 ", %44, %45, %46, %47"
#define R52 R48 ", %48, %49, %50, %51"
#define R56 R52 ", %52, %53, %54, %55"
#define R60 R56 ", %56, %57, %58, %59"
#define R64 R60 ", %60, %61, %62, %63"
#define R68 R64 ", %64, %65, %66, %67"
#define R72 R68 ", %68, %69, %70, %71"
#define R76 R72 ", %72, %73, %74, %75"
#define R80 R76 ", %76, %77, %78, %79"
#define R84 R80 ", %80, %81, %82, %83"
#define R88 R84 ", %84, %85, %86, %87"
#define R92 R88 ", %88, %89, %90, %91"
#define R96 R92 ", %92, %93, %94, %95"
#define R100 R96 ", %96, %97, %98, %99"
#define R104 R100 ", %100, %101, %102, %103"
#define R108 R104 ", %104, %105, %106, %107"
#define R112 R108 ", %108, %109, %110, %111"
#define R116 R112 ", %112, %113, %114, %115"
#define R120 R116 ", %116, %117, %118, %119"
#define R124 R120 ", %120, %121, %122, %123"
#define R128 R124 ", %124, %125, %126, %127"
#define O4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define O16(i) O4(i), O4(i + 4), O4(i + 8), O4(i + 12)
#define O64(i) O16(i), O16(i + 16), O16(i + 32), O16(i + 48)

struct Operands {
    uint64_t a, b;
    uint32_t registers[4], metadata;
    int accumulate;
};

template <int id> struct Product;
#define WGMMA(kind_, d_, n_, text)                                                                                      \
    template <> struct Product<__COUNTER__> {                                                                          \
        enum { kind = kind_, bytes_of_d = d_, registers = n_ * d_ / 8 };                                               \
        static __device__ void run(uint32_t (&d)[REGISTERS], const Operands &o)                                        \
        {                                                                                                              \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %135, 0;\n" text "\n}"                                     \
                         : O64(0), O64(64)                                                                             \
                         : "l"(o.a), "l"(o.b), "r"(o.registers[0]), "r"(o.registers[1]), "r"(o.registers[2]),          \
                           "r"(o.registers[3]), "r"(o.metadata), "r"(o.accumulate));                                   \
        }                                                                                                              \
    };
#include "wgmma.h"
#undef WGMMA
enum { COUNT = __COUNTER__ };

template <class P> static __global__ void __launch_bounds__(THREADS, 1) multiply(uint32_t *out, Layout l, int rounded)
{
    extern __shared__ __align__(1024) uint32_t memory[];
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
    const uint32_t t = threadIdx.x, base = (uint32_t)__cvta_generic_to_shared(memory);
    uint32_t d[REGISTERS];
    Operands o;
    for (uint32_t i = t; i < MEMORY / 4; i += THREADS)
        memory[i] = word_of(P::kind, rounded, i);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < REGISTERS; i++)
        d[i] = before_of(P::kind, P::bytes_of_d, i * THREADS + t);
    o.a = descriptor(base, l.start_a, &l);
    o.b = descriptor(base, l.start_b, &l);
    for (int i = 0; i < 4; i++)
        o.registers[i] = word_of(P::kind, rounded, 100000 + 4 * t + i);
    o.metadata = metadata_of(P::kind, t);
    o.accumulate = l.leading / 512 % 2 == 0;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    P::run(d, o);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < P::registers; i++)
        out[i * THREADS + t] = d[i];
#endif
}

static const struct {
    const char *text;
    void (*kernel)(uint32_t *out, Layout l, int rounded);
    int kind, bytes_of_d, registers;
} table[] = {
#define WGMMA(kind, d, n, text) {text, multiply<Product<__COUNTER__ - COUNT - 1>>, kind, d, n * d / 8},
#include "wgmma.h"
};

/* ---- results ---- */

static uint32_t results[REGISTERS * THREADS];

static void run_product(int which, const Layout *l, int rounded)
{
    uint32_t *out = NULL;
    cudaMalloc((void **)&out, sizeof results);
    cudaFuncSetAttribute(table[which].kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, MEMORY);
    const dim3 grid(1);
    table[which].kernel<<<grid, THREADS, MEMORY>>>(out, *l, rounded);
    const cudaError_t e = cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    cudaFree(out);
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", table[which].text, cudaGetErrorString(e));
        exit(2);
    }
}

/* Over all layouts of a column. */
static uint64_t hash_of(int which, const char *column)
{
    uint64_t hash = 0;
    for (int k = 0; k < LAYOUTS; k++) {
        if (strcmp(layouts[k].name, column))
            continue;
        run_product(which, &layouts[k], 0);
        for (int i = 0; i < table[which].registers * THREADS; i++)
            hash = (hash ^ results[i]) * 0x100000001b3ull + mix(hash);
    }
    return hash;
}

static bool rounds(int which) { return table[which].kind != integers && table[which].kind != bits; }

/* The instruction without the list of D's registers. */
static const char *name_of(int which)
{
    static char name[256];
    const char *text = table[which].text, *open = strchr(text, '{'), *behind = strchr(text, '}') + 3;
    snprintf(name, sizeof name, "%.*s%s", (int)(open - text), text, behind);
    return name;
}

static void record(void)
{
    cudaDeviceProp device;
    int driver = 0;
    cudaGetDeviceProperties(&device, 0);
    cudaDriverGetVersion(&driver);
    printf("# %s, CUDA %d.%d; build/cuda/cpudevice/tests/ptx/ptx_wgmma --record\ninstruction,none,swizzle128,swizzle64,swizzle32,base,"
           "rounded\n",
           device.name, driver / 1000, driver % 1000 / 10);
    for (int which = 0; which < COUNT; which++) {
        printf("\"%s\"", name_of(which));
        for (int c = 0; c < COLUMNS; c++)
            printf(",%016llx", (unsigned long long)hash_of(which, columns[c]));
        if (rounds(which))
            run_product(which, &layouts[3], 1);
        for (int i = 0; rounds(which) && i < SAMPLES; i++)
            printf("%c%08x", i ? ' ' : ',', results[i * 37 % (table[which].registers * THREADS)]);
        puts(rounds(which) ? "" : ",");
    }
}

#ifdef RECORD_ONLY
int main(void)
{
    record();
    return 0;
}
#else
/* The line of the record for a product, behind its name; NULL if there is none. */
static char *recorded(const char *name)
{
    static char line[4096];
    FILE *f = fopen("cpudevice/tests/records/h200/wgmma.csv", "r");
    if (!f)
        return NULL;
    char *found = NULL;
    const size_t n = strlen(name);
    while (!found && fgets(line, sizeof line, f))
        if (line[0] == '"' && !strncmp(line + 1, name, n) && line[1 + n] == '"')
            found = line + n + 3;
    fclose(f);
    return found;
}

START_TEST(as_on_a_gpu)
{
    const char *name = name_of(_i);
    char *expected = recorded(name);
    ck_assert_msg(expected != NULL, "cpudevice/tests/records/h200/wgmma.csv has no record of %s", name);
    for (int c = 0; c < COLUMNS; c++) {
        const uint64_t gpu = strtoull(expected, &expected, 16);
        expected += *expected == ',';
        ck_assert_msg(gpu == hash_of(_i, columns[c]), "%s, %s: other results than a GPU's", name, columns[c]);
    }
}
END_TEST

static double half_value(uint32_t h)
{
    const int exponent = (int)(h >> 10 & 31);
    const double magnitude = exponent ? ldexp(1024 + (h & 1023), exponent - 25) : ldexp(h & 1023, -24);
    return h >> 15 & 1 ? -magnitude : magnitude;
}

static double distance(int which, uint32_t a, uint32_t b)
{
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    if (table[which].bytes_of_d == 4)
        return fabs((double)x - (double)y);
    return fmax(fabs(half_value(a & 0xffff) - half_value(b & 0xffff)), fabs(half_value(a >> 16) - half_value(b >> 16)));
}

/* Up to 33 terms below 16, which a tensor core aligns to the largest and truncates: to about 24 bits, with fp8 to about
 * 13. D of f16 has 11. */
START_TEST(rounded_as_on_a_gpu)
{
    if (!rounds(_i))
        return;
    const char *name = name_of(_i);
    char *expected = recorded(name);
    const double allowed = table[_i].bytes_of_d == 2 ? 0.125 : table[_i].kind == bytes ? 33 * 16 / 8192.0 : 33 * 16 / 8388608.0;
    ck_assert_msg(expected != NULL, "cpudevice/tests/records/h200/wgmma.csv has no record of %s", name);
    for (int c = 0; c < COLUMNS; c++)
        expected = strchr(expected, ',') + 1;
    run_product(_i, &layouts[3], 1);
    for (int i = 0; i < SAMPLES; i++) {
        const uint32_t gpu = (uint32_t)strtoull(expected, &expected, 16);
        const uint32_t here = results[i * 37 % (table[_i].registers * THREADS)];
        ck_assert_msg(distance(_i, gpu, here) <= allowed, "%s: 0x%08x on a GPU, 0x%08x here", name, gpu, here);
    }
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--record")) {
        record();
        return 0;
    }
    Suite *suite = suite_create("wgmma");
    TCase *tests = tcase_create("as on a GPU");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_loop_test(tests, as_on_a_gpu, 0, COUNT);
    tcase_add_loop_test(tests, rounded_as_on_a_gpu, 0, COUNT);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
#endif
