// __restrict__, const pointers, __ldg and vector loads
#include "conformance.h"

__global__ void k(float4 *__restrict__ out, const float4 *__restrict__ const in, const float *__restrict__ scale)
{
    const int i = threadIdx.x;
    float4 v = __ldg(&in[i]);
    const float s = __ldg(scale + i % 2);
    __syncthreads();
    v.x *= s, v.y += s, v.z = v.w, v.w = s;
    out[i] = v;
}
int main()
{
    float *out = managed<float>(4 * T), *in = managed<float>(4 * T), *scale = managed<float>(2);
    for (int i = 0; i < 4 * T; i++)
        in[i] = i;
    scale[0] = 2, scale[1] = 3;
    k<<<1, T>>>((float4 *)out, (const float4 *)in, scale);
    return check(out, 4 * T, [](int i) {
        int s = 2 + i / 4 % 2, part = i % 4;
        return part == 0 ? i * s : part == 1 ? i + s : part == 2 ? i + 1 : s;
    });
}
