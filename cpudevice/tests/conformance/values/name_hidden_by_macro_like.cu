// an inner declaration hides the name that a const's initialiser used
#include "conformance.h"

__global__ void k(int *out, int width)
{
    const int row = width * threadIdx.x;
    __syncthreads();
    for (int width = 2; width < 4; width++) {
        const int other = row + width;
        __syncthreads();
        out[threadIdx.x + (width - 2) * T] = other;
    }
}
int main()
{
    int *out = managed(2 * T);
    k<<<1, T>>>(out, 10);
    return check(out, 2 * T, [](int i) { return i % T * 10 + 2 + i / T; });
}
