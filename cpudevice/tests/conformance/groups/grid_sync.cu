// a cooperative launch: the whole grid meets between two phases
#include <cooperative_groups.h>
#include "conformance.h"

namespace cg = cooperative_groups;
__global__ void k(int *out, int *between)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank(), n = grid.size();
    between[i] = i * 3;
    grid.sync();
    out[i] = between[n - 1 - i];
    cg::sync(grid);
    between[i] = 0;
}
int main()
{
    int *out = managed(2 * T), *between = managed(2 * T);
    void *arguments[] = {&out, &between};
    cudaLaunchCooperativeKernel((void *)k, dim3(2), dim3(T), arguments, 0, 0);
    return check(out, 2 * T, [](int i) { return 3 * (2 * T - 1 - i); });
}
