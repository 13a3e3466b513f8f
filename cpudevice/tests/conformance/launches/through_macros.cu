// launches through macros with error checks, and kernels whose names macros make
#include "conformance.h"

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e_ = (call);                                                                                       \
        if (e_ != cudaSuccess)                                                                                         \
            return 1;                                                                                                  \
    } while (0)
#define RUN(kernel, grid, block, ...)                                                                                  \
    do {                                                                                                               \
        kernel<<<(grid), (block)>>>(__VA_ARGS__);                                                                      \
        CHECK(cudaGetLastError());                                                                                     \
    } while (0)
#define ARGS(...) <<<__VA_ARGS__>>>
#define NAMED(n) kernel_##n
__global__ void NAMED(1)(int *out) { out[threadIdx.x] = 1; }
template <int n> __global__ void NAMED(2)(int *out) { out[threadIdx.x] += n; }
int main()
{
    int *out = managed(T);
    RUN(NAMED(1), 1, T, out);
    RUN(NAMED(2) < 10 >, 1, T, out);
    RUN((NAMED(2) < 100 >), dim3(1, 1), dim3(T, 1), out);
    NAMED(2)<1000> ARGS(1, T)(out);
    CHECK(cudaDeviceSynchronize());
    return check(out, T, [](int) { return 1111; });
}
