// several bases, a virtual one, and a virtual destructor
#include "conformance.h"

struct Root {
    int v = 1;
};
struct Left : virtual Root {
    __device__ virtual int f() { return v; }
    __device__ virtual ~Left() {}
};
struct Right : virtual Root {
    int w = 2;
};
struct Both : Left, Right {
    int *end;
    __device__ explicit Both(int *end) : end(end) {}
    __device__ int f() override { return v * 10 + w; }
    __device__ ~Both() override { *end += v; }
};
__global__ void k(int *out)
{
    int end = 0, r;
    {
        Both b(&end);
        Left &left = b;
        static_cast<Right &>(b).v = threadIdx.x;
        __syncthreads();
        r = left.f();
    }
    __syncthreads();
    out[threadIdx.x] = r * 1000 + end;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (10 * t + 2) * 1000 + t; });
}
