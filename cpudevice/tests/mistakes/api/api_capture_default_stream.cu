// While a stream is being captured, a kernel is launched into the default stream.
#include "../mistake.h"

__global__ void step(int *x) { x[threadIdx.x]++; }

int main()
{
	int *x = device_zeros<int>(64);
	cudaStream_t s;
	cudaGraph_t graph = NULL;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
#ifdef FIXED
	step<<<1, 64, 0, s>>>(x);
#else
	step<<<1, 64>>>(x); // BUG: memcheck
#endif
	cudaStreamEndCapture(s, &graph);
	if (graph) CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(x));
}
