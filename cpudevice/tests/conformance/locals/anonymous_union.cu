// an anonymous union, and an anonymous struct's variable, as locals
#include "conformance.h"

__global__ void k(int *out)
{
    union {
        float f;
        unsigned u;
    };
    struct {
        int x, y;
    } point = {(int)threadIdx.x, 2};
    u = 0;
    __syncthreads();
    f = 1.0f;
    u += 0x00800000u * (threadIdx.x % 4);
    point.y += point.x;
    __syncthreads();
    out[threadIdx.x] = (int)f * 1000 + point.y;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (1 << t % 4) * 1000 + t + 2; });
}
