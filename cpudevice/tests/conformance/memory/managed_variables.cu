// __managed__ variables are read and written on both sides
#include "conformance.h"

__managed__ int total = 10, list[T];
__device__ __managed__ struct {
    int a, b;
} pair = {1, 2};
__global__ void k(int n)
{
    list[threadIdx.x] += threadIdx.x * n;
    atomicAdd(&total, 1);
    if (threadIdx.x == 0)
        pair.b += pair.a;
}
int main()
{
    int *out = managed(T + 2);
    for (int i = 0; i < T; i++)
        list[i] = 1000;
    pair.a = 40;
    k<<<1, T>>>(3);
    cudaDeviceSynchronize();
    for (int i = 0; i < T; i++)
        out[i] = list[i];
    out[T] = total, out[T + 1] = pair.b;
    return check(out, T + 2, [](int i) { return i < T ? 1000 + 3 * i : i == T ? 10 + T : 42; });
}
