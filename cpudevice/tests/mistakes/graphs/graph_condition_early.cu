// The host reads what a graph's loop writes before the loop is over.
#include "../mistake.h"

__global__ void step(int *x, cudaGraphConditionalHandle h)
{
	cudaGraphSetConditional(h, ++*x < 10);
}
int main()
{
	int *x;
	cudaStream_t s;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t node;
	cudaGraphConditionalHandle h;
	CHECK(cudaMallocManaged(&x, sizeof *x));
	*x = 0;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaGraphCreate(&graph, 0));
	CHECK(cudaGraphConditionalHandleCreate(&h, graph, 1, cudaGraphCondAssignDefault));
	cudaGraphNodeParams p = {};
	p.type = cudaGraphNodeTypeConditional;
	p.conditional.handle = h;
	p.conditional.type = cudaGraphCondTypeWhile;
	p.conditional.size = 1;
	CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
	CHECK(cudaStreamBeginCaptureToGraph(s, p.conditional.phGraph_out[0], NULL, NULL, 0, cudaStreamCaptureModeGlobal));
	step<<<1, 1, 0, s>>>(x, h);
	CHECK(cudaStreamEndCapture(s, NULL));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	CHECK(cudaGraphLaunch(exec, s));
#ifdef FIXED
	CHECK(cudaStreamSynchronize(s));
#endif
	printf("%d\n", *x); // BUG: hostcheck
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(x));
}
