// generic lambdas, with auto parameters and a pack, one with a barrier
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ float f[T];
    __shared__ int s[T];
    auto turn = [](auto *memory, auto v) {
        memory[threadIdx.x] = v;
        __syncthreads();
        return memory[T - 1 - threadIdx.x];
    };
    auto sum = [](auto... v) { return (0 + ... + (int)v); };
    int v = turn(s, (int)threadIdx.x) + (int)turn(f, threadIdx.x * 2.0f) * 1000;
    out[threadIdx.x] = sum(v, 1.5f, 'a');
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int o = T - 1 - t;
        return o + 2000 * o + 1 + 'a';
    });
}
