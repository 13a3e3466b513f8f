// a loop's bound is loaded from shared memory that one thread filled
#include "conformance.h"

__global__ void k(int *out, const int *in)
{
    __shared__ int n, s[T];
    if (threadIdx.x == 0)
        n = in[blockIdx.x];
    __syncthreads();
    int v = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + 1) % T];
        __syncthreads();
    }
    if (n == 2) {
        __syncthreads();
        v += 1000;
    }
    out[blockIdx.x * T + threadIdx.x] = v;
}
int main()
{
    int *out = managed(3 * T), *in = managed(3);
    in[0] = 0, in[1] = 5, in[2] = 2;
    k<<<3, T>>>(out, in);
    return check(out, 3 * T, [](int i) {
        int rounds[3] = {0, 5, 2}, r = rounds[i / T];
        return (i % T + r) % T + (r == 2 ? 1000 : 0);
    });
}
