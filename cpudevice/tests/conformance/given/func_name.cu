// __func__ in a kernel
#include "conformance.h"
__global__ void k(int *out)
{
    const char *f = __func__;
    out[threadIdx.x] = f[0] * 1000 + f[1];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 'k' * 1000; });
}
