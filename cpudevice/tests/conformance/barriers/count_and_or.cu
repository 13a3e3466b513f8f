// __syncthreads_count, _and and _or with thread-dependent predicates, in expressions
#include "conformance.h"

__global__ void k(int *out, int n)
{
    int c = __syncthreads_count(threadIdx.x % 3 == 0);
    int all = __syncthreads_and((int)threadIdx.x < n), any = __syncthreads_or(threadIdx.x == 5) ? 1 : 0;
    int v = c * 100 + (all != 0) * 10 + any + __syncthreads_count(1);
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(2 * T);
    k<<<1, T>>>(out, T);
    k<<<1, T>>>(out + T, T - 1);
    return check(out, 2 * T, [](int i) { return (T + 2) / 3 * 100 + (i < T ? 10 : 0) + 1 + T; });
}
