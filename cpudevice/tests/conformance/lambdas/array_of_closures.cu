// closures stored in a struct and chosen by an if, and a captureless one as a function pointer
#include "conformance.h"

template <class A, class B> struct Two {
    A a;
    B b;
};
template <class A, class B> __device__ Two<A, B> two(A a, B b) { return {a, b}; }
__global__ void k(int *out)
{
    int base = threadIdx.x;
    auto both = two([base](int x) { return base + x; }, [&base](int x) { return base * x; });
    int (*plain)(int) = [](int x) { return x - 1; };
    __syncthreads();
    base += 100;
    __syncthreads();
    out[threadIdx.x] = (base & 1 ? both.a(3) : both.b(3)) + plain(1000);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t % 2 ? t + 3 : (t + 100) * 3) + 999; });
}
