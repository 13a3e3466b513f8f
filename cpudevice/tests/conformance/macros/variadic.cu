// variadic macros with __VA_OPT__-free tricks and commas in arguments
#include "conformance.h"

#define CALL(f, ...) f(__VA_ARGS__)
#define FIRST(a, ...) a
#define COUNT_(a, b, c, n, ...) n
#define COUNT(...) COUNT_(__VA_ARGS__, 3, 2, 1, 0)
#define IN_PARENS(...) __VA_ARGS__
template <class A, class B> __device__ int sizes() { return sizeof(A) * 10 + sizeof(B); }
__device__ int sub(int a, int b) { return a - b; }
__global__ void k(int *out)
{
    int v = CALL(sub, (int)threadIdx.x, 3);
    CALL(__syncthreads, );
    v += COUNT(1, 2) * 1000 + FIRST(5, 6, 7) + IN_PARENS(sizes<int, char>)();
    CALL(__syncthreads);
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t - 3 + 2000 + 5 + 41; });
}
