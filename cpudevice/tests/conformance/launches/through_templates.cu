// launches in templates: dependent kernels, dependent sizes, forwarded packs
#include "conformance.h"

template <int block, class V> __global__ void fill(V *out, V v, int n)
{
    int i = blockIdx.x * block + threadIdx.x;
    if (i < n)
        out[i] = v;
}
template <class V> struct Filler {
    template <int block> static void run(V *out, V v, int n)
    {
        fill<block, V><<<(n + block - 1) / block, block>>>(out, v, n);
    }
};
template <class F, class... A> static void forward(F *f, int grid, int block, A &&...a)
{
    f<<<grid, block>>>(static_cast<A &&>(a)...);
}
int main()
{
    int *out = managed(100);
    Filler<int>::run<32>(out, 5, 100);
    forward(fill<16, int>, 2, 16, out + 10, 7, 20);
    return check(out, 100, [](int i) { return i >= 10 && i < 30 ? 7 : 5; });
}
