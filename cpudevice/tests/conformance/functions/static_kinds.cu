// static locals of device functions and kernels: constant, of a class, a pointer to another
#include "conformance.h"
struct P { int a, b; };
__device__ int pick(int i)
{
    static const int table[4] = {3, 1, 4, 1};
    static constexpr int more[] = {5, 9};
    static P pair = {2, 6};
    static int *where = &pair.a;
    return table[i % 4] + more[i % 2] + pair.b + *where;
}
__global__ void k(int *out)
{
    static int seen;
    out[threadIdx.x] = pick(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        seen = 7;
    __syncthreads();
    out[threadIdx.x] += seen;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    const int table[] = {3, 1, 4, 1}, more[] = {5, 9};
    return check(out, T, [&](int i) { return table[i % 4] + more[i % 2] + 8 + 7; });
}
