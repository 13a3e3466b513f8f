// A graph relies on values that its last launch left in memory that each launch allocates anew.
#include "../mistake.h"

__global__ void first(int *x, const int *launches)
{
	if (*launches == 0) x[threadIdx.x] = 1;
}
__global__ void step(int *x, int *launches)
{
	x[threadIdx.x] += 1; // BUG: initcheck
	if (threadIdx.x == 0) ++*launches;
}
int main()
{
	int *x, *launches = device_zeros<int>(1);
	cudaStream_t s;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	CHECK(cudaMallocAsync((void **)&x, 64 * sizeof *x, s));
#ifdef FIXED
	CHECK(cudaMemsetAsync(x, 0, 64 * sizeof *x, s));
#endif
	first<<<1, 64, 0, s>>>(x, launches);
	step<<<1, 64, 0, s>>>(x, launches);
	CHECK(cudaFreeAsync(x, s));
	CHECK(cudaStreamEndCapture(s, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 2; i++) CHECK(cudaGraphLaunch(exec, s));
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(launches));
}
