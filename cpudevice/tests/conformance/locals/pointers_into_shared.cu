// pointers into shared memory live across barriers
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[2 * T];
    int *mine = s + 2 * threadIdx.x, *const end = mine + 2;
    for (int *p = mine; p != end; p++)
        *p = p - s;
    __syncthreads();
    const int *other = &s[2 * T - 2] - 2 * threadIdx.x;
    __syncthreads();
    mine[0] = 0;
    out[threadIdx.x] = end[-1];
    __syncthreads();
    out[threadIdx.x] += other[0] + other[1];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * t + 1 + 2 * (T - 1 - t) + 1; });
}
