// Right: graphs that allocate: freed by themselves, by their next launch, and behind them; on two streams at once.
#include "../mistake.h"

__global__ void fill(int *x, int v) { x[threadIdx.x] = v; }
__global__ void add(int *sum, const int *x) { sum[threadIdx.x] += x[threadIdx.x]; }
static cudaGraphExec_t make(cudaStream_t s, int *sum, int **x, bool frees, unsigned long long flags)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	CHECK(cudaMallocAsync((void **)x, 64 * sizeof **x, s));
	fill<<<1, 64, 0, s>>>(*x, 3);
	add<<<1, 64, 0, s>>>(sum, *x);
	if (frees) CHECK(cudaFreeAsync(*x, s));
	CHECK(cudaStreamEndCapture(s, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, flags));
	CHECK(cudaGraphDestroy(graph));
	return exec;
}
int main()
{
	int *sum[3], *x[3], h[64], bad = 0;
	cudaStream_t s[3];
	cudaGraphExec_t exec[3];
	for (int i = 0; i < 3; i++) {
		sum[i] = device_zeros<int>(64);
		CHECK(cudaStreamCreate(&s[i]));
		CHECK(cudaDeviceSynchronize());
		exec[i] = make(s[i], sum[i], &x[i], i == 0, i == 1 ? cudaGraphInstantiateFlagAutoFreeOnLaunch : 0);
	}
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 3; i++) {
			CHECK(cudaGraphLaunch(exec[i], s[i]));
			if (i) add<<<1, 64, 0, s[i]>>>(sum[i], x[i]);
			if (i == 2) CHECK(cudaFreeAsync(x[i], s[i]));
		}
	for (int i = 0; i < 3; i++) {
		CHECK(cudaStreamSynchronize(s[i]));
		CHECK(cudaGraphExecDestroy(exec[i]));
		CHECK(cudaMemcpy(h, sum[i], sizeof h, cudaMemcpyDeviceToHost));
		bad |= h[5] != (i ? 18 : 9);
		CHECK(cudaStreamDestroy(s[i]));
		CHECK(cudaFree(sum[i]));
	}
	CHECK(cudaFree(x[1]));
	return bad;
}
