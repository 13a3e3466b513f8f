/* ptx.cu: inline PTX against a GPU. Each instruction of ptx/instructions.h (of one thread), ptx/warps.h (what the lanes of
 * a warp do together), ptx/memory.h and ptx/matrices.h runs on 4096 operands, edge values among them, and the hash of its
 * results is compared with what an H200 gave (cpudevice/tests/records/h200/ptx.csv); approximate instructions are compared one by one
 * with the first results that it gave there.
 *
 *   build/cuda/cpudevice/tests/ptx/ptx --record >cpudevice/tests/records/h200/ptx.csv       on a GPU, built by nvcc */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#include "suite.h"

enum { OPERANDS = 4096, SAMPLES = 32 };

/* ---- operands ---- */

static __host__ __device__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* Operand k of try i: small integers, powers of two, floats of every kind, then random bits. */
static __device__ uint64_t operand(int i, int k)
{
    const uint64_t edge[] = {0,
                             1,
                             2,
                             31,
                             32,
                             33,
                             63,
                             64,
                             255,
                             0x7f,
                             0x80,
                             0x7fff,
                             0x8000,
                             0xffff,
                             0x7fffffff,
                             0x80000000,
                             0xffffffff,
                             0x7fffffffffffffff,
                             0x8000000000000000,
                             0xffffffffffffffff,
                             0x3f800000,
                             0xbf800000,
                             0x7f800000,
                             0xff800000,
                             0x7fc00000,
                             0x00800000,
                             0x007fffff,
                             0x80000001,
                             0x477fe000,
                             0x3c003c00,
                             0x7c00fc00,
                             0x00010400,
                             0x3ff0000000000000,
                             0xbff0000000000000,
                             0x7ff0000000000000,
                             0xfff0000000000000,
                             0x7ff8000000000000,
                             0x0010000000000000,
                             0x000fffffffffffff,
                             0x41dfffffffc00000,
                             0x43e0000000000000,
                             0x4f000000,
                             0xcf000000,
                             0x5f000000,
                             0x43e00000,
                             0x43e80000,
                             0x3b000000,
                             0x47c35000};
    const uint64_t random = mix((uint64_t)i * 4 + k), count = sizeof edge / sizeof *edge;
    if (i < 2304) /* all pairs of edges in the first two operands */
        return k == 0 ? edge[i % count] : k == 1 ? edge[i / 48 % count] : edge[random % count];
    switch (i % 4) {
    case 0: return random;
    case 1:
        return (random & 0x007fffff) | (uint64_t)(100 + (random >> 32) % 56) << 23 |
               (random >> 63) << 31; /* floats near 1 */
    case 2: return (random & 0xffffff) | 0x3f000000;
    default: return random & 0x3f;
    }
}

typedef uint32_t type_r;
typedef float type_f;
typedef uint64_t type_l;
typedef double type_d;
typedef uint16_t type_h;
template <class T> static __device__ T from_bits(uint64_t bits)
{
    T x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
template <class T> static __device__ uint64_t to_bits(T x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

/* ---- instructions ---- */

#define INPUT(c, k) #c(from_bits <type_##c>(operand(i, k)))
#define INPUTS_1(a) INPUT(a, 0)
#define INPUTS_2(a, b) INPUT(a, 0), INPUT(b, 1)
#define INPUTS_3(a, b, c) INPUT(a, 0), INPUT(b, 1), INPUT(c, 2)
#define INPUTS_4(a, b, c, d) INPUT(a, 0), INPUT(b, 1), INPUT(c, 2), INPUT(d, 3)
#define PICK(a, b, c, d, name, ...) name
#define INPUTS(...) PICK(__VA_ARGS__, INPUTS_4, INPUTS_3, INPUTS_2, INPUTS_1, )(__VA_ARGS__)

template <int file, int line> static __global__ void instruction(uint64_t *out);
#define OP(result, text, ...)                                                                                          \
    template <> __global__ void instruction<FILE_OF_OPS, __LINE__>(uint64_t * out)                                     \
    {                                                                                                                  \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
        type_##result x;                                                                                               \
        asm volatile(text : "=" #result(x) : INPUTS(__VA_ARGS__));                                                     \
        out[i] = to_bits(x);                                                                                           \
    }
#define APPROXIMATE(result, ulps, text, ...) OP(result, text, __VA_ARGS__)
/* Each thread has 16 bytes of shared or global memory, whose address is the last operand but the inputs' (%1). What it
 * holds afterwards is a result too. */
#define MEMORY(constraint, address, at, result, text, ...)                                                             \
    template <> __global__ void instruction<FILE_OF_OPS, __LINE__>(uint64_t * out)                                     \
    {                                                                                                                  \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
        __shared__ __align__(128) uint64_t tile[2 * 256];                                                              \
        uint64_t *const mine = at;                                                                                     \
        type_##result x = from_bits<type_##result>(0);                                                                 \
        mine[0] = operand(i, 2);                                                                                       \
        mine[1] = operand(i, 3);                                                                                       \
        (void)tile;                                                                                                    \
        __syncthreads();                                                                                               \
        asm volatile(text : "+" #result(x) : constraint(address), INPUTS_2(__VA_ARGS__) : "memory");                   \
        __syncthreads();                                                                                               \
        out[i] = mix(mix(to_bits(x) ^ mine[0]) ^ mine[1]);                                                             \
    }
#define SHARED(result, text, ...)                                                                                      \
    MEMORY("r", (uint32_t)__cvta_generic_to_shared(mine), tile + 2 * threadIdx.x, result, text, __VA_ARGS__)
#define GLOBAL(result, text, ...) MEMORY("l", mine, out + OPERANDS + 2 * i, result, text, __VA_ARGS__)
#define FILE_OF_OPS 1
#include "instructions.h"
#undef FILE_OF_OPS
#define FILE_OF_OPS 2
#include "warps.h"
#undef FILE_OF_OPS
#define FILE_OF_OPS 3
#include "memory.h"
#undef FILE_OF_OPS

/* A register of a matrix is made of the bits of an input, turned: of floats 1 or 1.5 with a sign, of integers any. */
#define VALUES(to, bits, one) "and.b32 " to ", " to ", " bits "; or.b32 " to ", " to ", " one "; "
#define VALUES_bf16(to) VALUES(to, "0x80408040", "0x3f803f80")
#define VALUES_f16(to) VALUES(to, "0x82008200", "0x3c003c00")
#define VALUES_f32(to) VALUES(to, "0x80400000", "0x3f800000")
#define VALUES_tf32(to) VALUES_f32(to)
#define VALUES_e4m3(to) VALUES(to, "0x84848484", "0x38383838")
#define VALUES_e5m2(to) VALUES(to, "0x82828282", "0x3c3c3c3c")
#define VALUES_s32(to)
#define VALUES_s8(to)
#define VALUES_u8(to)
#define VALUES_s4(to)
#define VALUES_u4(to)
#define VALUES_b1(to)
#define WORD(type, to, input, turn) "shf.l.wrap.b32 " to ", " input ", " input ", " #turn "; " VALUES_##type(to)
#define WORDS_A(type) WORD(type, "a0", "%1", 0) WORD(type, "a1", "%2", 0) WORD(type, "a2", "%3", 0) WORD(type, "a3", "%4", 0)
#define WORDS_B(type) WORD(type, "b0", "%2", 8) WORD(type, "b1", "%3", 16) WORD(type, "b2", "%4", 24) WORD(type, "b3", "%1", 8)
#define WORDS_C(type) WORD(type, "c0", "%4", 0) WORD(type, "c1", "%3", 0) WORD(type, "c2", "%2", 0) WORD(type, "c3", "%1", 0)
#define REGISTERS_1(r) "{" r "0}"
#define REGISTERS_2(r) "{" r "0, " r "1}"
#define REGISTERS_4(r) "{" r "0, " r "1, " r "2, " r "3}"
#define MIXED_IN(d) "shf.l.wrap.b32 %0, %0, %0, 7; xor.b32 %0, %0, " d "; "
#define MIXED_2 "mov.b32 %0, d0; " MIXED_IN("d1")
#define MIXED_4 MIXED_2 MIXED_IN("d2") MIXED_IN("d3")
#define PRODUCT(acc, a, b, of_a, of_b, of_d, form, meta, more)                                                         \
    OP(r,                                                                                                              \
       "{ .reg .b32 a<4>, b<4>, c<4>, d<4>, m; " WORDS_A(a) WORDS_B(b) WORDS_C(acc) meta form " " REGISTERS_##of_d(    \
           "d") ", " REGISTERS_##of_a("a") ", " REGISTERS_##of_b("b") ", " REGISTERS_##of_d("c") more                  \
           "; " MIXED_##of_d "}",                                                                                      \
       r, r, r, r)
#define MATRIX(acc, a, b, of_a, of_b, of_d, form) PRODUCT(acc, a, b, of_a, of_b, of_d, form, "", "")
/* Each lane's metadata: places 0 or 1 and 2 or 3 of four; for tf32 (0 or 1 of two) 0b0100 or 0b1110. */
#define SPARSE(acc, a, b, of_ab, of_d, selector, form)                                                                 \
    PRODUCT(acc, a, b, of_ab, of_ab, of_d, form, METADATA_##a, ", m, " #selector)
#define METADATA_2_OF_4 "and.b32 m, %1, 0x55555555; or.b32 m, m, 0x88888888; "
#define METADATA_bf16 METADATA_2_OF_4
#define METADATA_f16 METADATA_2_OF_4
#define METADATA_tf32 "and.b32 m, %1, 0x22222222; mul.lo.u32 m, m, 5; or.b32 m, m, 0x44444444; "
#define METADATA_e4m3 METADATA_2_OF_4
#define METADATA_e5m2 METADATA_2_OF_4
#define METADATA_s8 METADATA_2_OF_4
#define METADATA_u8 METADATA_2_OF_4
#define METADATA_s4 METADATA_2_OF_4
#define METADATA_u4 METADATA_2_OF_4
#define FILE_OF_OPS 4
#include "matrices.h"
#undef FILE_OF_OPS
#undef MATRIX
#undef SPARSE
#undef OP
#undef APPROXIMATE
#undef SHARED
#undef GLOBAL

static const struct {
    const char *text;
    void (*kernel)(uint64_t *out);
    int ulps;
} table[] = {
#define OP(result, text, ...) {text, instruction<FILE_OF_OPS, __LINE__>, 0},
#define APPROXIMATE(result, ulps, text, ...) {text, instruction<FILE_OF_OPS, __LINE__>, ulps},
#define SHARED OP
#define GLOBAL OP
#define FILE_OF_OPS 1
#include "instructions.h"
#undef FILE_OF_OPS
#define FILE_OF_OPS 2
#include "warps.h"
#undef FILE_OF_OPS
#define FILE_OF_OPS 3
#include "memory.h"
#undef FILE_OF_OPS
#define MATRIX(acc, a, b, of_a, of_b, of_d, form) OP(r, form, )
#define SPARSE(acc, a, b, of_ab, of_d, selector, form) OP(r, form ", " #selector, )
#define FILE_OF_OPS 4
#include "matrices.h"
};
enum { COUNT = sizeof table / sizeof *table };

/* ---- results ---- */

static uint64_t *results_of(int which)
{
    uint64_t *out = NULL, *results = (uint64_t *)malloc(OPERANDS * sizeof *results);
    cudaMalloc((void **)&out, 3 * OPERANDS * sizeof *out);
    table[which].kernel<<<OPERANDS / 256, 256>>>(out);
    const cudaError_t e = cudaMemcpy(results, out, OPERANDS * sizeof *out, cudaMemcpyDeviceToHost);
    cudaFree(out);
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", table[which].text, cudaGetErrorString(e));
        exit(2);
    }
    return results;
}

static uint64_t hash_of(const uint64_t *out)
{
    uint64_t hash = 0;
    for (int i = 0; i < OPERANDS; i++)
        hash = mix(hash ^ out[i]);
    return hash;
}

/* The samples of an approximate instruction are those of ordinary operands, behind the edges. */
static const uint64_t *samples_of(const uint64_t *out) { return out + OPERANDS - SAMPLES; }

static void record(void)
{
    cudaDeviceProp device;
    int driver = 0;
    cudaGetDeviceProperties(&device, 0);
    cudaDriverGetVersion(&driver);
    printf("# %s, CUDA %d.%d; build/cuda/cpudevice/tests/ptx/ptx --record\ninstruction,results\n", device.name, driver / 1000,
           driver % 1000 / 10);
    for (int k = 0; k < COUNT; k++) {
        uint64_t *out = results_of(k);
        printf("\"%s\",%016llx", table[k].text, (unsigned long long)hash_of(out));
        for (int i = 0; table[k].ulps && i < SAMPLES; i++)
            printf(" %llx", (unsigned long long)samples_of(out)[i]);
        puts("");
        free(out);
    }
}

/* The line of the record for an instruction, behind its name; NULL if there is none. */
static char *recorded(const char *text)
{
    static char line[4096];
    FILE *f = fopen("cpudevice/tests/records/h200/ptx.csv", "r");
    ck_assert_msg(f != NULL, "cpudevice/tests/records/h200/ptx.csv cannot be read");
    char *found = NULL;
    const size_t n = strlen(text);
    while (!found && fgets(line, sizeof line, f))
        if (line[0] == '"' && !strncmp(line + 1, text, n) && line[1 + n] == '"')
            found = line + n + 3;
    fclose(f);
    return found;
}

static int64_t ordered(uint32_t bits) { return bits >> 31 ? -(int64_t)(bits & 0x7fffffff) : (int64_t)bits; }

START_TEST(as_on_a_gpu)
{
    const char *text = table[_i].text;
    char *expected = recorded(text);
    ck_assert_msg(expected != NULL, "%s: cpudevice/tests/records/h200/ptx.csv has no record", text);
    uint64_t *out = results_of(_i);
    const uint64_t hash = strtoull(expected, &expected, 16);
    if (!table[_i].ulps)
        ck_assert_msg(hash == hash_of(out), "%s: other results than a GPU's", text);
    for (int i = 0; table[_i].ulps && i < SAMPLES; i++) {
        const uint32_t gpu = (uint32_t)strtoull(expected, &expected, 16), here = (uint32_t)samples_of(out)[i];
        const int64_t distance = ordered(gpu) - ordered(here);
        ck_assert_msg(distance <= table[_i].ulps && -distance <= table[_i].ulps, "%s: 0x%08x on a GPU, 0x%08x here",
                      text, gpu, here);
    }
    free(out);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--record")) {
        record();
        return 0;
    }
    Suite *suite = suite_create("inline PTX");
    TCase *tests = tcase_create("as on a GPU");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_loop_test(tests, as_on_a_gpu, 0, COUNT);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
