/*
 * cuda_fp16.h: half and half2, bit for bit as a GPU computes them.
 * In C only the types are there, as in CUDA's header; cpudev_smallfloat.h converts them.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cpudev_smallfloat.h"
#include "vector_functions.h"

typedef struct __attribute__((aligned(2))) {
    unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
    unsigned short x, y;
} __half2_raw;

#ifndef __cplusplus
typedef __half_raw __half;
typedef __half2_raw __half2;
#else
struct __nv_bfloat16;
#define __T __half
#define T2 __half2
#define RAW __half_raw
#define RAW2 __half2_raw
#define OTHER __nv_bfloat16
#define NAME half
#define NAME2 half2
#define MANT 10
#define EXP 5
#define NARROW cpudev_float_to_half
#define WIDEN cpudev_half_to_float
#define ROUND cpudev_half_round
#define VALUE cpudev_half_value
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define CONVERSIONS 0
#else
#define CONVERSIONS 1
#endif
#include "cpudev_float16.h"

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#endif /* __cplusplus */

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#endif
