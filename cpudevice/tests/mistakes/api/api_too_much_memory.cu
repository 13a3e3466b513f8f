// A byte count overflows, and the result of the call is never checked.
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
