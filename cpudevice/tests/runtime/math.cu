// CUDA's mathematical functions that a C library may or may not have under the same name: values on the device and on
// the host, and declarations as a later C library would make them.
#include <check.h>
#include <cmath>
#include <cuda_runtime.h>
#include <math.h>

#include "suite.h"

#ifdef __CUCC__
// glibc 2.41 declares the first four, 2.42 the next two; the others may follow.
extern "C" {
double sinpi(double) noexcept;
double cospi(double) noexcept;
float sinpif(float) noexcept;
float cospif(float) noexcept;
double rsqrt(double) noexcept;
float rsqrtf(float) noexcept;
double rcbrt(double) noexcept;
float rcbrtf(float) noexcept;
void sincospi(double, double *, double *) noexcept;
double norm3d(double, double, double) noexcept;
double normcdf(double) noexcept;
double erfinv(double) noexcept;
double cyl_bessel_i0(double) noexcept;
}
#endif

enum { DOUBLES = 14, FLOATS = 6 };

__host__ __device__ static void fill(double *d, float *f)
{
    double s, c;
    sincospi(0.25, &s, &c);
    const double v[4] = {1, 2, 4, 10};
    const double doubles[DOUBLES] = {sinpi(0.5), cospi(1.0),  sinpi(1e15), ::rsqrt(4.0), rcbrt(27.0),    s,           c,
                                     norm3d(2, 3, 6), norm4d(1, 2, 4, 10), norm(4, v), normcdf(0.0), erfinv(0.5), erfcinv(1.5), cyl_bessel_i0(1.0)};
    const float floats[FLOATS] = {sinpif(-0.5f), cospif(0.0f), rsqrtf(16.0f), rsqrt(0.25f), rcbrtf(8.0f), rhypotf(3, 4)};
    for (int i = 0; i < DOUBLES; i++)
        d[i] = doubles[i];
    for (int i = 0; i < FLOATS; i++)
        f[i] = floats[i];
}

__global__ void fill_kernel(double *d, float *f) { fill(d, f); }

// Known values: of an angle, of a root, of Pythagorean tuples; erfinv(0.5) and I0(1) from Abramowitz and Stegun's tables.
static const double expected[DOUBLES] = {1, -1, 0, 0.5, 1.0 / 3, M_SQRT1_2, M_SQRT1_2, 7, 11, 11, 0.5, 0.47693627620446987, -0.47693627620446987, 1.2660658777520084};
static const float expected_f[FLOATS] = {-1, 1, 0.25f, 2, 0.5f, 0.2f};

static void compare(const double *d, const float *f)
{
    for (int i = 0; i < DOUBLES; i++)
        ck_assert_msg(fabs(d[i] - expected[i]) <= 1e-15 * fabs(expected[i]), "double %d: %.17g, not %.17g", i, d[i], expected[i]);
    for (int i = 0; i < FLOATS; i++)
        ck_assert_msg(fabsf(f[i] - expected_f[i]) <= 1e-7f, "float %d: %.9g, not %.9g", i, f[i], expected_f[i]);
}

START_TEST(test_host)
{
    double d[DOUBLES];
    float f[FLOATS];
    fill(d, f);
    compare(d, f);
}
END_TEST

START_TEST(test_device)
{
    double *d;
    float *f;
    ck_assert_int_eq(cudaMallocManaged(&d, DOUBLES * sizeof *d), cudaSuccess);
    ck_assert_int_eq(cudaMallocManaged(&f, FLOATS * sizeof *f), cudaSuccess);
    fill_kernel<<<1, 1>>>(d, f);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    compare(d, f);
    cudaFree(d);
    cudaFree(f);
}
END_TEST

// As with a function of the C library, its address can be taken.
START_TEST(test_address)
{
    double (*volatile function)(double) = rsqrt;
    ck_assert(function(16.0) == 0.25);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mathematics");
    TCase *test_case = tcase_create("functions");
    tcase_set_timeout(test_case, TEST_SECONDS);
    tcase_add_test(test_case, test_host);
    tcase_add_test(test_case, test_device);
    tcase_add_test(test_case, test_address);
    suite_add_tcase(suite, test_case);
    return run_suite(suite);
}
