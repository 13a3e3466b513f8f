// arrays as parameters in their spellings, and a returned reference to one
#include "conformance.h"

__device__ int sum(int a[4], const int b[], const int (*c)[2]) { return a[0] + a[3] + b[1] + c[1][1]; }
__device__ int (&whole(int (*p)[3]))[3] { return *p; }
__global__ void k(int *out)
{
    int a[4] = {(int)threadIdx.x, 1, 2, 3}, c[2][2] = {{1, 2}, {3, 4}}, d[3] = {0, 0, 0};
    whole(&d)[1] = 5;
    int v = sum(a, a + 1, c);
    __syncthreads();
    for (int &x : whole(&d))
        v += x, x = v;
    __syncthreads();
    out[threadIdx.x] = v * 100 + d[2] - d[0];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int v = t + 3 + 2 + 4;
        return (v + 5) * 100 + 5;
    });
}
