// An event used after its destruction.
#include "../mistake.h"

int main()
{
	cudaEvent_t e;
	CHECK(cudaEventCreate(&e));
#ifdef FIXED
	CHECK(cudaEventRecord(e));
	CHECK(cudaEventSynchronize(e));
	CHECK(cudaEventDestroy(e));
#else
	CHECK(cudaEventDestroy(e));
	if (cudaEventRecord(e) != cudaSuccess) // BUG: memcheck
		printf("failed\n");
#endif
}
