// a function with a loop round its barrier, called in a loop of the kernel
#include "conformance.h"

__device__ void rotate(int *s, int &v, int by)
{
    for (int i = 0; i < by; i++) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
    }
}
__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        rotate(s, v, i);
        v += 100;
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 6) % T + 400; });
}
