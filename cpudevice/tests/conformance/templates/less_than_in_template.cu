// comparisons and shifts among template arguments and beside launches
#include "conformance.h"

template <bool b> struct If {
    enum { value = b ? 7 : 8 };
};
template <int N> __global__ void k(int *out, int n)
{
    int v = threadIdx.x < n ? If<(N > 3)>::value : If<(3 < 2)>::value;
    __syncthreads();
    v += n >> 1 << 2;
    out[threadIdx.x] = v<N> 0 ? v : -v;
}
int main()
{
    int *out = managed(T);
    const int a = 1;
    k<(8 >> 1)><<<(a < 2), T>>>(out, a << 4);
    return check(out, T, [](int t) { return (t < 16 ? 7 : 8) + 32 < 4 ? 1 : -((t < 16 ? 7 : 8) + 32); });
}
