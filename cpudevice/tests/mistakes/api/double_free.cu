// One pointer freed twice.
#include "../mistake.h"

int main()
{
	float *a = device_zeros<float>(10), *b = a;
	CHECK(cudaFree(a));
#ifdef FIXED
	b = NULL;
	CHECK(cudaFree(b));
#else
	cudaFree(b); // BUG: memcheck
#endif
}
