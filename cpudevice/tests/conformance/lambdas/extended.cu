// extended lambdas of the host, passed to a kernel, with captures and a barrier
#include "conformance.h"

template <class F> __global__ void each(F f, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f(i);
}
template <class F> __global__ void whole(F f) { f(); }
int main()
{
    int *out = managed(2 * T), by = 7, from = 100;
    each<<<2, 40>>>([=] __device__(int i) { return i * by + from; }, out, T);
    by = 1000;
    whole<<<1, T>>>([out] __device__() {
        __shared__ int s[T];
        s[threadIdx.x] = threadIdx.x;
        __syncthreads();
        out[T + threadIdx.x] = s[T - 1 - threadIdx.x];
    });
    return check(out, 2 * T, [](int i) { return i < T ? 7 * i + 100 : T - 1 - i % T; });
}
