// Right: a graph is launched several times, and its result copied on the same stream.
#include "../mistake.h"

__global__ void step(int *x) { x[threadIdx.x]++; }

int main()
{
	int *x = device_zeros<int>(64), h[64];
	cudaStream_t s;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	for (int i = 0; i < 3; i++) step<<<1, 64, 0, s>>>(x);
	CHECK(cudaStreamEndCapture(s, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 4; i++) CHECK(cudaGraphLaunch(exec, s));
	CHECK(cudaMemcpyAsync(h, x, sizeof h, cudaMemcpyDeviceToHost, s));
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(x));
	return h[7] != 12;
}
