// A thread puts the address of its local array into shared memory, and its neighbour reads through it.
#include "../mistake.h"

__global__ void shift(int *out)
{
	const int t = threadIdx.x, next = (t + 1) % blockDim.x;
#ifdef FIXED
	__shared__ int all[64][2];
	int *mine = all[t];
#else
	int mine[2];
#endif
	__shared__ int *where[64];
	mine[0] = t, mine[1] = 5;
	where[t] = mine;
	__syncthreads();
	out[t] = where[next][0] + mine[1]; // BUG: memcheck
}

int main()
{
	int *out = device_zeros<int>(64);
	shift<<<1, 64>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
}
