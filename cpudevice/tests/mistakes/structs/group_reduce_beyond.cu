// A sum over a warp by reduce(), which takes its value by reference, from past the end of an array.
#include "../mistake.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sum(const int *x, int *total, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
#ifdef FIXED
	int s = cg::reduce(warp, i < n ? x[i] : 0, cg::plus<int>());
#else
	int s = cg::reduce(warp, x[i], cg::plus<int>()); // BUG: memcheck
#endif
	if (warp.thread_rank() == 0)
		atomicAdd(total, s);
}

int main()
{
	int n = 100;
	int *x = device_zeros<int>(n), *total = device_zeros<int>(1);
	sum<<<1, 128>>>(x, total, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(total));
}
