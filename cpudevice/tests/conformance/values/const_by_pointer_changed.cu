// a const computed from a variable that a pointer changes later
#include "conformance.h"

__global__ void k(int *out, int n)
{
    int v = n;
    int *p = &v;
    const int before = v + 1;
    *p = threadIdx.x;
    __syncthreads();
    const int after = v + 1;
    *p += 1000;
    __syncthreads();
    out[threadIdx.x] = before * 100000 + after * 10 + (v >= 1000);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 6);
    return check(out, T, [](int t) { return 700000 + (t + 1) * 10 + 1; });
}
