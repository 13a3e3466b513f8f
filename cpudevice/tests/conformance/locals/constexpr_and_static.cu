// constexpr and static const locals, and an array with its size from them
#include "conformance.h"

__global__ void k(int *out)
{
    constexpr int n = 3;
    static const int table[n] = {5, 6, 7};
    static constexpr float half = 0.5f;
    int own[n * 2] = {};
    own[threadIdx.x % (n * 2)] = table[threadIdx.x % n];
    __syncthreads();
    int sum = 0;
    for (int v : own)
        sum += v;
    __syncthreads();
    out[threadIdx.x] = sum + (int)(half * 4);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 5 + t % 3 + 2; });
}
