/* vectors.cuh: rows of fp32 or bf16 read and written 16 bytes at a time, with all arithmetic in fp32; sums over a
 * block. For the labs norms, norms_backward and cross_entropy. */
#ifndef VECTORS_CUH
#define VECTORS_CUH

#include <cuda_bf16.h>
#include <stddef.h>
#include <string.h>

template <typename T> struct Vector;

template <> struct Vector<float> {
    enum { COUNT = 4 };
    uint4 bits;
    __device__ void get(float v[4]) const
    {
        const uint4 loaded = bits; /* one access of 16 bytes, wherever this vector is */
        memcpy(v, &loaded, 16);
    }
    __device__ void set(const float v[4]) { memcpy(&bits, v, 16); }
};

template <> struct Vector<__nv_bfloat16> {
    enum { COUNT = 8 };
    uint4 bits;
    /* A bf16 is the upper half of a float. */
    __device__ static void get2(unsigned u, float *v)
    {
        v[0] = __uint_as_float(u << 16);
        v[1] = __uint_as_float(u & 0xffff0000u);
    }
    __device__ static unsigned set2(const float *v)
    {
        __nv_bfloat162 pair = __floats2bfloat162_rn(v[0], v[1]); /* one instruction for two */
        unsigned u;
        memcpy(&u, &pair, sizeof u);
        return u;
    }
    __device__ void get(float v[8]) const
    {
        const uint4 loaded = bits;
        get2(loaded.x, v);
        get2(loaded.y, v + 2);
        get2(loaded.z, v + 4);
        get2(loaded.w, v + 6);
    }
    __device__ void set(const float v[8]) { bits = make_uint4(set2(v), set2(v + 2), set2(v + 4), set2(v + 6)); }
};

__device__ static inline float load(const float *p) { return *p; }
__device__ static inline float load(const __nv_bfloat16 *p) { return __bfloat162float(*p); }
__device__ static inline void store(float *p, float v) { *p = v; }
__device__ static inline void store(__nv_bfloat16 *p, float v) { *p = __float2bfloat16(v); }

__device__ static inline float warp_sum(float v)
{
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    return v;
}

/* The block's sums of a and b, in every thread. `s` is shared, one pair per warp; a second call needs another `s`, or a
 * barrier before it. Blocks are whole warps. */
__device__ static inline float2 block_sums(float a, float b, float2 *s)
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    a = warp_sum(a);
    b = warp_sum(b);
    if (lane == 0)
        s[warp] = make_float2(a, b);
    __syncthreads();
    const float2 mine = lane < warps ? s[lane] : make_float2(0, 0);
    return make_float2(warp_sum(mine.x), warp_sum(mine.y));
}

#endif
