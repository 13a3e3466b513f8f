// non-type parameters: sizes, flags, enumerators, pointers to functions
#include "conformance.h"

enum class Op { add, mul };
__device__ int inc(int v) { return v + 1; }
template <int N, Op op, bool twice, int (*f)(int)> __global__ void k(int *out)
{
    __shared__ int s[N];
    int v = op == Op::add ? 0 : 1;
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        s[i] = i % 3 + 1;
    __syncthreads();
    for (int i = 0; i < N; i++)
        v = op == Op::add ? v + s[i] : v * s[i];
    if (twice)
        v *= 2;
    out[threadIdx.x] = f(v);
}
int main()
{
    int *out = managed(2 * T);
    k<100, Op::add, true, inc><<<1, T>>>(out);
    k<7, Op::mul, false, inc><<<1, T>>>(out + T);
    return check(out, 2 * T, [](int i) { return i < T ? (33 * 6 + 1) * 2 + 1 : 36 + 1; });
}
