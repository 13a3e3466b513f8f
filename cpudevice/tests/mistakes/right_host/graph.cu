// Right: a captured graph is replayed, the host waits for it.
#include "../mistake.h"

__global__ void step(int *x) { x[threadIdx.x]++; }
int main()
{
	int *x = device_zeros<int>(64), h[64];
	cudaStream_t s;
	cudaGraph_t g;
	cudaGraphExec_t e;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	for (int i = 0; i < 3; i++) step<<<1, 64, 0, s>>>(x);
	CHECK(cudaStreamEndCapture(s, &g));
	CHECK(cudaGraphInstantiate(&e, g, 0));
	for (int i = 0; i < 4; i++) CHECK(cudaGraphLaunch(e, s));
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaGraphExecDestroy(e));
	CHECK(cudaGraphDestroy(g));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(x));
	return h[5] != 12;
}
