// nested braces, elided braces and zeroed rests
#include "conformance.h"

struct In {
    int a, b;
};
struct Out {
    In in[2];
    int c;
    int d = 4;
};
__global__ void k(int *out)
{
    Out o{{{1, 2}, {(int)threadIdx.x}}, 3};
    int grid[2][2] = {1, 2, 3};
    In list[] = {{1, 1}, {2, 2}, {3, (int)threadIdx.x}};
    __syncthreads();
    o.in[1].b += list[2].b;
    grid[1][1]--;
    __syncthreads();
    out[threadIdx.x] = o.in[1].a + o.in[1].b + o.c * 100 + o.d * 1000 + grid[1][1] + (int)(sizeof list / sizeof *list);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * t + 300 + 4000 - 1 + 3; });
}
