// typename and template before dependent names, with >> at the end
#include "conformance.h"

template <class V> struct Traits {
    typedef V value;
    enum { size = sizeof(V) };
    template <int N> struct Array {
        V e[N];
    };
};
template <class Tr> __global__ void k(typename Tr::value *out)
{
    typename Tr::template Array<3> a;
    typedef typename Tr::value V;
    a.e[1] = (V)threadIdx.x;
    __syncthreads();
    Traits<Traits<V>> nested;
    (void)nested;
    out[threadIdx.x] = a.e[1] * Tr::size;
}
int main()
{
    int *out = managed(T);
    k<Traits<int>><<<1, T>>>(out);
    return check(out, T, [](int t) { return 4 * t; });
}
