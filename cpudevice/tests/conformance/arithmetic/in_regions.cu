// conversions out of range, in regions that --check runs without callbacks once it has seen a few blocks
#include "conformance.h"

enum { N = 64 * T };
__global__ void k(int *out, const float *in)
{
    int i = blockIdx.x * T + threadIdx.x;
    out[i] = (int)in[i];
}
int main()
{
    static float from[N];
    float *in;
    int *out, *got = managed(N);
    if (cudaMalloc(&in, sizeof from) != cudaSuccess || cudaMalloc(&out, sizeof from) != cudaSuccess)
        return 2;
    for (int i = 0; i < N; i++)
        from[i] = i % 3 == 0 ? 3e10f : i % 3 == 1 ? -3e10f : i + 0.5f;
    cudaMemcpy(in, from, sizeof from, cudaMemcpyHostToDevice);
    k<<<N / T, T>>>(out, in);
    cudaMemcpy(got, out, sizeof from, cudaMemcpyDeviceToDevice);
    cudaFree(in), cudaFree(out);
    return check(got, N, [](int i) { return i % 3 == 0 ? 0x7fffffff : i % 3 == 1 ? -0x7fffffff - 1 : i; });
}
