// lambdas in lambdas that change the outermost variable, with barriers on both levels
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = 1;
    auto outer = [&](int a) {
        v += a;
        __syncthreads();
        auto inner = [&] {
            s[threadIdx.x] = v;
            __syncthreads();
            v += s[(threadIdx.x + a) % T];
        };
        inner();
        __syncthreads();
        inner();
    };
    outer(threadIdx.x * 0 + 1);
    __syncthreads();
    out[threadIdx.x] = v + threadIdx.x;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 8 + t; });
}
