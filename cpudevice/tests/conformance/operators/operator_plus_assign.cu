// an overloaded compound assignment outside of the class
#include "conformance.h"

struct Money {
    int cents;
};
__device__ Money &operator+=(Money &a, const Money &b)
{
    a.cents += b.cents;
    return a;
}
__global__ void k(int *out)
{
    __shared__ Money s[T];
    Money total{0};
    s[threadIdx.x].cents = threadIdx.x + 1;
    __syncthreads();
    for (int i = 0; i <= threadIdx.x; i++)
        total += s[i];
    __syncthreads();
    out[threadIdx.x] = total.cents;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) * (t + 2) / 2; });
}
