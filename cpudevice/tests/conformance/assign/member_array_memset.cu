// a library function changes an array in a struct behind a cast
#include "conformance.h"
#include <cstring>
struct S {
    int a[4];
    int n;
};
__global__ void k(S p, int *out)
{
    __syncthreads();
    if (threadIdx.x % 2)
        memset((void *)p.a, 0, 8);
    __syncthreads();
    out[threadIdx.x] = p.a[0] + 10 * p.a[1] + 100 * p.a[2];
}
int main()
{
    int *out = managed(T);
    S s = {{1, 2, 3, 4}, 5};
    k<<<1, T>>>(s, out);
    return check(out, T, [](int t) { return t % 2 ? 300 : 321; });
}
