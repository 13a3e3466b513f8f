// half and bfloat16: conversion, arithmetic, comparison and vectors of two
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "conformance.h"

__global__ void k(double *out)
{
    __shared__ __half s[T];
    __half h = __float2half(threadIdx.x * 0.5f);
    s[threadIdx.x] = h + h;
    __syncthreads();
    __half2 two = __halves2half2(s[T - 1 - threadIdx.x], h);
    two = __hmul2(two, __float2half2_rn(2));
    __nv_bfloat16 b = __float2bfloat16(threadIdx.x);
    b = b * __nv_bfloat16(2.0f);
    __syncthreads();
    out[threadIdx.x] = __low2float(two) + __high2float(two) * 1000.0 + __bfloat162float(b) * 1000000.0 +
                       (h > __half(10.0f) ? 0.5f : 0.0f);
}
int main()
{
    double *out = managed<double>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * (T - 1 - t) + t * 1000 + 2 * t * 1000000 + (t > 20 ? 0.5 : 0); });
}
