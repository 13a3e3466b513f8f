/* What main.cu loads images of. */
// BUILD: $cucc --check -cubin -o $work/checked.cubin $case; $cucc --check -o $work/checked $folder/main.cu -lcuda
// TEST: --check tells the line of an access beyond the end, in a module
// RUN: $work/checked $work/checked.cubin beyond
// STATUS: 99
// MATCHES: kernels.cu:{line beyond the end}$
// TEST: --check says that it does not find races on a module's shared memory
// RUN: $work/checked $work/checked.cubin racing || :
// SAYS: the module has __shared__ variables: --check does not find races on them
// TEST: a module that was built without --check is refused by a checked program
// RUN: $cucc -cubin -O1 -o $work/plain.cubin $case; $work/checked $work/plain.cubin || :
// SAYS: the module was built without --check, and the program with it
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
