// a view that converts to the value it shows
#include "conformance.h"
struct View {
    int *p;
    __device__ operator int() const { return *p; }
};
__global__ void k(int *out, int *p, View v)
{
    const int before = v + (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        p[0] = 99;
    __syncthreads();
    out[threadIdx.x] = before;
}
int main()
{
    int *out = managed(T), *l = managed(1);
    *l = 5;
    k<<<1, T>>>(out, l, View{l});
    return check(out, T, [](int t) { return 5 + t; });
}
