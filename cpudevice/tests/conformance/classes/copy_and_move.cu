// user-written copy and move: how often each is called
#include "conformance.h"

struct Counted {
    int copies = 0, moves = 0;
    Counted() = default;
    __device__ Counted(const Counted &o) : copies(o.copies + 1), moves(o.moves) {}
    __device__ Counted(Counted &&o) : copies(o.copies), moves(o.moves + 1) {}
    __device__ Counted &operator=(const Counted &o)
    {
        copies = o.copies + 10, moves = o.moves;
        return *this;
    }
};
__device__ int take(Counted c) { return c.copies * 100 + c.moves; }
__global__ void k(int *out)
{
    Counted a, b = a, c(static_cast<Counted &&>(b));
    __syncthreads();
    a = c;
    int r = take(a) + take(static_cast<Counted &&>(c)) * 10000;
    __syncthreads();
    out[threadIdx.x] = r + threadIdx.x;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 1201 + 102 * 10000 + t; });
}
