// a struct's & by value does not copy what the unary & takes the address of
#include "conformance.h"

struct Bits {
    unsigned v;
};
struct Pair {
    unsigned x, y;
};
__device__ Bits operator&(Bits a, Bits b) { return Bits{a.v & b.v}; }
__global__ void k(int *out)
{
    __shared__ Bits s[T];
    Pair pair = {threadIdx.x, 7};
    unsigned other = 100;
    s[threadIdx.x] = Bits{threadIdx.x | 64};
    __syncthreads();
    unsigned *place[] = {&other, &pair.x};
    *place[(s[threadIdx.x] & Bits{1}).v] += 5;
    Bits *mine = &s[threadIdx.x];
    mine->v += 64;
    out[threadIdx.x] = (int)(other * 1000 + pair.x * 10 + s[threadIdx.x].v / 64);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t % 2 ? 100000 + (t + 5) * 10 + 2 : 105000 + t * 10 + 2; });
}
