// temporaries that a reference keeps alive across a barrier
#include "conformance.h"

struct Box {
    int v;
    __device__ Box(int v) : v(v) {}
};
__device__ Box make(int v) { return Box(v); }
__global__ void k(int *out)
{
    const Box &box = make(threadIdx.x);
    Box &&other = Box(7);
    int &&number = threadIdx.x * 3;
    __syncthreads();
    other.v += box.v;
    number++;
    __syncthreads();
    out[threadIdx.x] = box.v + other.v * 1000 + number;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + (7 + t) * 1000 + 3 * t + 1; });
}
