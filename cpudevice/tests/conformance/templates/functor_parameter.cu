// a functor is a template parameter of a kernel, and a policy's static function
#include "conformance.h"

struct Max {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Mod {
    int m;
    __device__ int operator()(int a, int b) const { return (a + b) % m; }
};
template <class Op> __global__ void k(int *out, const int *in, Op op)
{
    __shared__ int s[T];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int n = T / 2; n > 0; n /= 2) {
        if (threadIdx.x < n)
            s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + n]);
        __syncthreads();
    }
    out[threadIdx.x] = s[0];
}
int main()
{
    int *out = managed(2 * T), *in = managed(T), max = 0, sum = 0;
    for (int i = 0; i < T; i++)
        in[i] = i * 37 % 101, max = in[i] > max ? in[i] : max, sum += in[i];
    k<<<1, T>>>(out, in, Max());
    k<<<1, T>>>(out + T, in, Mod{97});
    return check(out, 2 * T, [=](int i) { return i < T ? max : sum % 97; });
}
