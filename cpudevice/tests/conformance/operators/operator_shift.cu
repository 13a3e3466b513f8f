// operator<< that appends to its left operand, as a stream does
#include "conformance.h"

struct Sink {
    int n, sum;
};
__device__ Sink &operator<<(Sink &sink, int v)
{
    sink.n++;
    sink.sum = sink.sum * 3 + v;
    return sink;
}
__global__ void k(int *out)
{
    Sink sink{0, 0};
    sink << (int)threadIdx.x << 1;
    __syncthreads();
    sink << 2;
    __syncthreads();
    out[threadIdx.x] = sink.sum * 10 + sink.n;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return ((t * 3 + 1) * 3 + 2) * 10 + 3; });
}
