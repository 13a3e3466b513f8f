// a base's state changed by a derived class, by a cast, and a slice of it
#include "conformance.h"

struct Base {
    int v;
    __device__ void hit() { v++; }
};
struct Derived : Base {
    int w;
    __device__ Derived(int a, int b) : Base{a}, w(b) {}
    __device__ void hit() { Base::hit(), w += 10; }
};
__global__ void k(int *out)
{
    Derived d(threadIdx.x, 5);
    Base slice = d, &base = d;
    d.hit();
    __syncthreads();
    base.hit();
    static_cast<Base *>(&d)->v += 100;
    slice.hit();
    __syncthreads();
    out[threadIdx.x] = d.v * 1000 + d.w + slice.v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 102) * 1000 + 15 + t + 1; });
}
