// a conversion template asks for threadIdx
#include "conformance.h"

struct Any {
    template <class V> __device__ operator V() const { return (V)(threadIdx.x * 2); }
};
__device__ int take(short s) { return s + 1; }
__global__ void k(int *out, Any any)
{
    int v = any;
    float f = any;
    __syncthreads();
    out[threadIdx.x] = v + (int)f * 1000 + take(any);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, Any());
    return check(out, T, [](int t) { return 2 * t + 2000 * t + 2 * t + 1; });
}
