/* cpudevice_narrow.cu: the formats of 6 and 4 bits (cuda_fp6.h, cuda_fp4.h): conversions from double, float, half and
 * bfloat16, one at a time and in pairs, and back. Expected values are looked for among all that a format has, worked
 * out from its definition: the nearest one, of two the even one; or the nearest towards zero. */
#include <check.h>
#include <cuda_runtime.h>
#include <math.h>
#include <string.h>

#include "suite.h"

#if defined(__has_include)
#if __has_include(<cuda_fp6.h>) && __has_include(<cuda_fp4.h>)
#define HAS_NARROW 1
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#endif
#endif

#ifdef HAS_NARROW

enum { FORMATS = 3, N = 1 << 14 };
typedef struct Format {
    const char *name;
    int exponent, mantissa;
} Format;
static const Format formats[FORMATS] = {{"e2m3", 2, 3}, {"e3m2", 3, 2}, {"e2m1", 2, 1}};

typedef struct Out { // of one x: the codes to nearest and towards zero, from each type; pairs; classes; and back
    unsigned char nearest[FORMATS], zero[FORMATS], of_float[FORMATS], of_half[FORMATS], of_bfloat16[FORMATS],
        of_class[FORMATS];
    unsigned short pair[FORMATS];
    unsigned four[FORMATS];
    float back[FORMATS], class_back[FORMATS], of_int[FORMATS];
} Out;

__global__ void convert(const double *x, Out *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double v = x[i], w = x[(i + 1) % n];
    const __half h = __double2half(v);
    const __nv_bfloat16 b = __double2bfloat16(v);
    const __nv_fp6_interpretation_t six[2] = {__NV_E2M3, __NV_E3M2};
    Out o;
    for (int f = 0; f < 2; f++) {
        o.nearest[f] = __nv_cvt_double_to_fp6(v, six[f], cudaRoundNearest);
        o.zero[f] = __nv_cvt_double_to_fp6(v, six[f], cudaRoundZero);
        o.of_float[f] = __nv_cvt_float_to_fp6((float)v, six[f], cudaRoundNearest);
        o.of_half[f] = __nv_cvt_halfraw_to_fp6((__half_raw)h, six[f], cudaRoundNearest);
        o.of_bfloat16[f] = __nv_cvt_bfloat16raw_to_fp6((__nv_bfloat16_raw)b, six[f], cudaRoundNearest);
        o.pair[f] = __nv_cvt_double2_to_fp6x2(make_double2(v, w), six[f], cudaRoundNearest);
        o.back[f] = __half2float(__half(__nv_cvt_fp6_to_halfraw(o.nearest[f], six[f])));
    }
    o.nearest[2] = __nv_cvt_double_to_fp4(v, __NV_E2M1, cudaRoundNearest);
    o.zero[2] = __nv_cvt_double_to_fp4(v, __NV_E2M1, cudaRoundZero);
    o.of_float[2] = __nv_cvt_float_to_fp4((float)v, __NV_E2M1, cudaRoundNearest);
    o.of_half[2] = __nv_cvt_halfraw_to_fp4((__half_raw)h, __NV_E2M1, cudaRoundNearest);
    o.of_bfloat16[2] = __nv_cvt_bfloat16raw_to_fp4((__nv_bfloat16_raw)b, __NV_E2M1, cudaRoundNearest);
    o.pair[2] = __nv_cvt_double2_to_fp4x2(make_double2(v, w), __NV_E2M1, cudaRoundNearest);
    o.back[2] = __half2float(__half(__nv_cvt_fp4_to_halfraw(o.nearest[2], __NV_E2M1)));
    const __nv_fp6_e2m3 a(v);
    const __nv_fp6_e3m2 c(v);
    const __nv_fp4_e2m1 d(v);
    const float4 all = make_float4((float)v, (float)w, (float)w, (float)v);
    o.of_class[0] = a.__x, o.of_class[1] = c.__x, o.of_class[2] = d.__x;
    o.class_back[0] = (float)a, o.class_back[1] = (float)c, o.class_back[2] = (float)d;
    o.four[0] = __nv_fp6x4_e2m3(all).__x, o.four[1] = __nv_fp6x4_e3m2(all).__x, o.four[2] = __nv_fp4x4_e2m1(all).__x;
    const int whole = i % 64 - 32;
    o.of_int[0] = (float)__nv_fp6_e2m3(whole), o.of_int[1] = (float)__nv_fp6_e3m2(whole);
    o.of_int[2] = (float)__nv_fp4_e2m1(whole);
    out[i] = o;
}

// What the code means: sign, exponent and mantissa, as the format's definition reads them.
static double value_of(const Format *f, int code)
{
    const int bias = (1 << (f->exponent - 1)) - 1, field = code >> f->mantissa & ((1 << f->exponent) - 1);
    const double fraction = (double)(code & ((1 << f->mantissa) - 1)) / (1 << f->mantissa);
    const double size = field ? ldexp(1 + fraction, field - bias) : ldexp(fraction, 1 - bias);
    return code >> (f->exponent + f->mantissa) & 1 ? -size : size;
}

// The code that x becomes, found among all.
static int expected(const Format *f, double x, bool nearest)
{
    const int sign = 1 << (f->exponent + f->mantissa), largest = sign - 1;
    const double size = fmin(fabs(x), value_of(f, largest));
    int best = 0;
    if (isnan(x))
        return largest;
    for (int code = 1; code <= largest; code++) {
        const double d = fabs(size - value_of(f, code)), e = fabs(size - value_of(f, best));
        if (nearest ? d < e || (d == e && !(code & 1)) : value_of(f, code) <= size)
            best = code;
    }
    return signbit(x) ? best | sign : best;
}

static double *x;
static Out *out;

static void setup(void)
{
    static const double awkward[] = {0,      -0.0,    1e-300,  -1e-300, 5e-324, INFINITY, -INFINITY, NAN,
                                     -NAN,   1e308,   7.5,     7.75,    28,     30,       6,         7,
                                     0.0625, 0.03125, 0.03126, 0.25,    0.125,  0.75,     -7.25,     -5};
    ck_assert_int_eq(cudaMallocManaged(&x, N * sizeof *x), cudaSuccess);
    ck_assert_int_eq(cudaMallocManaged(&out, N * sizeof *out), cudaSuccess);
    unsigned long long state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        if (i < (int)(sizeof awkward / sizeof *awkward))
            x[i] = awkward[i];
        else if (i % 2) // every code's value, the middle of two, and just beside
            x[i] = (double)(i % 1024 - 512) / 64 * (i % 3 ? 1 : 4) + (i % 5 == 0 ? 1e-9 : i % 5 == 1 ? -1e-9 : 0);
        else
            x[i] = ((double)(state >> 11) / (1ull << 53) - 0.5) * ldexp(1, i % 12);
    }
}

static void teardown(void)
{
    cudaFree(x);
    cudaFree(out);
}

START_TEST(test_formats)
{
    convert<<<(N + 127) / 128, 128>>>(x, out, N);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < FORMATS; k++) {
            const Format *f = &formats[k];
            const int code = expected(f, x[i], true), after = expected(f, x[(i + 1) % N], true), width = k == 2 ? 4 : 8;
            const float half = __half2float(__double2half(x[i])), brain = __bfloat162float(__double2bfloat16(x[i]));
            const int one = expected(f, (float)x[i], true), two = expected(f, (float)x[(i + 1) % N], true);
            ck_assert_msg(out[i].nearest[k] == code, "%s of %.17g is %d, not %d", f->name, x[i], out[i].nearest[k],
                          code);
            ck_assert_msg(out[i].zero[k] == expected(f, x[i], false), "%s of %.17g towards zero", f->name, x[i]);
            ck_assert_msg(out[i].of_float[k] == one, "%s of a float, %.9g", f->name, (float)x[i]);
            ck_assert_msg(out[i].of_half[k] == expected(f, half, true), "%s of a half, %.9g", f->name, half);
            ck_assert_msg(out[i].of_bfloat16[k] == expected(f, brain, true), "%s of a bfloat16, %.9g", f->name, brain);
            ck_assert_msg(out[i].of_class[k] == code, "the class of %s of %.17g", f->name, x[i]);
            ck_assert_msg(out[i].pair[k] == (code | after << width), "a pair of %s at %d", f->name, i);
            ck_assert_msg(out[i].four[k] == ((unsigned)one | (unsigned)two << width | (unsigned)two << 2 * width |
                                             (unsigned)one << 3 * width),
                          "four of %s at %d", f->name, i);
            ck_assert_msg((double)out[i].back[k] == value_of(f, code) &&
                              (double)out[i].class_back[k] == value_of(f, code),
                          "%s %d and back", f->name, code);
            ck_assert_msg((double)out[i].of_int[k] == value_of(f, expected(f, i % 64 - 32, true)), "%s of an int",
                          f->name);
        }
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("cpudevice: narrow");
    TCase *tests = tcase_create("narrow");
    tcase_set_timeout(tests, TEST_SECONDS);
#ifdef HAS_NARROW
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_formats);
#else
    test_skip("this toolkit has no formats of 6 and 4 bits");
#endif
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
