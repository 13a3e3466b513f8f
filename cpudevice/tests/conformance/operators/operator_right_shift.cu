// operator>> that writes its right operand
#include "conformance.h"

struct Source {
    int next;
};
__device__ Source &operator>>(Source &s, int &v)
{
    v = s.next++;
    return s;
}
__global__ void k(int *out, int base)
{
    int a = 0, b = 0;
    Source source{base + (int)threadIdx.x};
    source >> a;
    __syncthreads();
    source >> b;
    __syncthreads();
    out[threadIdx.x] = a * 1000 + b;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 3);
    return check(out, T, [](int t) { return (t + 3) * 1000 + t + 4; });
}
