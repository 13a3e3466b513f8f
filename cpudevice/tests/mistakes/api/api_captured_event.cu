// The host waits for an event that was recorded in a capture.
// SAYS: stands for a place in the graph
#include "../mistake.h"

__global__ void work(int *x) { x[threadIdx.x]++; }

int main()
{
	int *x = device_zeros<int>(64);
	cudaStream_t s;
	cudaEvent_t e;
	cudaGraph_t g;
	cudaGraphExec_t run;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaEventCreate(&e));
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	work<<<1, 64, 0, s>>>(x);
#ifndef FIXED
	CHECK(cudaEventRecord(e, s));
#endif
	CHECK(cudaStreamEndCapture(s, &g));
	CHECK(cudaGraphInstantiate(&run, g, 0));
	CHECK(cudaGraphLaunch(run, s));
#ifdef FIXED
	CHECK(cudaEventRecord(e, s));
#endif
	cudaEventSynchronize(e); // BUG: memcheck
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaGraphExecDestroy(run));
	CHECK(cudaGraphDestroy(g));
	CHECK(cudaEventDestroy(e));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(x));
}
