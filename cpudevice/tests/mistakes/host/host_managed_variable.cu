// A __managed__ variable is read without a synchronize.
#include "../mistake.h"

__managed__ int total;
__global__ void add(int v) { atomicAdd(&total, v); }

int main()
{
	total = 0;
	add<<<1, 32>>>(2);
#ifdef FIXED
	CHECK(cudaDeviceSynchronize());
#endif
	printf("%d\n", total); // BUG: hostcheck
	CHECK(cudaDeviceSynchronize());
}
