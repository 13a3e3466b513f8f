// Right: allocation and release in stream order, and a host function in the stream.
#include "../mistake.h"

__global__ void ones(int *x, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = 1; }
static void add(void *p) { *(int *)p += 1; }
int main()
{
	cudaStream_t s;
	int *d, *h, calls = 0;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaMallocHost(&h, 100 * sizeof *h));
	CHECK(cudaMallocAsync((void **)&d, 100 * sizeof *d, s));
	ones<<<1, 32, 0, s>>>(d, 100);
	CHECK(cudaMemcpyAsync(h, d, 100 * sizeof *h, cudaMemcpyDeviceToHost, s));
	CHECK(cudaLaunchHostFunc(s, add, &calls));
	CHECK(cudaFreeAsync(d, s));
	CHECK(cudaStreamSynchronize(s));
	int bad = h[99] != 1 || calls != 1;
	CHECK(cudaFreeHost(h));
	CHECK(cudaStreamDestroy(s));
	return bad;
}
