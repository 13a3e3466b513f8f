// A pointer table on the device that was never filled.
#include "../mistake.h"

__global__ void scatter(int **rows) { rows[threadIdx.x][0] = 1; } // BUG: memcheck

int main()
{
	int *h[4], **d;
	for (int i = 0; i < 4; i++) h[i] = (int *)(size_t)(0x123456789000ull + 4096 * i);
#ifdef FIXED
	for (int i = 0; i < 4; i++) h[i] = device_zeros<int>(1);
#endif
	CHECK(cudaMalloc(&d, sizeof h));
	CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
	scatter<<<1, 4>>>(d);
	cudaDeviceSynchronize();
#ifdef FIXED
	for (int i = 0; i < 4; i++) CHECK(cudaFree(h[i]));
#endif
	cudaFree(d);
}
