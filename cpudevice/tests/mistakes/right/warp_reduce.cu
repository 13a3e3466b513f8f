// Right: shuffles and tiles; the warps meet in shared memory.
#include "../mistake.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void reduce(const float *x, float *out)
{
	__shared__ float warps[8];
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<32>(block);
	float v = x[blockIdx.x * 256 + threadIdx.x];
	for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
	if (tile.thread_rank() == 0) warps[tile.meta_group_rank()] = v;
	block.sync();
	if (threadIdx.x < 32) {
		float w = threadIdx.x < 8 ? warps[threadIdx.x] : 0;
		w = cg::reduce(tile, w, cg::plus<float>());
		if (threadIdx.x == 0) out[blockIdx.x] = w;
	}
}
int main()
{
	float *x = device_array<float>(512), *out = device_zeros<float>(2);
	reduce<<<2, 256>>>(x, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(out));
}
