/*
 * cuda_bf16.h: bfloat16 and its pair, bit for bit as a GPU computes them.
 * In C only the types are there, as in CUDA's header; cpudev_smallfloat.h converts them.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_fp16.h"
#include "cpudev_smallfloat.h"
#include "vector_functions.h"

typedef struct __attribute__((aligned(2))) {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
    unsigned short x, y;
} __nv_bfloat162_raw;

#ifndef __cplusplus
typedef __nv_bfloat16_raw __nv_bfloat16;
typedef __nv_bfloat162_raw __nv_bfloat162;
#else
#define __T __nv_bfloat16
#define T2 __nv_bfloat162
#define RAW __nv_bfloat16_raw
#define RAW2 __nv_bfloat162_raw
#define OTHER __half
#define NAME bfloat16
#define NAME2 bfloat162
#define MANT 7
#define EXP 8
#define NARROW cpudev_float_to_bf16
#define WIDEN cpudev_bf16_to_float
#define ROUND cpudev_float_to_bf16
#define VALUE cpudev_bf16_to_float
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define CONVERSIONS 0
#else
#define CONVERSIONS 1
#endif
#include "cpudev_float16.h"

/* Each of the two 16-bit types from the other, by way of float. */
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
inline __nv_bfloat16::__nv_bfloat16(__half h) : __x(cpudev_float_to_bf16(cpudev_half_to_float(h.__x))) {}
#endif
#ifndef __CUDA_NO_HALF_CONVERSIONS__
inline __half::__half(__nv_bfloat16 h) : __x(cpudev_float_to_half(cpudev_bf16_to_float(h.__x))) {}
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#endif /* __cplusplus */

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
