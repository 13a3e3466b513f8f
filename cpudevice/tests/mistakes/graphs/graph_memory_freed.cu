// A kernel that reads a graph's memory is launched after the graph, which has freed it.
// SAYS: use of device memory after it was freed
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }
__global__ void twice(int *out, const int *x)
{
	out[threadIdx.x] = 2 * x[threadIdx.x]; // BUG: memcheck
}
int main()
{
	int *x, *out = device_zeros<int>(64);
	cudaStream_t s;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	CHECK(cudaMallocAsync((void **)&x, 64 * sizeof *x, s));
	ones<<<1, 64, 0, s>>>(x);
#ifndef FIXED
	CHECK(cudaFreeAsync(x, s));
#endif
	CHECK(cudaStreamEndCapture(s, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 2; i++) {
		CHECK(cudaGraphLaunch(exec, s));
		twice<<<1, 64, 0, s>>>(out, x);
#ifdef FIXED
		CHECK(cudaFreeAsync(x, s));
#endif
	}
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(out));
}
