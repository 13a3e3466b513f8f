// a histogram in shared memory, added to a global one
#include "conformance.h"

__global__ void k(unsigned *out, const unsigned char *in, int n)
{
    __shared__ unsigned bins[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(bins + in[i], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (bins[i])
            atomicAdd(&out[i], bins[i]);
}
int main()
{
    unsigned *out = managed<unsigned>(256), want[256] = {0};
    unsigned char *in = managed<unsigned char>(5000);
    for (int i = 0; i < 256; i++)
        out[i] = 0;
    for (int i = 0; i < 5000; i++)
        in[i] = (unsigned char)(i * i / 7), want[in[i]]++;
    k<<<5, 96>>>(out, in, 5000);
    return check(out, 256, [&](int i) { return want[i]; });
}
