// thread-dependent condition that does not look it: a struct parameter's conversion
#include "conformance.h"
struct First {
    int n;
    __device__ operator bool() const { return threadIdx.x < n; }
};
__global__ void k(int *out, First first)
{
    __shared__ int s[T];
    s[threadIdx.x] = 0;
    __syncthreads();
    int r = 0;
    if (first) {
        s[threadIdx.x] = 1;
        r = 1;
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] * 10 + r;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, First{10});
    return check(out, T, [](int t) { return t < 10 ? 11 : 0; });
}
