// A copy from host to device is given the opposite direction.
#include "../mistake.h"

int main()
{
	float h[16] = {1, 2, 3}, *d = device_zeros<float>(16);
#ifdef FIXED
	CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
#else
	cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost); // BUG: memcheck
#endif
	CHECK(cudaFree(d));
}
