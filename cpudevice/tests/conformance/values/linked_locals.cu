// structs on a thread's stack that point to each other
#include "conformance.h"

struct Link {
    int v;
    Link *next;
};
__global__ void k(int *out)
{
    Link c = {3, nullptr}, b = {2, &c}, a = {(int)threadIdx.x, &b};
    __syncthreads();
    c.next = &a;
    Link *p = &b;
    for (int i = 0; i < 7; i++) {
        p->v += i;
        p = p->next;
        if (i % 3 == 0)
            __syncthreads();
    }
    out[threadIdx.x] = a.v * 10000 + b.v * 100 + c.v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 2 + 5) * 10000 + (2 + 0 + 3 + 6) * 100 + 3 + 1 + 4; });
}
