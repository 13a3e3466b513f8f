// a variable is set in the condition that tests it
#include "conformance.h"

__global__ void k(int *out, const int *in)
{
    int v = 0, w = 0;
    if ((v = in[threadIdx.x]) > 50)
        w = 1;
    __syncthreads();
    while ((v -= 20) > 0)
        w += 2;
    __syncthreads();
    if (int u = v + 20; u & 1)
        w += 1000 * u;
    __syncthreads();
    out[threadIdx.x] = v * 10 + w;
}
int main()
{
    int *out = managed(T), *in = managed(T);
    for (int i = 0; i < T; i++)
        in[i] = 7 * i % 97;
    k<<<1, T>>>(out, in);
    return check(out, T, [&](int t) {
        int v = 7 * t % 97, w = v > 50;
        for (v -= 20; v > 0; v -= 20)
            w += 2;
        if ((v + 20) % 2)
            w += 1000 * (v + 20);
        return v * 10 + w;
    });
}
