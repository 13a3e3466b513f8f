// Each iteration of the loop makes an event, and none is destroyed.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *x;
	CHECK(cudaMalloc(&x, 128));
	for (int i = 0; i < 4; i++) {
		cudaEvent_t done;
		CHECK(cudaEventCreate(&done)); // BUG: memcheck
		ones<<<1, 32>>>(x);
		CHECK(cudaEventRecord(done));
		CHECK(cudaEventSynchronize(done));
#ifdef FIXED
		CHECK(cudaEventDestroy(done));
#endif
	}
	CHECK(cudaFree(x));
}
