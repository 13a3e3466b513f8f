// More dynamic shared memory than a block may have.
#include "../mistake.h"

__global__ void touch(int *x)
{
	extern __shared__ int s[];
	s[threadIdx.x] = 1;
	x[threadIdx.x] = s[threadIdx.x];
}

int main()
{
	int *x = device_zeros<int>(32);
#ifdef FIXED
	touch<<<1, 32, 32 * sizeof(int)>>>(x);
#else
	touch<<<1, 32, 300 * 1024>>>(x); // BUG: memcheck
#endif
	if (cudaGetLastError() != cudaSuccess) printf("launch failed\n");
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
