// trailing and deduced return types, noexcept, constexpr, and attributes on functions
#include "conformance.h"

__device__ auto plus(int a, int b) -> int { return a + b; }
__device__ auto half(int a) noexcept { return a / 2.0f; }
[[nodiscard]] __device__ constexpr int three() { return 3; }
__device__ __forceinline__ decltype(auto) first(int *s) { return (s[0]); }
inline __device__ int minus(const int a, const int b) noexcept(true) { return a - b; }
__global__ void k(int *out)
{
    __shared__ int s[T];
    s[threadIdx.x] = plus(threadIdx.x, three());
    __syncthreads();
    if (threadIdx.x == 9)
        first(s) += 1000;
    __syncthreads();
    out[threadIdx.x] = minus(first(s), s[threadIdx.x]) * 2 + (int)(half(threadIdx.x) * 2);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t == 0 ? 0 : (1003 - t - 3) * 2 + t; });
}
