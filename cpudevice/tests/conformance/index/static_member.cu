// static member functions give the indices, by many names
#include "conformance.h"

struct Grid {
    static __device__ int me() { return blockIdx.x * blockDim.x + threadIdx.x; }
    static __device__ int all() { return gridDim.x * blockDim.x; }
};
using Alias = Grid;
__global__ void k(int *out, Grid g)
{
    for (int i = Alias::me(); i < 500; i += g.all())
        out[i] = i + Grid::all();
}
int main()
{
    int *out = managed(500);
    k<<<3, 32>>>(out, Grid());
    return check(out, 500, [](int i) { return i + 96; });
}
