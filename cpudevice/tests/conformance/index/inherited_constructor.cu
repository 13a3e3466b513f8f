// inherited and delegating constructors that read threadIdx
#include "conformance.h"

struct A {
    int v;
    __device__ A(int n) : v(n + threadIdx.x) {}
};
struct B : A {
    using A::A;
    __device__ B() : B(1000) {}
};
__global__ void k(int *out)
{
    B one, two(5);
    B three[2] = {1, 2};
    out[threadIdx.x] = one.v * 10 + two.v + three[1].v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (1000 + t) * 10 + 5 + t + 2 + t; });
}
