// decltype, sizeof and deduction of shared variables: the variable's own type
#include "conformance.h"
#include <type_traits>

template <class A, int N> __device__ int length(A (&)[N]) { return N; }
struct Pair {
    int a, b;
};
__global__ void k(int *out)
{
    __shared__ int s[T], one;
    __shared__ Pair pairs[2][3];
    static_assert(std::is_same<decltype(s), int[T]>::value, "an array");
    static_assert(std::is_same<decltype(one), int>::value, "a number");
    static_assert(std::is_same<decltype((one)), int &>::value, "an lvalue");
    static_assert(std::is_same<decltype(pairs), Pair[2][3]>::value, "an array of arrays");
    static_assert(sizeof(s) == T * sizeof(int) && sizeof one == sizeof(int) && sizeof pairs == 48, "sizes");
    int t = threadIdx.x;
    decltype(s) mine;
    decltype(one) two = 2;
    decltype(pairs[0][0].a) three;
    for (int i = 0; i < T; i++)
        mine[i] = i;
    s[t] = mine[T - 1 - t];
    if (!t)
        one = two, pairs[1][2] = {4, 5};
    __syncthreads();
    three = one;
    out[t] = s[(t + 1) % T] + length(s) + three + pairs[1][2].b;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return T - 1 - (t + 1) % T + T + 2 + 5; });
}
