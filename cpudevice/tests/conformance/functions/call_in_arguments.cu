// calls with barriers as arguments of calls, in a return and as an operand
#include "conformance.h"

__device__ int turn(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    int r = s[(threadIdx.x + 1) % T];
    __syncthreads();
    return r;
}
__device__ int twice(int *s, int v) { return turn(s, turn(s, v)); }
__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = twice(s, threadIdx.x) * 1000 + turn(s, twice(s, turn(s, threadIdx.x)));
    if (turn(s, 1) == 1 && (twice(s, 2), true))
        v++;
    out[turn(s, threadIdx.x)] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int i) {
        int t = (i + T - 1) % T;
        return (t + 2) % T * 1000 + (t + 4) % T + 1;
    });
}
