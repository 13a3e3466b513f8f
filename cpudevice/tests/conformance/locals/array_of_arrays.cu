// a local array of arrays, filled on one side of a barrier and read on the other
#include "conformance.h"

__global__ void k(int *out)
{
    int a[2][3];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = threadIdx.x + 10 * i + j;
    __syncthreads();
    int *row = a[1];
    __syncthreads();
    out[threadIdx.x] = row[2] * 1000 + a[0][1];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 12) * 1000 + t + 1; });
}
