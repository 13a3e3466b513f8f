// structs by value into and out of functions with barriers
#include "conformance.h"

struct State {
    int v[4];
    float f;
};
__device__ State next(State s, int *memory)
{
    memory[threadIdx.x] = s.v[0];
    __syncthreads();
    s.v[1] = memory[(threadIdx.x + 1) % T];
    s.f *= 2;
    __syncthreads();
    return s;
}
__global__ void k(int *out)
{
    __shared__ int memory[T];
    State a{{(int)threadIdx.x, 0, 0, 5}, 1.5f};
    State b = next(a, memory);
    out[threadIdx.x] = next(b, memory).v[1] * 100 + a.v[1] + b.v[3] + (int)b.f;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) % T * 100 + 8; });
}
