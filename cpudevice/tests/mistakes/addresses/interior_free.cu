// The pointer has moved since the allocation.
#include "../mistake.h"

int main()
{
	float *a = device_zeros<float>(100), *p = a + 10;
#ifdef FIXED
	p -= 10;
#endif
	cudaFree(p); // BUG: memcheck
#ifndef FIXED
	cudaFree(a);
#endif
}
