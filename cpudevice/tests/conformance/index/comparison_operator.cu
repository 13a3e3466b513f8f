// an overloaded comparison with a tag asks for threadIdx, in a condition between barriers
#include "conformance.h"

struct Tag {
};
__device__ bool operator<(Tag, int n) { return (int)threadIdx.x < n; }
__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    s[threadIdx.x] = 0;
    __syncthreads();
    if (Tag() < n)
        s[threadIdx.x] = 1;
    __syncthreads();
    for (int i = 0; Tag{} < n - i; i += 10)
        s[threadIdx.x]++;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 35);
    return check(out, T, [](int t) { return (t < 35) + (t < 35) + (t < 25) + (t < 15) + (t < 5); });
}
