// bytes of a union change its word
#include "conformance.h"

union Word {
    unsigned all;
    unsigned char byte[4];
};
__global__ void k(int *out)
{
    Word w;
    w.all = 0;
    w.byte[0] = threadIdx.x;
    __syncthreads();
    w.byte[2] = 3;
    __syncthreads();
    out[threadIdx.x] = w.all;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 3 * 65536; });
}
