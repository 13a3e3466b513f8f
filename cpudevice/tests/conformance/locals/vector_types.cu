// vector types as locals, by members and by make_
#include "conformance.h"

__global__ void k(float *out)
{
    float4 v = make_float4(threadIdx.x, 1, 2, 3);
    int2 i = {(int)threadIdx.x, 5};
    uchar3 c = make_uchar3(1, 2, threadIdx.x);
    double2 d;
    d.x = 0.5, d.y = threadIdx.x;
    __syncthreads();
    v.y += i.y;
    c.z *= 2;
    __syncthreads();
    out[threadIdx.x] = v.x + v.y * 100 + c.z * 1000 + (float)(d.x * d.y);
}
int main()
{
    float *out = managed<float>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 600 + 2 * t * 1000 + t / 2.0; });
}
