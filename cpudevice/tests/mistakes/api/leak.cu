// An early return skips the free of what was allocated.
#include "../mistake.h"

static int work(int n)
{
	float *x;
	CHECK(cudaMalloc(&x, n * sizeof *x)); // BUG: memcheck
	if (n > 10) {
#ifdef FIXED
		CHECK(cudaFree(x));
#endif
		return 1;
	}
	CHECK(cudaFree(x));
	return 0;
}

int main() { printf("%d\n", work(20)); }
