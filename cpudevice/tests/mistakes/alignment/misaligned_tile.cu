// A matrix tile that does not begin at a multiple of 256 bits.
#include <cuda_fp16.h>
#include <mma.h>
#include "../mistake.h"

using namespace nvcuda;
__global__ void corner(const half *a, float *x, int skip)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> tile;
	wmma::load_matrix_sync(tile, a + skip, 16); // BUG: memcheck
	if (threadIdx.x == 0) *x = __half2float(tile.x[0]);
}

int main()
{
	half *a;
	float *x;
	CHECK(cudaMalloc(&a, 2048));
	CHECK(cudaMalloc(&x, sizeof *x));
	CHECK(cudaMemset(a, 0, 2048));
#ifdef FIXED
	corner<<<1, 32>>>(a, x, 16);
#else
	corner<<<1, 32>>>(a, x, 3);
#endif
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(x));
}
