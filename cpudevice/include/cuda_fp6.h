/* cuda_fp6.h: the 6-bit formats e2m3 and e3m2, each in a byte of its own; cpudev_narrowfloat.h has their arithmetic. */
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__

#include "cpudev_narrowfloat.h"

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

CPUDEV_SMALL int cpudev_fp6_exponent(__nv_fp6_interpretation_t format) { return format == __NV_E2M3 ? 2 : 3; }
CPUDEV_SMALL int cpudev_fp6_mantissa(__nv_fp6_interpretation_t format) { return format == __NV_E2M3 ? 3 : 2; }

CPUDEV_NARROW_CONVERSIONS(fp6, 8, cpudev_fp6_exponent, cpudev_fp6_mantissa)
#ifdef __cplusplus
CPUDEV_NARROW_CLASSES(fp6, 8, e2m3, __NV_E2M3)
CPUDEV_NARROW_CLASSES(fp6, 8, e3m2, __NV_E3M2)
#endif
#endif
