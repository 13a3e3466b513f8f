// cudaFree of a pointer from malloc.
#include "../mistake.h"

int main()
{
	float *h = (float *)malloc(100 * sizeof *h);
	h[0] = 1;
#ifdef FIXED
	free(h);
#else
	cudaFree(h); // BUG: memcheck
	free(h);
#endif
}
