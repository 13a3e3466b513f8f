// The memory that a graph allocates is written before the graph is launched.
// SAYS: a graph's memory, which is not allocated yet
#include "../mistake.h"

__global__ void step(int *x) { x[threadIdx.x]++; }

int main()
{
	int *x;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t node;
	cudaMemAllocNodeParams room = {};
	room.poolProps.allocType = cudaMemAllocationTypePinned;
	room.poolProps.location.type = cudaMemLocationTypeDevice;
	room.bytesize = 64 * sizeof *x;
	CHECK(cudaGraphCreate(&graph, 0));
	CHECK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &room));
	x = (int *)room.dptr;
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
#ifdef FIXED
	CHECK(cudaGraphLaunch(exec, 0));
#endif
	CHECK(cudaMemset(x, 0, room.bytesize)); // BUG: memcheck
#ifndef FIXED
	CHECK(cudaGraphLaunch(exec, 0));
#endif
	step<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
}
