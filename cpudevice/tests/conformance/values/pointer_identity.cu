// the address of a local stays the same across barriers
#include "conformance.h"

__global__ void k(int *out)
{
    int v = threadIdx.x, a[3] = {1, 2, 3};
    int *p = &v, *q = a + 1;
    size_t number = (size_t)&v;
    __syncthreads();
    int same = (p == &v) + 2 * (q == &a[1]) + 4 * (number == (size_t)p);
    *p = 5, q[1] = 10;
    __syncthreads();
    out[threadIdx.x] = same * 1000 + v + a[2];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 7015; });
}
