// an array in a struct is changed through a pointer that a cast made of it
#include "conformance.h"
struct S {
    int a[4];
    int n;
};
__global__ void k(S p, int *out)
{
    S s = p;
    int *q = (int *)s.a;
    __syncthreads();
    q[threadIdx.x % 4] += threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s.a[0] + 10 * s.a[1] + 100 * s.a[2] + 1000 * s.a[3];
}
int main()
{
    int *out = managed(T);
    S s = {{1, 2, 3, 4}, 5};
    k<<<1, T>>>(s, out);
    return check(out, T, [](int t) {
        int a[4] = {1, 2, 3, 4};
        a[t % 4] += t;
        return a[0] + 10 * a[1] + 100 * a[2] + 1000 * a[3];
    });
}
