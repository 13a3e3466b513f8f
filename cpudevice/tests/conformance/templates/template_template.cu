// a template template parameter and a default template argument
#include "conformance.h"

template <class V> struct Box {
    V v;
    __device__ V get() const { return v; }
};
template <class V> struct Twice {
    V v;
    __device__ V get() const { return v + v; }
};
template <class V, template <class> class Holder = Box> __device__ V through(V v)
{
    Holder<V> h{v};
    return h.get();
}
__global__ void k(int *out)
{
    int v = through((int)threadIdx.x) + through<int, Twice>(100);
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 200; });
}
