// the constructor of a base class and of a member read threadIdx
#include "conformance.h"

struct Base {
    int v;
    __device__ Base() : v(threadIdx.x) {}
};
struct Member {
    int w;
    __device__ Member() : w(blockIdx.x) {}
};
struct Derived : Base {
    Member m;
    int sum = v + m.w;
};
__global__ void k(int *out)
{
    Derived d;
    out[blockIdx.x * blockDim.x + threadIdx.x] = d.sum * 10 + d.m.w;
}
int main()
{
    int *out = managed(3 * T);
    k<<<3, T>>>(out);
    return check(out, 3 * T, [](int i) { return (i % T + i / T) * 10 + i / T; });
}
