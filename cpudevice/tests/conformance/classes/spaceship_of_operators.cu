// ==, !=, <, unary -, !, prefix and postfix ++ of a class
#include "conformance.h"

struct Num {
    int v;
    __device__ bool operator==(const Num &o) const { return v == o.v; }
    __device__ bool operator!=(const Num &o) const { return !(*this == o); }
    __device__ bool operator<(const Num &o) const { return v < o.v; }
    __device__ Num operator-() const { return {-v}; }
    __device__ bool operator!() const { return v == 0; }
    __device__ Num &operator++() { return ++v, *this; }
    __device__ Num operator++(int)
    {
        Num old = *this;
        ++v;
        return old;
    }
};
__global__ void k(int *out)
{
    Num a{(int)threadIdx.x}, b{10};
    int r = (a == b) + 10 * (a != b) + 100 * (a < b) + 1000 * !a;
    __syncthreads();
    Num c = a++, d = ++b;
    __syncthreads();
    out[threadIdx.x] = r + 10000 * (-c).v + 100000 * (d.v + a.v - a.v);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        return (t == 10 ? 1 : 10) + (t < 10 ? 100 : 0) + (t == 0 ? 1000 : 0) - 10000 * t + 1100000;
    });
}
