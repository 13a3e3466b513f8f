// A kernel gets the address of a local variable of the host.
#include "../mistake.h"

__global__ void count(int *n) { atomicAdd(n, 1); } // BUG: memcheck

int main()
{
	int n = 0;
#ifdef FIXED
	int *d = device_zeros<int>(1);
	count<<<2, 32>>>(d);
	CHECK(cudaMemcpy(&n, d, sizeof n, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(d));
#else
	count<<<2, 32>>>(&n);
	cudaDeviceSynchronize();
#endif
	printf("%d\n", n);
}
