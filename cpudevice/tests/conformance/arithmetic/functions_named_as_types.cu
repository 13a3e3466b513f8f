// calls of functions whose names are those of types elsewhere, and a variable whose name has the short hash of one: they are
// no casts
#include "conformance.h"

typedef unsigned char level_t; // the same 17 bits of FNV-1a as sumltuu
__constant__ float sumltuu = 2;
template <class square> __device__ int truncated(square v) { return int(v); }
__device__ int square(float v) { return (int)(v * v); }

__global__ void k(int *out, const float *in)
{
    int i = threadIdx.x;
    int a = (int)((sumltuu)*in[i]), b = square(in[i]);
    asm volatile("" ::: "memory");
    int c = square(in[i]) + (int)((sumltuu)*in[i]);
    level_t d = (level_t)(in[i] * 1000.f);
    if (i == T)
        asm volatile("exit;");
    out[i] = a + b + c + d + truncated(in[i]);
}
int main()
{
    int *out = managed(T);
    float *in;
    if (cudaMallocManaged(&in, T * sizeof *in) != cudaSuccess)
        return 2;
    for (int i = 0; i < T; i++)
        in[i] = i + 0.75f;
    k<<<1, T>>>(out, in);
    int wrong = check(out, T, [](int i) {
        float v = i + 0.75f;
        int twice = (int)(v + v), square = (int)(v * v);
        return 2 * twice + 2 * square + ((int)(v * 1000.f) & 255) + i;
    });
    cudaFree(in);
    return wrong;
}
