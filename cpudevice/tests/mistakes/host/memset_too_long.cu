// A memset beyond the end.
#include "../mistake.h"

int main()
{
	int *d, n = 50;
	CHECK(cudaMalloc(&d, n * sizeof *d));
#ifdef FIXED
	CHECK(cudaMemset(d, 0, n * sizeof *d));
#else
	cudaMemset(d, 0, 2 * n * sizeof *d); // BUG: memcheck
#endif
	CHECK(cudaFree(d));
}
