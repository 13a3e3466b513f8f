// a class's own fabsf() beside the library's, in a loop that the threads go round together
#include "conformance.h"

enum { N = 96 };
struct Own {
    static __device__ float fabsf(float v) { return v < 0 ? 100 : v + threadIdx.x; }
};
__global__ void sums(const float *m, float *out)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < N; row++)
        sum += Own::fabsf(m[row * N + column]) + fabsf(m[row * N + column]);
    out[column] = sum;
}
int main()
{
    float *m = managed<float>(N * N), *out = managed<float>(N);
    for (int i = 0; i < N * N; i++)
        m[i] = i % 13 - 6;
    sums<<<N / 32, 32>>>(m, out);
    return check(out, N, [](int column) {
        float sum = 0;
        for (int row = 0; row < N; row++) {
            float v = (row * N + column) % 13 - 6;
            sum += (v < 0 ? 100 : v + column % 32) + (v < 0 ? -v : v);
        }
        return sum;
    });
}
