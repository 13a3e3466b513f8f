// a closure with state lives across barriers
#include "conformance.h"

__global__ void k(int *out)
{
    int base = threadIdx.x;
    auto add = [base](int x) { return base + x; };
    auto count = [n = 0]() mutable { return ++n; };
    count();
    __syncthreads();
    base = -1;
    int a = add(10);
    __syncthreads();
    out[threadIdx.x] = a * 100 + count() + base;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 10) * 100 + 2 - 1; });
}
