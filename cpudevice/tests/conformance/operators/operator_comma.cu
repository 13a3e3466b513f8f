// an overloaded comma that collects values
#include "conformance.h"

struct List {
    int sum;
    __device__ List &operator,(int v)
    {
        sum += v;
        return *this;
    }
};
__global__ void k(int *out)
{
    List list{0};
    list, threadIdx.x, 1;
    __syncthreads();
    list, 10;
    __syncthreads();
    out[threadIdx.x] = list.sum;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 11; });
}
