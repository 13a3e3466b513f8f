// overloaded kernels of a template, with the launch's types deduced
#include "conformance.h"
template <class V> __global__ void put(V *out, V v) { out[threadIdx.x] = v + 1; }
template <class V, int n> __global__ void put(V *out, V (*)[n]) { out[threadIdx.x] = n + threadIdx.x; }
__global__ void put(int *out, char c) { out[threadIdx.x] = c; }
int main()
{
    int *out = managed(4 * T);
    put<<<1, T>>>(out, 7);
    put<<<1, T>>>(out + T, (int(*)[5]) nullptr);
    put<<<1, T>>>(out + 2 * T, 'x');
    put<int><<<1, T>>>(out + 3 * T, 'x');
    return check(out, 4 * T, [](int i) {
        int t = i % T;
        return i < T ? 8 : i < 2 * T ? 5 + t : i < 3 * T ? 'x' : 'y';
    });
}
