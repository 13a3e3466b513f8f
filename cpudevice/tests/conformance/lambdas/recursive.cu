// a lambda that is given itself, and one that returns a lambda
#include "conformance.h"

__global__ void k(int *out)
{
    auto factorial = [](auto self, int n) -> int { return n < 2 ? 1 : n * self(self, n - 1); };
    auto adder = [](int a) { return [a](int b) { return a + b; }; };
    int v = factorial(factorial, threadIdx.x % 8);
    __syncthreads();
    out[threadIdx.x] = adder(v)(1000);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int f = 1;
        for (int i = 2; i <= t % 8; i++)
            f *= i;
        return f + 1000;
    });
}
