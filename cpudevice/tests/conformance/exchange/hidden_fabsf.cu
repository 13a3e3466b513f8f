// a template's parameter hides fabsf() in loops that threads could go round together
#include "conformance.h"

enum { N = 96 };
__device__ float with_thread(float v) { return v + threadIdx.x % 7; }
template <float (*fabsf)(float)> __global__ void sums(const float *m, float *out)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < N; row++)
        sum += fabsf(m[row * N + column]);
    out[column] = sum;
}
int main()
{
    float *m = managed<float>(N * N), *out = managed<float>(N);
    for (int i = 0; i < N * N; i++)
        m[i] = i % 13 - 6;
    sums<with_thread><<<N / 32, 32>>>(m, out);
    return check(out, N, [](int column) {
        float sum = 0;
        for (int row = 0; row < N; row++)
            sum += (row * N + column) % 13 - 6 + column % 32 % 7;
        return sum;
    });
}
