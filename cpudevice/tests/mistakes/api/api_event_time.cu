// The elapsed time is asked for between events that were never recorded.
#include "../mistake.h"

int main()
{
	cudaEvent_t a, b;
	float ms = 0;
	CHECK(cudaEventCreate(&a));
	CHECK(cudaEventCreate(&b));
#ifdef FIXED
	CHECK(cudaEventRecord(a));
	CHECK(cudaEventRecord(b));
	CHECK(cudaEventSynchronize(b));
#endif
	cudaEventElapsedTime(&ms, a, b); // BUG: memcheck
	CHECK(cudaEventDestroy(a));
	CHECK(cudaEventDestroy(b));
}
