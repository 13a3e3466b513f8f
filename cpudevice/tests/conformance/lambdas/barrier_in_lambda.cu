// barriers in lambdas: called at once, by name, twice, and one that returns a value
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = threadIdx.x;
    [&] {
        s[threadIdx.x] = v;
        __syncthreads();
    }();
    auto turn = [&](int by) {
        int r = s[(threadIdx.x + by) % T];
        __syncthreads();
        return r;
    };
    v = turn(1) * 100 + turn(2);
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) % T * 100 + (t + 2) % T; });
}
