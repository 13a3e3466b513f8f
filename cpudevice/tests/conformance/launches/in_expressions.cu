// launches in comma expressions, conditional expressions, lambdas and returns
#include "conformance.h"

__global__ void add(int *out, int n) { atomicAdd(&out[threadIdx.x], n); }
static void launch(int *out) { return add<<<1, T>>>(out, 1); }
int main()
{
    int *out = managed(T), n = 0;
    for (int t = 0; t < T; t++)
        out[t] = 0;
    launch(out);
    n = 5, add<<<1, T>>>(out, n * 2), n = 6;
    n > 5 ? add<<<1, T>>>(out, 100) : add<<<1, T>>>(out, 200);
    n < 5 || (add<<<1, T>>>(out, 1000), true);
    auto f = [=](int by) { add<<<1, T>>>(out, by); };
    f(10000);
    [&] { add<<<1, T>>>(out, 20000); }();
    for (int i = 0; i < 2; add<<<1, T>>>(out, 100000), i++)
        ;
    return check(out, T, [](int) { return 1 + 10 + 100 + 1000 + 30000 + 200000; });
}
