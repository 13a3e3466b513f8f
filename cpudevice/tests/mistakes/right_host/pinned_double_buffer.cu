// Right: two pinned buffers, each refilled only after its event.
#include "../mistake.h"

__global__ void sum(const int *x, int *out, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(out, x[i]); }
int main()
{
	enum { N = 512 };
	int *h[2], *d[2], *out = device_zeros<int>(1);
	cudaEvent_t free_[2];
	cudaStream_t s;
	CHECK(cudaStreamCreate(&s));
	for (int i = 0; i < 2; i++) {
		CHECK(cudaMallocHost(&h[i], N * sizeof(int)));
		CHECK(cudaMalloc(&d[i], N * sizeof(int)));
		CHECK(cudaEventCreate(&free_[i]));
	}
	CHECK(cudaDeviceSynchronize());
	for (int part = 0; part < 6; part++) {
		int b = part % 2;
		CHECK(cudaEventSynchronize(free_[b]));
		for (int i = 0; i < N; i++) h[b][i] = part;
		CHECK(cudaMemcpyAsync(d[b], h[b], N * sizeof(int), cudaMemcpyHostToDevice, s));
		CHECK(cudaEventRecord(free_[b], s));
		sum<<<1, 64, 0, s>>>(d[b], out, N);
	}
	CHECK(cudaStreamSynchronize(s));
	for (int i = 0; i < 2; i++) {
		CHECK(cudaFreeHost(h[i]));
		CHECK(cudaFree(d[i]));
		CHECK(cudaEventDestroy(free_[i]));
	}
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(out));
}
