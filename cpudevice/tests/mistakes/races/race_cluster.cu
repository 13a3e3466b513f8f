// The blocks of a cluster pass each other a row in global memory, without waiting for each other.
#include <cooperative_groups.h>

#include "../mistake.h"

__global__ void __cluster_dims__(2) swap_rows(int *row, int *out)
{
	cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
	row[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
#ifdef FIXED
	cluster.sync();
#else
	__syncthreads();
#endif
	out[blockIdx.x * 32 + threadIdx.x] = row[(blockIdx.x ^ 1) * 32 + threadIdx.x]; // BUG: racecheck
	cluster.sync();
}

int main()
{
	int *row = device_array<int>(128), *out = device_array<int>(128);
	CHECK(cudaMemset(row, 0, 128 * sizeof *row));
	swap_rows<<<4, 32>>>(row, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(row));
	CHECK(cudaFree(out));
}
