/* cuComplex.h: complex numbers as CUDA's C interface has them. C-clean. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"

#ifdef __CUCC_CHECK__ /* what they take by value is copied where the checker sees it (compiler/emit/print_copies.c) */
#define CPUDEV_COMPLEX static inline __attribute__((unused, always_inline))
#else
#define CPUDEV_COMPLEX static inline __attribute__((unused))
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

CPUDEV_COMPLEX float cuCrealf(cuFloatComplex x) { return x.x; }
CPUDEV_COMPLEX float cuCimagf(cuFloatComplex x) { return x.y; }
CPUDEV_COMPLEX cuFloatComplex make_cuFloatComplex(float r, float i) { return make_float2(r, i); }
CPUDEV_COMPLEX cuComplex make_cuComplex(float r, float i) { return make_float2(r, i); }
CPUDEV_COMPLEX cuFloatComplex cuConjf(cuFloatComplex x) { return make_float2(x.x, -x.y); }
CPUDEV_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) { return make_float2(x.x + y.x, x.y + y.y); }
CPUDEV_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) { return make_float2(x.x - y.x, x.y - y.y); }
CPUDEV_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y)
{
    return make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
CPUDEV_COMPLEX float cuCabsf(cuFloatComplex x) { return hypotf(x.x, x.y); }
CPUDEV_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y)
{
    float scale = 1.0f / (fabsf(y.x) + fabsf(y.y)); /* guards the squares against overflow */
    float a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale, norm = 1.0f / (c * c + d * d);
    return make_float2((a * c + b * d) * norm, (b * c - a * d) * norm);
}
CPUDEV_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex z)
{
    return cuCaddf(cuCmulf(x, y), z);
}

CPUDEV_COMPLEX double cuCreal(cuDoubleComplex x) { return x.x; }
CPUDEV_COMPLEX double cuCimag(cuDoubleComplex x) { return x.y; }
CPUDEV_COMPLEX cuDoubleComplex make_cuDoubleComplex(double r, double i) { return make_double2(r, i); }
CPUDEV_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex x) { return make_double2(x.x, -x.y); }
CPUDEV_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_double2(x.x + y.x, x.y + y.y);
}
CPUDEV_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_double2(x.x - y.x, x.y - y.y);
}
CPUDEV_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_double2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
CPUDEV_COMPLEX double cuCabs(cuDoubleComplex x) { return hypot(x.x, x.y); }
CPUDEV_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y)
{
    double scale = 1.0 / (fabs(y.x) + fabs(y.y));
    double a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale, norm = 1.0 / (c * c + d * d);
    return make_double2((a * c + b * d) * norm, (b * c - a * d) * norm);
}
CPUDEV_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex z)
{
    return cuCadd(cuCmul(x, y), z);
}

CPUDEV_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return make_float2((float)x.x, (float)x.y); }
CPUDEV_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_double2((double)x.x, (double)x.y);
}

#undef CPUDEV_COMPLEX

#endif
