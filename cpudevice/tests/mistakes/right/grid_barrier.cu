// Right: a barrier over all blocks, by cooperative groups, between phases.
#include "../mistake.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void phases(int *a, int *b, int n)
{
	cg::grid_group grid = cg::this_grid();
	for (int i = grid.thread_rank(); i < n; i += grid.size()) a[i] = i;
	grid.sync();
	for (int i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[n - 1 - i];
	grid.sync();
	for (int i = grid.thread_rank(); i < n; i += grid.size()) a[i] = b[(i + 1) % n];
}
int main()
{
	int n = 1000, *a = device_zeros<int>(n), *b = device_zeros<int>(n);
	void *args[] = {&a, &b, &n};
	CHECK(cudaLaunchCooperativeKernel((void *)phases, dim3(2), dim3(64), args, 0, 0));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
}
