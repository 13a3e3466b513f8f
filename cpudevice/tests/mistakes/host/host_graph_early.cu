// The result of a graph is read before the graph is done.
#include "../mistake.h"

__global__ void step(int *x) { x[threadIdx.x]++; }

int main()
{
	int *x;
	cudaStream_t s;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	CHECK(cudaMallocManaged(&x, 64 * sizeof *x));
	for (int i = 0; i < 64; i++) x[i] = i;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	step<<<1, 64, 0, s>>>(x);
	CHECK(cudaStreamEndCapture(s, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	CHECK(cudaGraphLaunch(exec, s));
#ifdef FIXED
	CHECK(cudaStreamSynchronize(s));
#endif
	printf("%d\n", x[5]); // BUG: hostcheck
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(x));
}
