// A test for the CPU device only.
// cuRAND's names in kernels and on the host. Philox is judged by the known answers of its authors' Random123 library;
// XORWOW by what its skips must be; the distributions by their moments.
#include <check.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <math.h>
#include <string.h>

#include "suite.h"

/* Programs ask by NVIDIA's include guard whether cuRAND is there. */
START_TEST(test_include_guard)
{
#ifdef CURAND_H_
    const bool seen = true;
#else
    const bool seen = false;
#endif
    ck_assert(seen);
}
END_TEST

START_TEST(test_philox_known_answers)
{
    uint4 a = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
    ck_assert(a.x == 0x6627e8d5 && a.y == 0xe169c58d && a.z == 0xbc57ac4c && a.w == 0x9b00dbd8);
    a = curand_Philox4x32_10(make_uint4(~0u, ~0u, ~0u, ~0u), make_uint2(~0u, ~0u));
    ck_assert(a.x == 0x408f276d && a.y == 0x41c83b0e && a.z == 0xa20bc7c6 && a.w == 0x6d5451fd);
    a = curand_Philox4x32_10(make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344), make_uint2(0xa4093822, 0x299f31d0));
    ck_assert(a.x == 0xd16cfe09 && a.y == 0x94fdcceb && a.z == 0x5001e420 && a.w == 0x24126ea1);
}
END_TEST

template <class S> static void skips(void)
{
    S one, other;
    curand_init(1234, 5, 0, &one);
    for (int i = 0; i < 1003; i++)
        curand(&one);
    curand_init(1234, 5, 1003, &other);
    for (int i = 0; i < 9; i++)
        ck_assert_uint_eq(curand(&one), curand(&other));
    curand_init(1234, 5, 2, &other);
    skipahead(1001, &other);
    curand_init(1234, 5, 1003, &one);
    ck_assert_uint_eq(curand(&one), curand(&other));
    // subsequences differ, and so do seeds
    curand_init(1234, 6, 1003, &other);
    curand_init(1234, 5, 1003, &one);
    ck_assert_uint_ne(curand(&one), curand(&other));
    curand_init(1235, 5, 1003, &other);
    ck_assert_uint_ne(curand(&one), curand(&other));
}

START_TEST(test_skips)
{
    skips<curandStatePhilox4_32_10_t>();
    skips<curandStateXORWOW_t>();
    skips<curandStateMRG32k3a_t>();
    // a subsequence of XORWOW is 2^67 numbers
    curandState far, steps;
    curand_init(7, 1, 0, &far);
    curand_init(7, 0, 0, &steps);
    for (int i = 0; i < 16; i++)
        skipahead(1ull << 63, &steps);
    ck_assert(!memcmp(far.v, steps.v, sizeof far.v) && far.d == steps.d);
}
END_TEST

template <class S> __global__ void draw(float *uniform, float *normal, double *wide, int n)
{
    S s;
    curand_init(99, threadIdx.x, 0, &s);
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x) {
        uniform[i] = curand_uniform(&s);
        normal[i] = curand_normal(&s);
        wide[i] = curand_uniform_double(&s);
    }
}

static void moments(const float *x, int n, double mean, double variance)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    for (int i = 0; i < n; i++)
        squares += (x[i] - sum / n) * (x[i] - sum / n);
    ck_assert_msg(fabs(sum / n - mean) < 5 * sqrt(variance / n), "mean %g", sum / n);
    ck_assert_msg(fabs(squares / n - variance) < 0.02 * variance, "variance %g", squares / n);
}

START_TEST(test_distributions)
{
    const int n = 256 * 256;
    float *uniform, *normal;
    double *wide;
    cudaMallocManaged(&uniform, n * sizeof(float));
    cudaMallocManaged(&normal, n * sizeof(float));
    cudaMallocManaged(&wide, n * sizeof(double));
    for (int kind = 0; kind < 3; kind++) {
        if (kind == 1)
            draw<curandStatePhilox4_32_10_t><<<1, 256>>>(uniform, normal, wide, n);
        else if (kind)
            draw<curandStateMRG32k3a_t><<<1, 256>>>(uniform, normal, wide, n);
        else
            draw<curandState><<<1, 256>>>(uniform, normal, wide, n);
        ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
        moments(uniform, n, 0.5, 1 / 12.0);
        moments(normal, n, 0, 1);
        for (int i = 0; i < n; i++) {
            ck_assert(uniform[i] > 0 && uniform[i] <= 1);
            ck_assert(wide[i] > 0 && wide[i] <= 1);
        }
    }
    curandGenerator_t g;
    ck_assert_int_eq(curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32), CURAND_STATUS_TYPE_ERROR);
    unsigned *constants32;
    unsigned long long *constants64;
    ck_assert_int_eq(curandGetScrambleConstants32(&constants32), CURAND_STATUS_TYPE_ERROR);
    ck_assert_int_eq(curandGetScrambleConstants64(&constants64), CURAND_STATUS_TYPE_ERROR);
    ck_assert_int_eq(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT), CURAND_STATUS_SUCCESS);
    ck_assert_int_eq(curandSetPseudoRandomGeneratorSeed(g, 4), CURAND_STATUS_SUCCESS);
    float *d, first = uniform[0];
    cudaMalloc(&d, n * sizeof(float));
    ck_assert_int_eq(curandGenerateNormal(g, d, n, 3, 2), CURAND_STATUS_SUCCESS);
    cudaMemcpy(normal, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    moments(normal, n, 3, 4);
    ck_assert_int_eq(curandGenerateNormal(g, d, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    ck_assert_int_eq(curandGenerateUniform(g, uniform, n), CURAND_STATUS_SUCCESS);
    moments(uniform, n, 0.5, 1 / 12.0);
    ck_assert(uniform[0] != first);
    curandDestroyGenerator(g);
    cudaFree(d);
    cudaFree(uniform);
    cudaFree(normal);
    cudaFree(wide);
}
END_TEST

// The first numbers of both generators on an H200 (CUDA 13.0): seed 1234, subsequence 5, offset 1003; seed 2025, subsequence
// 3, offset 5, after 8 floats.
template <class S> static void as_on_a_gpu(const unsigned int *bits, const double *wide, const double *normal)
{
    S s;
    curand_init(1234, 5, 1003, &s);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(curand(&s), bits[i]);
    curand_init(2025, 3, 5, &s);
    for (int i = 0; i < 8; i++)
        curand_uniform(&s);
    for (int i = 0; i < 8; i++) {
        const double x = curand_uniform_double(&s);
        if (i < 3)
            ck_assert_double_eq_tol(x, wide[i], 1e-9);
    }
    for (int i = 0; i < 8; i++)
        curand_normal(&s);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(curand_normal_double(&s), normal[i], 1e-8);
}

START_TEST(test_as_on_a_gpu)
{
    const unsigned int xorwow[4] = {0x238b68f1, 0x7b048941, 0x271b51ba, 0xb364d1f9}, philox[4] = {0xccb3229e, 0x93c378b4, 0xcfea97f7, 0xe2f893be};
    const double xorwow_wide[3] = {0.902069782, 0.493460944, 0.5019575}, philox_wide[3] = {0.72642425, 0.186825617, 0.234308779};
    const double xorwow_normal[3] = {0.242934459, 1.07507126, 1.92482902}, philox_normal[3] = {0.692962765, 0.926599773, 2.74875577};
    as_on_a_gpu<curandStateXORWOW_t>(xorwow, xorwow_wide, xorwow_normal);
    as_on_a_gpu<curandStatePhilox4_32_10_t>(philox, philox_wide, philox_normal);
}
END_TEST

/* L'Ecuyer's own first numbers, of a state of twelve thousand three hundred and forty-fives; and his distances. */
START_TEST(test_mrg)
{
    const double known[5] = {0.1270111220, 0.3185275653, 0.3091860155, 0.8258468629, 0.2216299157};
    curandStateMRG32k3a_t s, other;
    curand_init(0, 0, 0, &s);
    for (int i = 0; i < 5; i++)
        ck_assert_double_eq_tol(curand_uniform_double(&s), known[i], 1e-9); // cuRAND divides by m1, he by m1 + 1
    curand_init(7, 1, 0, &s);
    curand_init(7, 0, 0, &other);
    for (int i = 0; i < 1 << 13; i++) /* 2^76 = 2^13 2^63 */
        skipahead(1ull << 63, &other);
    ck_assert(!memcmp(s.s1, other.s1, sizeof s.s1) && !memcmp(s.s2, other.s2, sizeof s.s2));
    curand_init(7, 0, 0, &s);
    skipahead_sequence(2, &s);
    curand_init(7, 1ull << 52, 0, &other);
    ck_assert_uint_eq(curand(&s), curand(&other));
}
END_TEST

/* Some of the first 400000 numbers of cuRAND 13.0's host generators, seed 1234 + 99 * 2^32. */
START_TEST(test_host_orders)
{
    enum { N = 400000 };
    const int at[7] = {0, 1, 5, 4096, 81920, 262145, 399999};
    const struct {
        curandRngType_t type;
        curandOrdering_t order;
        unsigned int bits[7];
    } known[] = {{CURAND_RNG_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_DEFAULT, {0x7024a5d0, 0x300d0780, 0x815f0bd0, 0xba3ccdbf, 0x92dc246f, 0x72665703, 0x9c07be16}},
                 {CURAND_RNG_PSEUDO_MRG32K3A, CURAND_ORDERING_PSEUDO_DEFAULT, {0xf65ffc04, 0xc6eaf0b2, 0x44c7ed90, 0x11890871, 0x461026bd, 0xf314b358, 0x5e127ddc}},
                 {CURAND_RNG_PSEUDO_MRG32K3A, CURAND_ORDERING_PSEUDO_LEGACY, {0xf65ffc04, 0xc6eaf0b2, 0x44c7ed90, 0x461026bd, 0x1bd18cba, 0x25a2803c, 0x863fe45e}},
                 {CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_ORDERING_PSEUDO_DEFAULT, {0x5015a8c7, 0x95aca3d1, 0x5d644487, 0x9ee05cdc, 0x9941ed9d, 0xc50a3e56, 0x4ff4b71f}}};
    unsigned int *x = (unsigned int *)malloc(N * sizeof *x), *d, y[50];
    cudaMalloc(&d, sizeof y);
    for (const auto &k : known) {
        curandGenerator_t g;
        ck_assert(!curandCreateGeneratorHost(&g, k.type) && !curandSetGeneratorOrdering(g, k.order));
        ck_assert_int_eq(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT), CURAND_STATUS_OUT_OF_RANGE);
        ck_assert(!curandSetPseudoRandomGeneratorSeed(g, 1234 + (99ull << 32)));
        ck_assert(!curandGenerate(g, x, 4097) && !curandGenerate(g, x + 4097, N - 4097));
        for (int i = 0; i < 7; i++)
            ck_assert_uint_eq(x[at[i]], k.bits[i]);
        curandDestroyGenerator(g);
        // a part of them by an offset, on the device
        ck_assert(!curandCreateGenerator(&g, k.type) && !curandSetGeneratorOrdering(g, k.order) && !curandSetGeneratorOffset(g, 327699));
        ck_assert(!curandSetPseudoRandomGeneratorSeed(g, 1234 + (99ull << 32)) && !curandGenerate(g, d, 50));
        cudaMemcpy(y, d, sizeof y, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 50; i++)
            ck_assert_uint_eq(y[i], x[327699 + i]);
        curandDestroyGenerator(g);
    }
    cudaFree(d), free(x);
}
END_TEST

__global__ void poisson(unsigned int *out, int n, double mean)
{
    curandStateMRG32k3a_t s;
    curand_init(5, threadIdx.x, 0, &s);
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        out[i] = curand_poisson(&s, mean);
}

/* As often as Poisson's law says, to five deviations. */
static void counted(const unsigned int *x, int n, double mean)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    ck_assert_msg(fabs(sum / n - mean) < 5 * sqrt(mean / n), "mean %g, not %g", sum / n, mean);
    for (int k = 0; k < 2 * mean + 5; k++) {
        const double p = exp(k * log(mean) - mean - lgamma(k + 1.0)), deviation = sqrt(n * p * (1 - p));
        int met = 0;
        for (int i = 0; i < n; i++)
            met += x[i] == (unsigned)k;
        ck_assert_msg(fabs(met - n * p) < 5 * deviation + 5, "%d of mean %g: %d times, not %g", k, mean, met, n * p);
    }
}
START_TEST(test_poisson)
{
    const int n = 1 << 17;
    unsigned int *x;
    curandGenerator_t g;
    cudaMallocManaged(&x, n * sizeof *x);
    ck_assert(!curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
    ck_assert_int_eq(curandGeneratePoisson(g, x, n, 0), CURAND_STATUS_OUT_OF_RANGE);
    for (double mean : {0.3, 7.5, 63.0, 64.5, 150.0}) {
        ck_assert(!curandGeneratePoisson(g, x, n, mean));
        counted(x, n, mean);
        poisson<<<1, 64>>>(x, n, mean);
        ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
        counted(x, n, mean);
    }
    curandDestroyGenerator(g), cudaFree(x);
}
END_TEST

/* The first ten points in three dimensions, as Joe and Kuo's own program prints them ("sobol 10 3"). */
static const double sobol_points[10][3] = {{0, 0, 0},
                                           {0.5, 0.5, 0.5},
                                           {0.75, 0.25, 0.25},
                                           {0.25, 0.75, 0.75},
                                           {0.375, 0.375, 0.625},
                                           {0.875, 0.875, 0.125},
                                           {0.625, 0.125, 0.875},
                                           {0.125, 0.625, 0.375},
                                           {0.1875, 0.3125, 0.9375},
                                           {0.6875, 0.8125, 0.4375}};

__global__ void sobol(curandDirectionVectors32_t *vectors, unsigned int *out, int points)
{
    curandStateSobol32 s;
    curand_init(vectors[threadIdx.x], 0, &s);
    for (int i = 0; i < points; i++)
        out[threadIdx.x * points + i] = curand(&s);
}

START_TEST(test_sobol)
{
    enum { POINTS = 1024, DIMENSIONS = 21 };
    curandDirectionVectors32_t *vectors, *d_vectors;
    curandDirectionVectors64_t *wide;
    unsigned int *out;
    ck_assert_int_eq(curandGetDirectionVectors32(&vectors, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6), CURAND_STATUS_OUT_OF_RANGE);
    ck_assert(!curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    ck_assert(!curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    /* m_4 and m_5 of both polynomials of degree 3, by hand: 4 m_2 ^ 8 m_1 ^ m_1 and 2 m_3 ^ 8 m_1 ^ m_1, and the next */
    ck_assert(vectors[3][3] == 5u << 28 && vectors[3][4] == 31u << 27);
    ck_assert(vectors[4][3] == 11u << 28 && vectors[4][4] == 31u << 27);
    cudaMalloc((void **)&d_vectors, DIMENSIONS * sizeof *vectors);
    cudaMemcpy(d_vectors, vectors, DIMENSIONS * sizeof *vectors, cudaMemcpyHostToDevice);
    cudaMallocManaged((void **)&out, DIMENSIONS * POINTS * sizeof *out);
    sobol<<<1, DIMENSIONS>>>(d_vectors, out, POINTS);
    cudaDeviceSynchronize();
    for (int i = 0; i < 10; i++)
        for (int d = 0; d < 3; d++)
            ck_assert_double_eq(out[d * POINTS + i] / 4294967296.0, sobol_points[i][d]);
    for (int d = 0; d < DIMENSIONS; d++) {
        static bool met[DIMENSIONS][POINTS];
        curandStateSobol32_t later;
        curandStateSobol64_t s64;
        for (int i = 0; i < POINTS; i++) { /* one point in each interval */
            bool *m = &met[d][out[d * POINTS + i] / (4294967296ull / POINTS)];
            ck_assert(!*m);
            *m = true;
        }
        curand_init(vectors[d], 0, &later);
        skipahead(777, &later);
        ck_assert_uint_eq(curand(&later), out[d * POINTS + 777]);
        curand_init(wide[d], 778, &s64);
        ck_assert_uint_eq((unsigned)(curand(&s64) >> 32), out[d * POINTS + 778]);
    }
    cudaFree(out), cudaFree(d_vectors);
}
END_TEST

START_TEST(test_sobol_on_the_host)
{
    curandGenerator_t g;
    double u[30], n[1];
    float f[4];
    ck_assert_int_eq(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32), CURAND_STATUS_TYPE_ERROR);
    ck_assert(!curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL64));
    ck_assert_int_eq(curandSetQuasiRandomGeneratorDimensions(g, 22), CURAND_STATUS_OUT_OF_RANGE);
    ck_assert(!curandSetQuasiRandomGeneratorDimensions(g, 3));
    ck_assert_int_eq(curandGenerateUniformDouble(g, u, 10), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    ck_assert(!curandGenerateUniformDouble(g, u, 15) && !curandGenerateUniformDouble(g, u + 15, 15));
    for (int i = 0; i < 10; i++)
        for (int d = 0; d < 3; d++)
            ck_assert_double_eq_tol(u[i / 5 * 15 + d * 5 + i % 5], sobol_points[i][d], 1e-15);
    curandDestroyGenerator(g);
    ck_assert(!curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32));
    ck_assert(!curandSetGeneratorOffset(g, 1) && !curandGenerateUniform(g, f, 1) && fabsf(f[0] - 0.5f) < 1e-6f);
    ck_assert(!curandGenerateNormalDouble(g, n, 1, 10, 2)); /* of the point 0.75 */
    ck_assert_double_eq_tol(n[0], 10 + 2 * 0.6744897501960817, 1e-8);
    curandDestroyGenerator(g);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: random numbers");
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_philox_known_answers);
    tcase_add_test(tests, test_skips);
    tcase_add_test(tests, test_include_guard);
    tcase_add_test(tests, test_distributions);
    tcase_add_test(tests, test_as_on_a_gpu);
    tcase_add_test(tests, test_mrg);
    tcase_add_test(tests, test_host_orders);
    tcase_add_test(tests, test_poisson);
    tcase_add_test(tests, test_sobol);
    tcase_add_test(tests, test_sobol_on_the_host);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
