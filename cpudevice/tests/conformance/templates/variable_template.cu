// a variable template and a constexpr function as sizes
#include "conformance.h"

template <class V> constexpr int lanes = 16 / sizeof(V);
constexpr int power(int n) { return n ? 2 * power(n - 1) : 1; }
template <class V> __global__ void k(int *out)
{
    V a[lanes<V>];
    for (int i = 0; i < lanes<V>; i++)
        a[i] = (V)(threadIdx.x + i);
    __syncthreads();
    int sum = 0;
    for (V v : a)
        sum += (int)v;
    out[threadIdx.x] = sum + power(5);
}
int main()
{
    int *out = managed(2 * T);
    k<int><<<1, T>>>(out);
    k<double><<<1, T>>>(out + T);
    return check(out, 2 * T, [](int i) {
        int t = i % T;
        return (i < T ? 4 * t + 6 : 2 * t + 1) + 32;
    });
}
