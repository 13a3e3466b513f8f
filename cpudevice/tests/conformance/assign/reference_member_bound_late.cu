// a class that keeps a reference to a local and changes it in its destructor
#include "conformance.h"

struct Guard {
    int &v;
    __device__ explicit Guard(int &v) : v(v) { v += 1; }
    __device__ ~Guard() { v *= 10; }
};
__global__ void k(int *out)
{
    int v = threadIdx.x;
    {
        Guard guard(v);
        __syncthreads();
        v += 2;
    }
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 3) * 10; });
}
