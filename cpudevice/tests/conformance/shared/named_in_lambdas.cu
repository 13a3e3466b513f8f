// shared arrays by name in [=], [&] and [] lambdas, in lambdas in lambdas, and hidden by their parameters and locals
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T], one;
    int t = threadIdx.x;
    s[t] = 1;
    if (!t)
        one = 1;
    auto copy = [=] { return s[t] + one; };
    auto reference = [&] { return s[t] * 10 + one; };
    auto none = [](int i) { return s[i] * 100 + one; };
    auto within = [=] { return [=](int i) { return s[i] * 1000; }(t); };
    auto parameter = [=](int *s) { return s[0]; };
    auto local = [=] {
        int s[2] = {5, 6};
        return s[1] + one;
    };
    auto stores = [](int i, int v) { s[i] = v; };
    __syncthreads();
    stores(t, t + 1);
    if (!t)
        one = 2;
    __syncthreads();
    int mine = 7;
    out[t] = copy() + reference() + none(t) + within() + parameter(&mine) + local() +
             [=](int i) mutable -> int { return s[i]; }((t + 1) % T);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int s = t + 1, one = 2;
        return s + one + s * 10 + one + s * 100 + one + s * 1000 + 7 + 6 + one + ((t + 1) % T + 1);
    });
}
