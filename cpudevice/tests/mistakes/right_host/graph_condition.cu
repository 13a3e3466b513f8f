// Right: a loop in a graph, between a copy before it and a kernel and a copy behind it, launched twice.
#include "../mistake.h"

__global__ void step(int *x, cudaGraphConditionalHandle h)
{
	x[threadIdx.x]++;
	__syncthreads();
	if (threadIdx.x == 0) cudaGraphSetConditional(h, x[0] % 10);
}
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

int main()
{
	int *x = device_zeros<int>(64), h_x[64];
	cudaStream_t s;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t node;
	cudaGraphConditionalHandle h;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaGraphCreate(&graph, 0));
	CHECK(cudaGraphConditionalHandleCreate(&h, graph, 1, cudaGraphCondAssignDefault));
	cudaGraphNodeParams p = {};
	p.type = cudaGraphNodeTypeConditional;
	p.conditional.handle = h;
	p.conditional.type = cudaGraphCondTypeWhile;
	p.conditional.size = 1;
	CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
	CHECK(cudaStreamBeginCaptureToGraph(s, p.conditional.phGraph_out[0], NULL, NULL, 0, cudaStreamCaptureModeGlobal));
	step<<<1, 64, 0, s>>>(x, h);
	CHECK(cudaStreamEndCapture(s, NULL));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 2; i++) {
		CHECK(cudaMemsetAsync(x, i, 64 * sizeof *x, s));
		CHECK(cudaGraphLaunch(exec, s));
		twice<<<1, 64, 0, s>>>(x);
		CHECK(cudaMemcpyAsync(h_x, x, sizeof h_x, cudaMemcpyDeviceToHost, s));
		CHECK(cudaStreamSynchronize(s));
		if (h_x[63] != (i ? 0x01010101 / 10 * 10 + 10 : 10) * 2) return 1;
	}
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(x));
}
