// an array of pointers to other locals
#include "conformance.h"

__global__ void k(int *out)
{
    int a = 1, b = 2, c = 3;
    int *all[] = {&a, &b, &c};
    *all[threadIdx.x % 3] = threadIdx.x;
    __syncthreads();
    for (int *p : all)
        *p += 1;
    __syncthreads();
    out[threadIdx.x] = a * 10000 + b * 100 + c;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int v[3] = {2, 3, 4};
        v[t % 3] = t + 1;
        return v[0] * 10000 + v[1] * 100 + v[2];
    });
}
