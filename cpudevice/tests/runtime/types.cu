// A test for the CPU device only.
// Device functions that must give the same bits everywhere: conversions, half and bfloat16 arithmetic, directed
// rounding, integer and SIMD-in-a-word intrinsics.
//
// Two judges. A plain model in this file decides every one of the 65536 values of the 16-bit formats and many floats
// between them. And each function of the list below is called on 65536 triples of operands; the checksums of the
// results must be those that a GPU gave, which stand in cpudevice/tests/records/h200/device_functions.csv. That file comes from this
// program, built by nvcc with -DNO_CHECK: it prints the list.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#ifndef NO_CHECK
#include <check.h>

#include "suite.h"
#endif

typedef unsigned long long u64;

__host__ __device__ static unsigned float_bits(float f)
{
    unsigned u;
    memcpy(&u, &f, sizeof(u));
    return f != f ? 0x7fffffffu : u;
}
__host__ __device__ static u64 double_bits(double d)
{
    u64 u;
    memcpy(&u, &d, sizeof(u));
    return d != d ? 0x7fffffffffffffffull : u;
}
__host__ __device__ static float bits_float(unsigned u)
{
    float f;
    memcpy(&f, &u, sizeof(f));
    return f;
}
__host__ __device__ static double bits_double(u64 u)
{
    double d;
    memcpy(&d, &u, sizeof(d));
    return d;
}

// The operands as each type; the results as bits, NaNs of float and double made one.
#define FA bits_float(a)
#define FB bits_float(b)
#define FC bits_float(c)
#define DA bits_double((u64)a << 32 | c)
#define DB bits_double((u64)b << 32 | c)
#define DC bits_double((u64)c << 32 | a)
#define LA ((long long)((u64)a << 32 | c))
#define LB ((long long)((u64)b << 32 | c))
#define HA __ushort_as_half((unsigned short)a)
#define HB __ushort_as_half((unsigned short)b)
#define HC __ushort_as_half((unsigned short)c)
#define BA __ushort_as_bfloat16((unsigned short)a)
#define BB __ushort_as_bfloat16((unsigned short)b)
#define BC __ushort_as_bfloat16((unsigned short)c)
#define F(x) float_bits(x)
#define D(x) double_bits(x)
#define H(x) __half_as_ushort(x)
#define B(x) __bfloat16_as_ushort(x)

#define MODES(f) f(rn) f(rz) f(ru) f(rd)
#define FLOAT_OPS(m)                                                                                                  \
    X(__fadd_##m, F(__fadd_##m(FA, FB))) X(__fsub_##m, F(__fsub_##m(FA, FB))) X(__fmul_##m, F(__fmul_##m(FA, FB)))    \
    X(__fdiv_##m, F(__fdiv_##m(FA, FB))) X(__fsqrt_##m, F(__fsqrt_##m(FA))) X(__frcp_##m, F(__frcp_##m(FA)))          \
    X(__fmaf_##m, F(__fmaf_##m(FA, FB, FC)))                                                                          \
    X(__dadd_##m, D(__dadd_##m(DA, DB))) X(__dsub_##m, D(__dsub_##m(DA, DB))) X(__dmul_##m, D(__dmul_##m(DA, DB)))    \
    X(__ddiv_##m, D(__ddiv_##m(DA, DB))) X(__dsqrt_##m, D(__dsqrt_##m(DA))) X(__fma_##m, D(__fma_##m(DA, DB, DC)))    \
    X(__float2int_##m, (unsigned)__float2int_##m(FA)) X(__float2uint_##m, __float2uint_##m(FA))                       \
    X(__float2ll_##m, (u64)__float2ll_##m(FA)) X(__float2ull_##m, __float2ull_##m(FA))                                \
    X(__double2int_##m, (unsigned)__double2int_##m(DA)) X(__double2uint_##m, __double2uint_##m(DA))                   \
    X(__double2ll_##m, (u64)__double2ll_##m(DA)) X(__double2ull_##m, __double2ull_##m(DA))                            \
    X(__double2float_##m, F(__double2float_##m(DA)))                                                                  \
    X(__int2float_##m, F(__int2float_##m((int)a))) X(__uint2float_##m, F(__uint2float_##m(a)))                        \
    X(__ll2float_##m, F(__ll2float_##m(LA))) X(__ull2float_##m, F(__ull2float_##m((u64)LA)))                          \
    X(__ll2double_##m, D(__ll2double_##m(LA))) X(__ull2double_##m, D(__ull2double_##m((u64)LA)))
#define HALF_MODES(m)                                                                                                 \
    X(__float2half_##m, H(__float2half_##m(FA))) X(__int2half_##m, H(__int2half_##m((int)a >> (b & 31))))             \
    X(__uint2half_##m, H(__uint2half_##m(a >> (b & 31)))) X(__short2half_##m, H(__short2half_##m((short)a)))          \
    X(__ushort2half_##m, H(__ushort2half_##m((unsigned short)a))) X(__ll2half_##m, H(__ll2half_##m(LA >> (b & 63))))  \
    X(__ull2half_##m, H(__ull2half_##m((u64)LA >> (b & 63))))                                                         \
    X(__half2int_##m, (unsigned)__half2int_##m(HA)) X(__half2uint_##m, __half2uint_##m(HA))                           \
    X(__half2short_##m, (unsigned short)__half2short_##m(HA)) X(__half2ushort_##m, __half2ushort_##m(HA))             \
    X(__half2ll_##m, (u64)__half2ll_##m(HA)) X(__half2ull_##m, __half2ull_##m(HA))                                    \
    X(__float2bfloat16_##m, B(__float2bfloat16_##m(FA))) X(__int2bfloat16_##m, B(__int2bfloat16_##m((int)a)))         \
    X(__uint2bfloat16_##m, B(__uint2bfloat16_##m(a))) X(__short2bfloat16_##m, B(__short2bfloat16_##m((short)a)))      \
    X(__ll2bfloat16_##m, B(__ll2bfloat16_##m(LA))) X(__ull2bfloat16_##m, B(__ull2bfloat16_##m((u64)LA)))              \
    X(__bfloat162int_##m, (unsigned)__bfloat162int_##m(BA)) X(__bfloat162uint_##m, __bfloat162uint_##m(BA))           \
    X(__bfloat162ll_##m, (u64)__bfloat162ll_##m(BA)) X(__bfloat162ushort_##m, __bfloat162ushort_##m(BA))
#define SIXTEEN(t, a1, b1, c1, R)                                                                                     \
    X(__hadd_##t, R(__hadd(a1, b1))) X(__hsub_##t, R(__hsub(a1, b1))) X(__hmul_##t, R(__hmul(a1, b1)))                \
    X(__hfma_##t, R(__hfma(a1, b1, c1))) X(__hfma_sat_##t, R(__hfma_sat(a1, b1, c1)))                                 \
    X(__hfma_relu_##t, R(__hfma_relu(a1, b1, c1))) X(__hadd_sat_##t, R(__hadd_sat(a1, b1)))                           \
    X(__hsub_sat_##t, R(__hsub_sat(a1, b1))) X(__hmul_sat_##t, R(__hmul_sat(a1, b1)))                                 \
    X(__hmax_##t, R(__hmax(a1, b1))) X(__hmin_##t, R(__hmin(a1, b1)))                                                 \
    X(__hmax_nan_##t, R(__hmax_nan(a1, b1))) X(__hmin_nan_##t, R(__hmin_nan(a1, b1)))                                 \
    X(compare_##t, (unsigned)(__heq(a1, b1) | __hne(a1, b1) << 1 | __hlt(a1, b1) << 2 | __hle(a1, b1) << 3 |          \
                   __hgt(a1, b1) << 4 | __hge(a1, b1) << 5 | __hequ(a1, b1) << 6 | __hneu(a1, b1) << 7 |              \
                   __hltu(a1, b1) << 8 | __hleu(a1, b1) << 9 | __hgtu(a1, b1) << 10 | __hgeu(a1, b1) << 11 |          \
                   __hisnan(a1) << 12 | (__hisinf(a1) & 3) << 13))                                                    \
    X(hceil_##t, R(hceil(a1))) X(hfloor_##t, R(hfloor(a1))) X(htrunc_##t, R(htrunc(a1))) X(hrint_##t, R(hrint(a1)))
#define SIMD(n)                                                                                                       \
    X(__vadd##n, __vadd##n(a, b)) X(__vaddss##n, __vaddss##n(a, b)) X(__vaddus##n, __vaddus##n(a, b))                 \
    X(__vsub##n, __vsub##n(a, b)) X(__vsubss##n, __vsubss##n(a, b)) X(__vsubus##n, __vsubus##n(a, b))                 \
    X(__vavgs##n, __vavgs##n(a, b)) X(__vavgu##n, __vavgu##n(a, b)) X(__vhaddu##n, __vhaddu##n(a, b))                 \
    X(__vabsdiffs##n, __vabsdiffs##n(a, b)) X(__vabsdiffu##n, __vabsdiffu##n(a, b)) X(__vmaxs##n, __vmaxs##n(a, b))   \
    X(__vmaxu##n, __vmaxu##n(a, b)) X(__vmins##n, __vmins##n(a, b)) X(__vminu##n, __vminu##n(a, b))                   \
    X(__vcmpeq##n, __vcmpeq##n(a, b)) X(__vcmpgts##n, __vcmpgts##n(a, b)) X(__vcmpleu##n, __vcmpleu##n(a, b))         \
    X(__vseteq##n, __vseteq##n(a, b)) X(__vsetges##n, __vsetges##n(a, b)) X(__vsetltu##n, __vsetltu##n(a, b))         \
    X(__vabs##n, __vabs##n(a)) X(__vabsss##n, __vabsss##n(a)) X(__vneg##n, __vneg##n(a))                              \
    X(__vnegss##n, __vnegss##n(a)) X(__vsads##n, __vsads##n(a, b)) X(__vsadu##n, __vsadu##n(a, b))
#define ALL                                                                                                           \
    MODES(FLOAT_OPS) MODES(HALF_MODES)                                                                                \
    X(__half2float, F(__half2float(HA))) X(__bfloat162float, F(__bfloat162float(BA)))                                 \
    X(__float2half, H(__float2half(FA))) X(__float2bfloat16, B(__float2bfloat16(FA)))                                 \
    X(__double2half, H(__double2half(DA))) X(__double2bfloat16, B(__double2bfloat16(DA)))                             \
    X(__half2char_rz, (unsigned char)__half2char_rz(HA)) X(__half2uchar_rz, __half2uchar_rz(HA))                      \
    SIXTEEN(half, HA, HB, HC, H) SIXTEEN(bfloat16, BA, BB, BC, B)                                                     \
    X(e4m3_of_float, __nv_cvt_float_to_fp8(FA, __NV_SATFINITE, __NV_E4M3))                                            \
    X(e5m2_of_float, __nv_cvt_float_to_fp8(FA, __NV_SATFINITE, __NV_E5M2))                                            \
    X(e4m3_of_half, __nv_cvt_halfraw_to_fp8((__half_raw)HA, __NV_SATFINITE, __NV_E4M3))                               \
    X(half_of_e4m3, __nv_cvt_fp8_to_halfraw((unsigned char)a, __NV_E4M3).x)                                           \
    X(half_of_e5m2, __nv_cvt_fp8_to_halfraw((unsigned char)a, __NV_E5M2).x)                                           \
    X(__saturatef, F(__saturatef(FA))) X(fminf, F(fminf(FA, FB))) X(fmaxf, F(fmaxf(FA, FB)))                          \
    X(fmaf, F(fmaf(FA, FB, FC))) X(fma, D(fma(DA, DB, DC))) X(rintf, F(rintf(FA))) X(roundf, F(roundf(FA)))           \
    X(truncf, F(truncf(FA))) X(fmodf, F(fmodf(FA, FB))) X(remainderf, F(remainderf(FA, FB)))                          \
    X(nextafterf, F(nextafterf(FA, FB))) X(ldexpf, F(ldexpf(FA, (int)b % 300)))                                       \
    X(__brev, __brev(a)) X(__brevll, __brevll((u64)LA)) X(__clz, __clz((int)(a >> (b & 31)))) X(__clzll, __clzll(LA)) \
    X(__ffs, __ffs((int)(a << (b & 31)))) X(__ffsll, __ffsll(LA)) X(__popc, __popc(a)) X(__popcll, __popcll((u64)LA)) \
    X(__byte_perm, __byte_perm(a, b, c)) X(__mul24, (unsigned)__mul24((int)a, (int)b)) X(__umul24, __umul24(a, b))    \
    X(__mulhi, (unsigned)__mulhi((int)a, (int)b)) X(__umulhi, __umulhi(a, b)) X(__mul64hi, (u64)__mul64hi(LA, LB))    \
    X(__umul64hi, __umul64hi((u64)LA, (u64)LB)) X(__hadd, (unsigned)__hadd((int)a, (int)b))                           \
    X(__rhadd, (unsigned)__rhadd((int)a, (int)b)) X(__uhadd, __uhadd(a, b)) X(__urhadd, __urhadd(a, b))               \
    X(__sad, __sad((int)a, (int)b, c)) X(__usad, __usad(a, b, c))                                                     \
    X(__funnelshift_l, __funnelshift_l(a, b, c)) X(__funnelshift_r, __funnelshift_r(a, b, c))                         \
    X(__funnelshift_lc, __funnelshift_lc(a, b, c & 63)) X(__funnelshift_rc, __funnelshift_rc(a, b, c & 63))           \
    X(__dp4a_s, (unsigned)__dp4a((int)a, (int)b, (int)c)) X(__dp4a_u, __dp4a(a, b, c))                                \
    X(__dp2a_lo_s, (unsigned)__dp2a_lo((int)a, (int)b, (int)c)) X(__dp2a_hi_u, __dp2a_hi(a, b, c))                    \
    X(__fns, __fns(a, b & 31, (int)(c % 64) - 32)) SIMD(2) SIMD(4)

enum {
#define X(name, expression) FN_##name,
    ALL
#undef X
    FUNCTIONS
};
static const char *const names[FUNCTIONS] = {
#define X(name, expression) #name,
    ALL
#undef X
};

enum { N = 65536 };

// Operands: half of them random bits, the rest near each other's exponent or one of the awkward values.
__device__ unsigned operand(unsigned i, unsigned which)
{
    const unsigned awkward[16] = {0u,          0x80000000u, 1u,          0x80000001u, 0x7f800000u, 0xff800000u,
                                  0x7fc00000u, 0x3f800000u, 0xbf800000u, 0x7f7fffffu, 0x00800000u, 0x007fffffu,
                                  0x4f000000u, 0x5f000000u, 0xffffffffu, 0x3effffffu};
    unsigned h = i * 3 + which;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    h ^= h >> 16;
    if (i % 8 == 1)
        return awkward[h % 16];
    if (i % 8 < 4)
        return (h & 0x803fffffu) | (0x3f000000u + (h >> 5 & 0x00c00000u)); // around 1
    return h;
}

__device__ u64 call(int function, unsigned a, unsigned b, unsigned c)
{
    switch (function) {
#define X(name, expression) case FN_##name: return (u64)(expression);
        ALL
#undef X
    }
    return 0;
}

// The 16-bit operand of a function of one operand takes all its values: its low half is the number of the call.
__global__ void call_all(u64 *out, int function)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        unsigned a = operand(i, 0);
        if (i % 8 >= 4)
            a = (a & 0xffff0000u) | i;
        out[i] = call(function, a, operand(i, 1), operand(i, 2));
    }
}

static u64 results[N];

static u64 checksum(int function)
{
    u64 *d_out;
    if (cudaMalloc(&d_out, sizeof(results)) != cudaSuccess)
        exit(1);
    memset(results, 0, sizeof(results));
    call_all<<<N / 256, 256>>>(d_out, function);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpy(results, d_out, sizeof(results), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    if (error != cudaSuccess) {
        printf("%s: %s\n", names[function], cudaGetErrorString(error));
        exit(1);
    }
    u64 sum = 14695981039346656037ull; // FNV-1a, eight bytes at a time
    for (int i = 0; i < N; i++)
        sum = (sum ^ results[i]) * 1099511628211ull;
    return sum;
}

#ifdef NO_CHECK
// With a number of results: print that many of each function too, to find a difference.
int main(int argc, char **argv)
{
    int shown = argc > 1 ? atoi(argv[1]) : 0;
    for (int function = 0; function < FUNCTIONS; function++) {
        printf("%s,%016llx", names[function], checksum(function));
        for (int i = 0; i < shown && i < N; i++)
            printf(",%llx", results[i]);
        printf("\n");
    }
    return 0;
}
#else

START_TEST(test_same_as_gpu)
{
    FILE *file = fopen("cpudevice/tests/records/h200/device_functions.csv", "r");
    ck_assert_msg(file != NULL, "cpudevice/tests/records/h200/device_functions.csv is missing (run from the repository's root)");
    char line[256], name[128];
    u64 want;
    int seen = 0, wrong = 0;
    while (fgets(line, sizeof(line), file)) {
        if (sscanf(line, "%127[^,],%llx", name, &want) != 2 || line[0] == '#')
            continue;
        for (int function = 0; function < FUNCTIONS; function++) {
            if (strcmp(names[function], name))
                continue;
            seen++;
            if (checksum(function) != want) {
                printf("%s differs from the GPU\n", name);
                wrong++;
            }
        }
    }
    fclose(file);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(seen, FUNCTIONS);
}
END_TEST

// ---- the plain model of the 16-bit formats --------------------------------------------------------------------------

// The value of a finite pattern, from its definition.
static double model_value(unsigned bits, int mant, int exp)
{
    int e = (int)(bits >> mant) & ((1 << exp) - 1), bias = (1 << (exp - 1)) - 1;
    double m = (double)(bits & ((1u << mant) - 1)), sign = bits >> (mant + exp) & 1 ? -1.0 : 1.0;
    return sign * (e ? ldexp(m + ldexp(1.0, mant), e - bias - mant) : ldexp(m, 1 - bias - mant));
}

static unsigned short convert(int is_half, float f)
{
    return is_half ? __half_as_ushort(__float2half(f)) : __bfloat16_as_ushort(__float2bfloat16(f));
}

START_TEST(test_every_pattern)
{
    int is_half = _i, mant = is_half ? 10 : 7, exp = is_half ? 5 : 8;
    unsigned infinity = ((1u << exp) - 1) << mant;
    for (unsigned bits = 0; bits < 65536; bits++) {
        float f = is_half ? __half2float(__ushort_as_half((unsigned short)bits))
                          : __bfloat162float(__ushort_as_bfloat16((unsigned short)bits));
        unsigned magnitude = bits & 0x7fff;
        if (magnitude > infinity) {
            ck_assert_msg(f != f, "%04x is a NaN", bits);
            ck_assert_uint_eq(convert(is_half, f), 0x7fff);
            continue;
        }
        ck_assert_uint_eq(convert(is_half, f), bits); // there and back
        if (magnitude == infinity) {
            ck_assert(isinf(f));
            continue;
        }
        ck_assert_msg((double)f == model_value(bits, mant, exp), "%04x gives %a", bits, f);
        // Between this value and the next: just below the middle, the middle (to even), just above.
        double low = fabs((double)f), high = magnitude + 1 == infinity ? ldexp(1.0, is_half ? 16 : 128)
                                                                       : fabs(model_value(magnitude + 1, mant, exp));
        double middle = (low + high) / 2;
        float m = (float)middle;
        if ((double)m != middle)
            continue; // past the largest float
        unsigned even = magnitude & 1 ? magnitude + 1 : magnitude, sign = bits & 0x8000;
        ck_assert_uint_eq(convert(is_half, sign ? -m : m), sign | even);
        ck_assert_uint_eq(convert(is_half, sign ? -nextafterf(m, 0) : nextafterf(m, 0)), sign | magnitude);
        ck_assert_uint_eq(convert(is_half, sign ? -nextafterf(m, INFINITY) : nextafterf(m, INFINITY)), sign | (magnitude + 1));
    }
}
END_TEST

// Sum, product and fused multiply-add of halves are exact in long double (with 64 bits of mantissa a sum of halves and
// their products always fits: at most 48 + 33 bits apart, so only the sticky bit can be lost, which is tested for).
START_TEST(test_half_arithmetic)
{
    unsigned seed = 7;
    for (int i = 0; i < 2000000; i++) {
        unsigned short x[3];
        for (int j = 0; j < 3; j++) {
            seed = seed * 1664525u + 1013904223u;
            x[j] = (unsigned short)(seed >> 16);
            if ((x[j] & 0x7c00) == 0x7c00)
                x[j] ^= 0x4000;
        }
        double a = model_value(x[0], 10, 5), b = model_value(x[1], 10, 5), c = model_value(x[2], 10, 5);
        __half ha = __ushort_as_half(x[0]), hb = __ushort_as_half(x[1]), hc = __ushort_as_half(x[2]);
        ck_assert_uint_eq(__half_as_ushort(__hadd(ha, hb)), __half_as_ushort(__double2half(a + b)));
        ck_assert_uint_eq(__half_as_ushort(__hmul(ha, hb)), __half_as_ushort(__double2half(a * b)));
        // a * b + c scaled by 2^48 is an integer below 2^81: exact in 128 bits, and correctly rounded from there.
        __int128 exact = (__int128)(ldexp(a, 24)) * (__int128)(ldexp(b, 24)) + ((__int128)ldexp(c, 24) << 24);
        int negative = exact < 0, drop = 0;
        unsigned __int128 m = negative ? -(unsigned __int128)exact : (unsigned __int128)exact, sticky = 0;
        while (m >> 50) {
            sticky |= m & 1;
            m >>= 1;
            drop++;
        }
        double rounded = ldexp((double)(u64)(m * 2 + (sticky != 0)), drop - 49);
        unsigned short got = __half_as_ushort(__hfma(ha, hb, hc));
        unsigned short want = __half_as_ushort(__double2half(negative ? -rounded : rounded));
        if (exact == 0)
            want = got & 0x8000; // the sign of an exact zero depends on the operands' signs
        ck_assert_msg(got == want, "%a * %a + %a: %04x, should be %04x", a, b, c, got, want);
    }
}
END_TEST

START_TEST(test_vector_layout)
{
    ck_assert_uint_eq(sizeof(float4), 16);
    ck_assert_uint_eq(alignof(float4), 16);
    ck_assert_uint_eq(sizeof(float3), 12);
    ck_assert_uint_eq(alignof(float3), 4);
    ck_assert_uint_eq(sizeof(double4), 32);
    ck_assert_uint_eq(alignof(double4), 16);
    ck_assert_uint_eq(sizeof(uchar4), 4);
    ck_assert_uint_eq(alignof(uchar4), 4);
    ck_assert_uint_eq(alignof(short4), 8);
    ck_assert_uint_eq(alignof(longlong3), 8);
    ck_assert_uint_eq(sizeof(__half2), 4);
    ck_assert_uint_eq(alignof(__half2), 4);
    float4 v[2] = {{1, 2, 3, 4}, make_float4(5, 6, 7, 8)};
    v[0] = v[1];
    ck_assert(v[0].x == 5 && v[0].w == 8);
    dim3 d(7);
    ck_assert(d.x == 7 && d.y == 1 && d.z == 1);
    union { uint4 whole; __half2 pairs[4]; } u = {{0x3c003c00u, 0, 0, 0x40004000u}};
    ck_assert(__low2float(u.pairs[0]) == 1.0f && __high2float(u.pairs[3]) == 2.0f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: types and device functions");
    TCase *tests = tcase_create("types");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_vector_layout);
    tcase_add_loop_test(tests, test_every_pattern, 0, 2);
    tcase_add_test(tests, test_half_arithmetic);
    tcase_add_test(tests, test_same_as_gpu);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
#endif
