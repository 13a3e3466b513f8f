// declarators in parentheses, and types that are written backwards
#include "conformance.h"

__global__ void k(int *out)
{
    int(x) = threadIdx.x;
    unsigned long const long y = 5;
    int(*(p)) = &x;
    char const *const s = "abc";
    short int unsigned z(7);
    int w{x};
    __syncthreads();
    *p += (int)y;
    w += z;
    __syncthreads();
    out[threadIdx.x] = x * 1000 + w + s[1];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 5) * 1000 + t + 7 + 'b'; });
}
