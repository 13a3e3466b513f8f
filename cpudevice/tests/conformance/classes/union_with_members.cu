// a union with methods and a tag, as a variant
#include "conformance.h"

struct Variant {
    enum { is_int, is_float } tag;
    union {
        int i;
        float f;
    };
    __device__ Variant(int v) : tag(is_int), i(v) {}
    __device__ Variant(float v) : tag(is_float), f(v) {}
    __device__ int get() const { return tag == is_int ? i : (int)(f * 2); }
};
__global__ void k(int *out)
{
    Variant v = threadIdx.x % 2 ? Variant((int)threadIdx.x) : Variant(threadIdx.x * 0.5f);
    __syncthreads();
    if (v.tag == Variant::is_int)
        v = Variant(100.5f);
    __syncthreads();
    out[threadIdx.x] = v.get();
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t % 2 ? 201 : t; });
}
