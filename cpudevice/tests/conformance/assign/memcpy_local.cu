// memcpy and memset write locals
#include "conformance.h"

__global__ void k(int *out, const int *in)
{
    int v[4];
    memset(v, 0, sizeof v);
    memcpy(&v[1], in + threadIdx.x, 2 * sizeof(int));
    __syncthreads();
    int w;
    memcpy(&w, v + 2, sizeof w);
    __syncthreads();
    out[threadIdx.x] = v[0] + v[1] * 1000 + w + v[3];
}
int main()
{
    int *out = managed(T), *in = managed(T + 1);
    for (int i = 0; i <= T; i++)
        in[i] = 2 * i + 1;
    k<<<1, T>>>(out, in);
    return check(out, T, [](int t) { return (2 * t + 1) * 1000 + 2 * t + 3; });
}
