// Right: two streams, ordered by events; a copy behind the kernel on its own stream.
#include "../mistake.h"

__global__ void add(int *x, int v) { x[blockIdx.x * blockDim.x + threadIdx.x] += v; }
int main()
{
	int *x = device_zeros<int>(256), *h;
	cudaStream_t a, b;
	cudaEvent_t e, f;
	CHECK(cudaStreamCreate(&a));
	CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
	CHECK(cudaEventCreate(&e));
	CHECK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
	CHECK(cudaMallocHost(&h, 256 * sizeof *h));
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 4; i++) {
		add<<<2, 128, 0, a>>>(x, 1);
		CHECK(cudaEventRecord(e, a));
		CHECK(cudaStreamWaitEvent(b, e, 0));
		add<<<2, 128, 0, b>>>(x, 2);
		CHECK(cudaEventRecord(f, b));
		CHECK(cudaStreamWaitEvent(a, f, 0));
	}
	CHECK(cudaMemcpyAsync(h, x, 256 * sizeof *h, cudaMemcpyDeviceToHost, a));
	CHECK(cudaStreamSynchronize(a));
	int bad = h[7] != 12;
	CHECK(cudaEventDestroy(e));
	CHECK(cudaEventDestroy(f));
	CHECK(cudaStreamDestroy(a));
	CHECK(cudaStreamDestroy(b));
	CHECK(cudaFreeHost(h));
	CHECK(cudaFree(x));
	return bad;
}
