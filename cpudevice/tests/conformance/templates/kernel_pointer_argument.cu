// the address of an instance of a kernel template is passed to a function template that launches it
#include "conformance.h"

template <int by> __global__ void times(int *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] *= by;
}
template <class K, class... A> void launch(K kernel, int block, A... a) { kernel<<<1, block>>>(a...); }
int main()
{
    int *out = managed(T);
    for (int i = 0; i < T; i++)
        out[i] = i;
    launch(times<3>, T, out, 40);
    void (*p)(int *, int) = &times<5>;
    launch(p, 32, out, 100);
    return check(out, T, [](int i) { return i * (i < 40 ? 3 : 1) * (i < 32 ? 5 : 1); });
}
