// constant expressions stay constant: array bounds, template arguments, case labels, enumerators, static_assert; two
// template arguments that end together are no shift
#include "conformance.h"

template <int n> struct Number {
    static constexpr int value = n;
};
template <class A> struct Box {
    A a;
};
enum { ALL = 100, SOME = 7 };
template <int n> __device__ int sized()
{
    int a[n / SOME + (n >> 1) % 5 + 1];
    static_assert(sizeof a / sizeof *a == n / SOME + n / 2 % 5 + 1, "");
    enum Local { HALF = n / 2, TWICE = n << 1 };
    constexpr int third = n / 3, shifted = 1 << third % 5;
    for (int i = 0; i < n / SOME + 1; i++)
        a[i] = i;
    return a[n / SOME] + HALF + TWICE + shifted + Number<n / 3>::value + Number<(n >> 2)>::value + Number<n % 8>().value;
}
__global__ void k(int *out)
{
    Box<Box<int>> twice = {{3}};
    Box<Box<Box<float>>> thrice{{{2.5f}}};
    __shared__ int s[ALL / SOME];
    if (threadIdx.x < ALL / SOME)
        s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int v = 0;
    switch (threadIdx.x % 16) {
    case ALL / 50: v = 1; break;
    case 1 << 3: v = 2; break;
    case ALL % 16: v = 4; break;
    default: v = 8;
    }
    int n = threadIdx.x;
    bool less = n<5 && 3> n >> 1;
    out[threadIdx.x] = sized<20>() + sized<35>() + s[threadIdx.x % (ALL / SOME)] + v * 1000 + twice.a.a +
                       static_cast<Box<Box<int>>>(twice).a.a + (int)thrice.a.a.a + less;
}
static int want_sized(int n) { return n / 7 + n / 2 + 2 * n + (1 << n / 3 % 5) + n / 3 + n / 4 + n % 8; }
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int m = t % 16, v = m == 2 ? 1 : m == 8 ? 2 : m == 4 ? 4 : 8;
        return want_sized(20) + want_sized(35) + t % 14 + v * 1000 + 3 + 3 + 2 + (t < 5 && 3 > t / 2);
    });
}
