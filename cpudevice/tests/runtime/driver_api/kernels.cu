/* What cpudevice/tests/runtime/driver_api.sh makes images of. */
#include <stdio.h>

struct Pair {
    char tag;
    double value;
};

__device__ int base = 3;
static __constant__ float scale[4]; /* only the host writes these, by their names */
static __device__ int shift;

extern "C" __global__ void combine(float *out, const float *a, int n, char c, double d, Pair p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] * scale[1] + base + shift + c + (float)d + (float)p.value + p.tag;
}

template <class T> __global__ void reverse(T *p, T add)
{
    extern __shared__ char room[];
    __shared__ T s[64];
    T *r = (T *)room;
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    r[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = r[threadIdx.x] + add;
}
template __global__ void reverse<int>(int *, int);

__global__ void count() { atomicAdd(&base, 1); }

void host_function() {}

extern "C" __global__ void racing(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}

extern "C" __global__ void beyond(int *out) { out[threadIdx.x + 64] = 1; /* beyond the end */ }
