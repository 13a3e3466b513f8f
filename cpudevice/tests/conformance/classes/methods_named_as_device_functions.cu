// methods that have the names of the device's own functions, which other methods call without an object
#include "conformance.h"

struct Base {
    int n;
    __device__ int __shfl_sync(int x) { return x + n; }
    __device__ int min(int x, int y) { return x * 10 + y; }
    __device__ void __syncthreads() { n += 1; }
    __device__ int atomicAdd(int *p, int x) { return *p -= x; }
    __device__ int printf(const char *, int x) { return n += x; }
};
struct Derived : Base {
    __device__ int max(int x, int y) { return x - y; }
    __device__ int abs(int x) { return x + 1000; }
    __device__ void __syncwarp() { n += 2; }
    __device__ int __ballot_sync(unsigned mask, int x) { return (int)mask + x; }
    __device__ int atomicCAS(int *p, int x, int y) { return *p = x + y; }
    __device__ int __ldg(const int *p) { return *p + 7; }
    __device__ int cudaDeviceSynchronize() { return n += 3; }
    __device__ float sqrtf(float x) { return 2 * x; }
    __device__ int inside(int x)
    {
        int s = __shfl_sync(x) + min(x, 1) + max(x, 5) + abs(x);
        __syncthreads();
        __syncwarp();
        s += atomicAdd(&n, 4);
        s += printf("%d\n", 6);
        s += __ballot_sync(9, x) + (int)sqrtf(3.f);
        s += __ldg(&n);
        s += cudaDeviceSynchronize() + this->cudaDeviceSynchronize();
        s += atomicCAS(&n, x, 2);
        auto lambda = [&](int y) { return min(y, 3) + printf("", y); };
        return s + lambda(8) + n;
    }
    __device__ int outside(int x);
    template <class V> __device__ V generic(V x)
    {
        V s = min(x, 1);
        for (V i = 0; i < 3; i++)
            s += printf("", i) + max(s, i);
        return s;
    }
};
__device__ int Derived::outside(int x)
{
    int s = __shfl_sync(x) + min(x, 1) + max(x, 5) + abs(x);
    __syncthreads();
    __syncwarp();
    s += atomicAdd(&n, 4);
    s += printf("%d\n", 6);
    s += __ballot_sync(9, x) + (int)sqrtf(3.f);
    s += __ldg(&n);
    s += cudaDeviceSynchronize() + this->cudaDeviceSynchronize();
    s += atomicCAS(&n, x, 2);
    auto lambda = [&](int y) { return min(y, 3) + printf("", y); };
    return s + lambda(8) + n;
}
template <class V> struct Generic {
    V n;
    __device__ V printf(V x, V y = 1) { return n += x + y; }
    __device__ V fmax(V x, V y) { return x + 2 * y; }
    __device__ V operator()(V x) { return printf(x) + fmax(n, x) + printf(x, 2); }
};
__global__ void k(int *out)
{
    const int t = threadIdx.x;
    Derived inside, outside, generic;
    inside.n = outside.n = generic.n = t;
    Generic<int> object{t};
    out[4 * t] = inside.inside(t + 1);
    out[4 * t + 1] = outside.outside(t + 1);
    out[4 * t + 2] = generic.generic(t + 1);
    out[4 * t + 3] = object(t);
}

static int whole(int n, int x)
{
    int s = x + n + x * 10 + 1 + x - 5 + x + 1000;
    n += 3; // both barriers
    n -= 4;
    s += n; // atomicAdd()
    n += 6;
    s += n; // printf()
    s += 9 + x + 6 + n + 7;
    s += n + 3 + n + 6; // both cudaDeviceSynchronize()
    n = x + 2;
    s += n; // atomicCAS()
    n += 8;
    return s + 8 * 10 + 3 + n + n;
}
static int generic(int n, int x)
{
    int s = x * 10 + 1;
    for (int i = 0; i < 3; i++) {
        n += i;
        s += n + (s - i);
    }
    return s;
}
static int object(int n, int x)
{
    const int a = n + x + 1, b = a + x + 2;
    return a + a + 2 * x + b;
}
int main()
{
    int *out = managed(4 * T);
    k<<<1, T>>>(out);
    return check(out, 4 * T, [](int i) {
        const int t = i / 4;
        return i % 4 < 2 ? whole(t, t + 1) : i % 4 == 2 ? generic(t, t + 1) : object(t, t);
    });
}
