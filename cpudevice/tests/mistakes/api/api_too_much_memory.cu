// A byte count that overflows: the result is never looked at.
#include "../mistake.h"

int main()
{
	int *x = NULL, n = -1;
#ifdef FIXED
	n = 10;
#endif
	cudaMalloc(&x, n * sizeof *x); // BUG: memcheck
	cudaFree(x);
}
