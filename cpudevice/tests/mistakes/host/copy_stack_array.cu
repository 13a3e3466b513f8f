// The copy back is longer than the local array of the host that it fills.
#include "../mistake.h"

int main()
{
	int *d = device_zeros<int>(64), h[32], sum = 0;
#ifdef FIXED
	CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
#else
	cudaMemcpy(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost); // BUG: memcheck
#endif
	for (int i = 0; i < 32; i++) sum += h[i];
	CHECK(cudaFree(d));
	return sum == 7;
}
