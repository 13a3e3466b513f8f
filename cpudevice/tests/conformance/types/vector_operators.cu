// operators that the program defines for vector types, as samples do
#include "conformance.h"

inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator*(float s, const float3 &a) { return make_float3(s * a.x, s * a.y, s * a.z); }
inline __host__ __device__ void operator+=(float3 &a, float3 b) { a = a + b; }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__global__ void k(float *out)
{
    __shared__ float3 s[T];
    float3 v = make_float3(threadIdx.x, 1, 2), sum = {0, 0, 0};
    s[threadIdx.x] = v;
    __syncthreads();
    for (int i = 0; i < 3; i++)
        sum += 2.0f * s[(threadIdx.x + i) % T];
    __syncthreads();
    out[threadIdx.x] = dot(sum, make_float3(1, 100, 1000));
}
int main()
{
    float *out = managed<float>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * (t + (t + 1) % T + (t + 2) % T) + 600 + 12000; });
}
