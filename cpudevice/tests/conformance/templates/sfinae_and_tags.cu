// overloads chosen by tag, by enable_if and by decltype
#include <type_traits>
#include "conformance.h"

template <class V> __device__ std::enable_if_t<std::is_integral<V>::value, int> kind(V) { return 1; }
template <class V> __device__ std::enable_if_t<!std::is_integral<V>::value, int> kind(V) { return 2; }
template <class V> __device__ auto size(const V &v, int) -> decltype(v.size()) { return v.size(); }
template <class V> __device__ int size(const V &, long) { return -1; }
struct Sized {
    __device__ int size() const { return threadIdx.x; }
};
__global__ void k(int *out)
{
    int v = kind(1) + kind(1.0f) * 10 + size(1, 0) + size(Sized(), 0) * 1000;
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 1 + 20 - 1 + 1000 * t; });
}
