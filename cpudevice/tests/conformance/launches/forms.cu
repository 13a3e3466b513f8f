// launches with one to four arguments between <<< and >>>, of several types
#include "conformance.h"

__global__ void k(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = blockDim.x * 1000 + gridDim.x; }
int main()
{
    int *out = managed(8 * T);
    const unsigned long n = 2;
    dim3 block(16, 1);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    k<<<n, 32>>>(out);
    k<<<dim3(n), T / 2, 128>>>(out + T);
    k<<<(unsigned char)4, block, 0, stream>>>(out + 2 * T);
    k<<<{2, 1, 1}, {32, 1}, 16 * sizeof(int), 0>>>(out + 3 * T);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return check(out, 4 * T, [](int i) { return i / T == 2 ? 16004 : 32002; });
}
