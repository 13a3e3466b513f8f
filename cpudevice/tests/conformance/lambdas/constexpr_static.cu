// lambdas in a constant expression, with a static_assert and with a named return type
#include "conformance.h"

__global__ void k(int *out)
{
    constexpr auto square = [](int x) constexpr { return x * x; };
    static_assert(square(3) == 9, "computed while compiling");
    int a[square(2)];
    for (int i = 0; i < 4; i++)
        a[i] = square(i) + threadIdx.x;
    __syncthreads();
    auto narrow = [](int x) -> signed char { return x; };
    out[threadIdx.x] = a[3] * 1000 + narrow(200 + threadIdx.x % 2);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (9 + t) * 1000 + (t % 2 ? -55 : -56); });
}
