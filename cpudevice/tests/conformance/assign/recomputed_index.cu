// an index computed from threadIdx is changed in ways that do not look like an assignment
#include "conformance.h"

struct By {
    int n;
};
__device__ int &operator-(int &v, By by) { return v += by.n; }
__global__ void k(int *out)
{
    __shared__ int s[T];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    t - By{1};
    __syncthreads();
    s[(t - 1)] += 10;
    __syncthreads();
    out[threadIdx.x] = t * 1000 + s[threadIdx.x];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) * 1000 + t + 10; });
}
