/* shim.h: the words of CUDA that the replayed kernels use, for a host compiler. See replay.h. */
#ifndef SHIM_H
#define SHIM_H

#ifdef __cplusplus
extern "C" {
#endif
typedef struct Dim {
    int x, y, z;
} Dim;
typedef struct Place {
    Dim grid, block, block_index, thread_index;
    int barriers;
} Place;
extern Place replay_place;
void replay_barrier(void); /* a call, so that the compiler moves no access across it */
#ifdef __cplusplus
}

#include <stddef.h>
#include <stdint.h>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __restrict__
#define __launch_bounds__(...)
#define threadIdx replay_place.thread_index
#define blockIdx replay_place.block_index
#define blockDim replay_place.block
#define gridDim replay_place.grid
#define __syncthreads() replay_barrier()

/* 16 bytes in one access, as on the GPU: copied as a vector, or gcc would report its four parts. */
typedef float Four __attribute__((vector_size(16)));
struct alignas(16) float4 {
    float x, y, z, w;
    float4() = default;
    float4(float a, float b, float c, float d) : x(a), y(b), z(c), w(d) {}
    float4(const float4 &o) { *(Four *)this = *(const Four *)&o; }
    float4 &operator=(const float4 &o)
    {
        *(Four *)this = *(const Four *)&o;
        return *this;
    }
};
static inline float4 make_float4(float a, float b, float c, float d) { return float4(a, b, c, d); }
#endif
#endif
