// one operator for a const operand and another for one that may be changed
// alone: what its names mean would make the other cases run on fibers
#include "conformance.h"
enum Gear { low = 1, high = 2 };
__device__ int operator+(const Gear &g, float) { return 100 + g; }
__device__ int operator+(Gear &g, float)
{
    g = Gear((int)g + (int)threadIdx.x);
    return g;
}
__global__ void k(int *out, Gear p)
{
    Gear g = p;
    const int a = g + 1.0f;
    __syncthreads();
    const int b = g + 2.0f;
    __syncthreads();
    out[threadIdx.x] = a * 10000 + b;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, low);
    return check(out, T, [](int t) { return (1 + t) * 10000 + 1 + 2 * t; });
}
