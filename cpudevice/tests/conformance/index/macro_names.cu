// index expressions in macros, with threadIdx pasted together
#include "conformance.h"

#define AXIS(axis) (blockIdx.axis * blockDim.axis + threadIdx.axis)
#define BUILTIN(what) what##Idx
#define LINEAR (AXIS(y) * (gridDim.x * blockDim.x) + AXIS(x))
__global__ void k(int *out) { out[LINEAR] = AXIS(x) * 100 + BUILTIN(thread).y * 10 + BUILTIN(block).x; }
int main()
{
    int *out = managed(8 * 6);
    k<<<dim3(2, 2), dim3(4, 3)>>>(out);
    return check(out, 48, [](int i) {
        int x = i % 8, y = i / 8;
        return x * 100 + y % 3 * 10 + x / 4;
    });
}
