/* unused.cu: static functions whose calls are all replaced by their bodies are used: -Wall warns of none of them, but still
 * of one that nothing calls, at its line, behind all those kernels. */
// TEST: every kernel is split
// RUN: ways | tee $work/ways; [ "$(grep -c submit_split $work/ways)" = 7 ] && [ "$(grep -vc submit_split $work/ways)" = 0 ]
// TEST: no warning of a function whose calls are replaced
// RUN: for o in -O0 -O3 --check --no-split; do $cucc $o -std=c++17 -Wall -Werror -c -o $work/object.o $case; done
// TEST: a warning of a function that nothing calls
// RUN: $cucc -std=c++17 -DNOBODY -Wall -c -o $work/object.o $case
// MATCHES: unused.cu:{line nobody(float v)}: warning: \(.*nobody.*defined but not used\|unused function 'nobody'\)
// COUNT: 1 warning:
// TEST: the kernels run
// RUN: program loops -std=c++17; $work/loops
#include <cuda_runtime.h>

__device__ static float after(float v, float *s);      // declared before

__device__ static float after(float v, float *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    return s[threadIdx.x ^ 1];
}
static __device__ float exchanged(float v, float *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    return s[threadIdx.x ^ 1];
}
__device__ static __forceinline__ float *shifted(float *s)
{
    __syncthreads();
    return s + 1;
}
namespace {
__device__ float hidden(float v, float *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    return s[threadIdx.x ^ 1];
}
__global__ void hide(float *x)
{
    __shared__ float s[64];
    x[threadIdx.x] = hidden(x[threadIdx.x], s);
}
} // namespace
template <class T> __device__ static T of_any(T v, T *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    return s[threadIdx.x ^ 1];
}
// its only call is in a function whose calls are replaced
__device__ static void leave(float v, float *s)
{
    __syncthreads();
    s[threadIdx.x] = v;
    __syncthreads();
}
__device__ static float twice(float v, float *s)
{
    leave(v, s);
    return s[threadIdx.x ^ 1];
}
__device__ static float sum_of_lanes(float v)
{
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    return v;
}
__global__ void exchange(float *x)
{
    __shared__ float s[64];
    x[threadIdx.x] = exchanged(x[threadIdx.x], s);
}
__global__ void shift(float *x)
{
    __shared__ float s[65];
    s[threadIdx.x + 1] = x[threadIdx.x];
    const float *p = shifted(s);
    x[threadIdx.x] = p[threadIdx.x ^ 1];
}
__global__ void any(float *x)
{
    __shared__ float s[64];
    float v = x[threadIdx.x];
    x[threadIdx.x] = of_any<float>(v, s);
}
__global__ void two(float *x)
{
    __shared__ float s[64];
    x[threadIdx.x] = twice(x[threadIdx.x], s);
}
__global__ void sum(float *x) { x[threadIdx.x] = sum_of_lanes(x[threadIdx.x]); }
__global__ void declared(float *x)
{
    __shared__ float s[64];
    x[threadIdx.x] = after(x[threadIdx.x], s);
}

#ifdef NOBODY
__device__ static float nobody(float v) { return v + 1; }
#endif

int main(void)
{
    void (*const kernels[])(float *) = {exchange, shift, hide, any, two, declared};
    float h[64], *x;
    cudaMalloc((void **)&x, sizeof h);
    for (int i = 0; i < 64; i++)
        h[i] = (float)i;
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    for (auto kernel : kernels)
        kernel<<<1, 64>>>(x);      // six exchanges of neighbours: as it was
    sum<<<1, 64>>>(x);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return h[0] == 496 && h[31] == 496 && h[32] == 1520 && h[63] == 1520 ? 0 : 1;
}
