// lambdas as arguments of calls, in initialisers, in conditions and in a return
#include "conformance.h"

template <class F> __device__ int apply(F f, int v) { return f(v) + f(v + 1); }
__device__ int last(int v)
{
    return [=] { return v * 2; }();
}
__global__ void k(int *out)
{
    int hits = 0;
    const int v = [&] {
        hits++;
        return (int)threadIdx.x;
    }();
    __syncthreads();
    int w = apply(
        [&hits, v](int x) {
            hits += 10;
            return x + v;
        },
        5);
    if ([=] { return v > 30; }())
        w += 1000;
    __syncthreads();
    out[threadIdx.x] = w * 100 + hits + last(v) * 0;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (11 + 2 * t + (t > 30 ? 1000 : 0)) * 100 + 21; });
}
