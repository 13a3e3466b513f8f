// __constant__ scalars, arrays and structs, indexed by thread, by address of the symbol
#include "conformance.h"

struct Weights {
    float w[3];
    int shift;
};
__constant__ int numbers[T];
__constant__ Weights weights = {{1, 2, 3}, 1};
__constant__ float scale = 0.5f;
__device__ float weigh(const Weights &w, int i) { return w.w[i % 3]; }
__global__ void k(float *out)
{
    __shared__ float s[T];
    s[threadIdx.x] = numbers[threadIdx.x] * scale;
    __syncthreads();
    out[threadIdx.x] = s[T - 1 - threadIdx.x] + weigh(weights, threadIdx.x) * 1000 + (1 << weights.shift) * 10000;
}
int main()
{
    float *out = managed<float>(T), two = 2;
    int host[T];
    for (int i = 0; i < T; i++)
        host[i] = i * i;
    cudaMemcpyToSymbol(numbers, host, sizeof host);
    void *address;
    cudaGetSymbolAddress(&address, scale);
    cudaMemcpy(address, &two, sizeof two, cudaMemcpyHostToDevice);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int o = T - 1 - t;
        return 2 * o * o + (t % 3 + 1) * 1000 + 20000;
    });
}
