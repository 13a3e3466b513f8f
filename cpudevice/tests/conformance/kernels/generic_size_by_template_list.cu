// one kernel template instantiated with many types, each with a barrier
#include "conformance.h"

template <class V> __global__ void k(V *out, V by)
{
    __shared__ V s[T];
    s[threadIdx.x] = (V)(threadIdx.x % 10) * by;
    __syncthreads();
    V v = s[T - 1 - threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = v;
}
template <class V> static void run(int *sums, int i)
{
    V *out = managed<V>(T);
    k<V><<<1, T>>>(out, (V)3);
    cudaDeviceSynchronize();
    sums[i] = 0;
    for (int t = 0; t < T; t++)
        sums[i] += (int)out[t] * (t % 5 + 1);
}
int main()
{
    int *sums = managed(9), want = 0;
    run<char>(sums, 0), run<unsigned char>(sums, 1), run<short>(sums, 2), run<unsigned>(sums, 3), run<long>(sums, 4);
    run<unsigned long long>(sums, 5), run<float>(sums, 6), run<double>(sums, 7), run<int>(sums, 8);
    for (int t = 0; t < T; t++)
        want += (T - 1 - t) % 10 * 3 * (t % 5 + 1);
    return check(sums, 9, [=](int) { return want; });
}
