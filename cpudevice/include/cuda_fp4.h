/* cuda_fp4.h: the 4-bit format e2m1, two values in a byte; cpudev_narrowfloat.h has its arithmetic. */
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__

#include "cpudev_narrowfloat.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

CPUDEV_SMALL int cpudev_fp4_exponent(__nv_fp4_interpretation_t format) { return (void)format, 2; }
CPUDEV_SMALL int cpudev_fp4_mantissa(__nv_fp4_interpretation_t format) { return (void)format, 1; }

CPUDEV_NARROW_CONVERSIONS(fp4, 4, cpudev_fp4_exponent, cpudev_fp4_mantissa)
#ifdef __cplusplus
CPUDEV_NARROW_CLASSES(fp4, 4, e2m1, __NV_E2M1)
#endif
#endif
