// A template of functions is named as a type that a class has, and as one that a kernel has: a call of it converts nothing to
// that type, and the kernel's type converts as a GPU does
#include "conformance.h"

struct Pair {
    typedef int half;
    half first, second;
};
template <class X> __device__ X half(X x) { return x / 2; }
__global__ void k(int *out)
{
    const float x = (float)threadIdx.x;
    __syncthreads();
    const Pair p = {(int)(half(x) * 4), (int)(2 * half((double)x))};
    out[threadIdx.x] = p.first + p.second;
}
__global__ void narrow(int *out)
{
    using half = unsigned char;
    const float x = -1 - (float)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] += half(x); // 0, where x86 has 255 - threadIdx.x
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    narrow<<<1, T>>>(out);
    return check(out, T, [](int i) { return 3 * i; });
}
