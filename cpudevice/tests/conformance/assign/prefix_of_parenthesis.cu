// increments of parenthesised names, of a dereferenced address, and twice over
#include "conformance.h"

__global__ void k(int *out)
{
    int a = threadIdx.x, b = 5, c = 0;
    ++(a);
    (b)--;
    ++ ++c;
    __syncthreads();
    ++*&a;
    (((b))) -= 2;
    (c)++;
    __syncthreads();
    out[threadIdx.x] = a * 10000 + b * 100 + c;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 2) * 10000 + 2 * 100 + 3; });
}
