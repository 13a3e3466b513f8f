// a member changed through a pointer to member
#include "conformance.h"

struct P {
    int x, y;
};
__global__ void k(int *out)
{
    P p{1, 2};
    int P::*which = threadIdx.x & 1 ? &P::x : &P::y;
    p.*which = threadIdx.x;
    __syncthreads();
    P *q = &p;
    q->*which += 1000;
    __syncthreads();
    out[threadIdx.x] = p.x * 10000 + p.y;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t % 2 ? (t + 1000) * 10000 + 2 : 10000 + t + 1000; });
}
