// An array of structs is one element short.
#include "../mistake.h"

struct particle { float x, y, z; int id; };
__global__ void move(particle *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) p[i].z += 1; // BUG: memcheck
}

int main()
{
	int n = 129;
#ifdef FIXED
	particle *p = device_zeros<particle>(n);
#else
	particle *p = device_zeros<particle>(n - 1);
#endif
	move<<<2, 128>>>(p, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(p));
}
