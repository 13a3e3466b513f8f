// a loop whose counter is advanced by a function, beside the uniform one with the barrier
#include "conformance.h"

__device__ void advance(int &i, int by) { i += by; }
__global__ void k(int *out)
{
    __shared__ int s[T];
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        s[threadIdx.x] = threadIdx.x + round;
        __syncthreads();
        for (int i = 0; i < T; advance(i, threadIdx.x + 1))
            sum += s[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int sum = 0;
        for (int i = 0; i < T; i += t + 1)
            sum += 3 * i + 3;
        return sum;
    });
}
