// operator-> and operator* of a handle that finds this thread's element
#include "conformance.h"

struct Item {
    int v;
};
struct Mine {
    Item *all;
    __device__ Item *operator->() const { return all + threadIdx.x; }
    __device__ Item &operator*() const { return all[threadIdx.x]; }
};
__global__ void k(Item *items, int *out)
{
    Mine mine{items};
    mine->v = threadIdx.x;
    __syncthreads();
    (*mine).v += items[(threadIdx.x + 1) % T].v * 0;
    mine->v *= 2;
    __syncthreads();
    out[threadIdx.x] = items[T - 1 - threadIdx.x].v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(managed<Item>(T), out);
    return check(out, T, [](int t) { return 2 * (T - 1 - t); });
}
