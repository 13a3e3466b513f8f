// macros that write the head of a kernel, its whole text and its launch
#include "conformance.h"

#define KERNEL(name, ...) __global__ void name(__VA_ARGS__)
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define MAKE(name, op)                                                                                                 \
    KERNEL(name##_kernel, int *out, int by)                                                                            \
    {                                                                                                                  \
        __shared__ int s[T];                                                                                           \
        s[threadIdx.x] = threadIdx.x op by;                                                                            \
        __syncthreads();                                                                                               \
        out[threadIdx.x] = s[T - 1 - threadIdx.x];                                                                     \
    }
MAKE(add, +)
MAKE(mul, *)
int main()
{
    int *out = managed(2 * T);
    LAUNCH(add_kernel, 1, T, out, 5);
    LAUNCH(mul_kernel, dim3(1), dim3(T), out + T, 3);
    return check(out, 2 * T, [](int i) {
        int o = T - 1 - i % T;
        return i < T ? o + 5 : o * 3;
    });
}
