// Elements are moved down within one array by a copy that overlaps itself.
#include "../mistake.h"

int main()
{
	int n = 1000, *x = device_array<int>(n);
#ifdef FIXED
	int *y = device_zeros<int>(n);
	CHECK(cudaMemcpy(y, x + 1, (n - 1) * sizeof *x, cudaMemcpyDeviceToDevice));
	CHECK(cudaMemcpy(x, y, (n - 1) * sizeof *x, cudaMemcpyDeviceToDevice));
	CHECK(cudaFree(y));
#else
	CHECK(cudaMemcpy(x, x + 1, (n - 1) * sizeof *x, cudaMemcpyDeviceToDevice)); // BUG: memcheck
#endif
	CHECK(cudaFree(x));
}
