// a reference to const, cast back, to a variable that is not const
#include "conformance.h"

__global__ void k(int *out)
{
    int v = threadIdx.x;
    const int &look = v;
    __syncthreads();
    const_cast<int &>(look) = v + 9;
    __syncthreads();
    *const_cast<int *>(&look) *= 2;
    __syncthreads();
    out[threadIdx.x] = look;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * (t + 9); });
}
