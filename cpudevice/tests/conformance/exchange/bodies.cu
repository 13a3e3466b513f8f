// a search for the nearest: all threads read the same element, in structures and constants
#include "conformance.h"

__constant__ float scale[2] = {2.f, 0.5f};
static const int bias = 3;
__global__ void k(float *out, const float4 *body, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = x[i], sum = bias;
    for (int j = 0; j < n; j++) {
        float4 b = body[j];
        float d = b.x - mine;
        sum += d * d * scale[j & 1] + b.w;
    }
    out[i] = sum;
}
int main()
{
    enum { N = 66 };
    float *out = managed<float>(128), *x = managed<float>(128);
    float4 *body = managed<float4>(N);
    for (int i = 0; i < N; i++)
        body[i] = make_float4(i % 8, 0, 0, i % 2);
    for (int i = 0; i < 128; i++)
        x[i] = i % 16;
    k<<<2, T>>>(out, body, x, N);
    return check(out, 128, [&](int i) {
        double sum = 3;
        for (int j = 0; j < N; j++) {
            double d = j % 8 - i % 16;
            sum += d * d * (j & 1 ? 0.5 : 2) + j % 2;
        }
        return sum;
    });
}
