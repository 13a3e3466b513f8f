// threads exchange pointers into shared memory through shared memory
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    __shared__ int *where[T];
    __shared__ const char *name;
    s[threadIdx.x] = threadIdx.x * 3;
    where[threadIdx.x] = &s[(threadIdx.x * 7) % T];
    if (threadIdx.x == T - 1)
        name = "xyz";
    __syncthreads();
    int *p = where[T - 1 - threadIdx.x];
    out[threadIdx.x] = *p * 1000 + (int)(p - s) + name[1];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int at = (T - 1 - t) * 7 % T;
        return at * 3000 + at + 'y';
    });
}
