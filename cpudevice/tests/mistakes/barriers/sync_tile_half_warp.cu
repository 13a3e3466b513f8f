// Half a warp loads a matrix tile, which is the whole warp's work.
#include <cuda_fp16.h>
#include <mma.h>
#include "../mistake.h"

using namespace nvcuda;
__global__ void corner(const half *a, float *x)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> tile;
#ifndef FIXED
	if (threadIdx.x < 16)
#endif
		wmma::load_matrix_sync(tile, a, 16); // BUG: synccheck
	if (threadIdx.x == 0) *x = __half2float(tile.x[0]);
}

int main()
{
	half *a;
	float *x;
	CHECK(cudaMalloc(&a, 512));
	CHECK(cudaMalloc(&x, sizeof *x));
	CHECK(cudaMemset(a, 0, 512));
	corner<<<1, 32>>>(a, x);
	cudaDeviceSynchronize();
	cudaFree(a);
	cudaFree(x);
}
