// decltype of a local array is the array's type, whatever else the array is used for
#include "conformance.h"

template <class A> struct length {
    static const int value = -1;
};
template <class V, int n> struct length<V[n]> {
    static const int value = n;
};
__device__ int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
template <class A> __device__ int sum_of(const A &a) { return sum(a, length<A>::value); }
__global__ void k(int *out)
{
    int a[5], b[3];
    for (int i = 0; i < 5; i++)
        a[i] = i + (int)threadIdx.x;
    for (int i = 0; i < 3; i++)
        b[i] = 7;
    out[threadIdx.x] = sum_of<decltype(a)>(a) + 1000 * length<decltype(b)>::value + sum(b, 3);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int i) { return 10 + 5 * i + 3000 + 21; });
}
