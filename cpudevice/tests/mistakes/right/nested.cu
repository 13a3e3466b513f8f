// Right: kernels that launch kernels, in every order that there is.
#include "../mistake.h"

__device__ unsigned done;
__global__ void add(int *x, const int *from, int n)
{
	if (threadIdx.x < n) x[threadIdx.x] += from[threadIdx.x];
}
__global__ void sort(int *x, int n) // each level on its own half
{
	if (n < 2) return;
	int half = n / 2;
	for (int i = 0; i < half; i++)
		if (x[i] > x[i + half]) {
			int t = x[i];
			x[i] = x[i + half];
			x[i + half] = t;
		}
	cudaStream_t s;
	cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	sort<<<1, 1>>>(x, half);
	sort<<<1, 1, 0, s>>>(x + half, half);
	cudaStreamDestroy(s);
}
__global__ void parent(int *x, int *y, int *mine)
{
	int t = threadIdx.x, i = blockIdx.x * 64 + t;
	x[i] = t;
	// each thread's own element, and what its warp has written
	add<<<1, 1>>>(x + i, y + i, 1);
	mine[i] = i;
	__syncwarp();
	if (t % 32 == 0) add<<<1, 32>>>(mine + i, y + i, 32);
	__syncthreads();
	// in order on the block's stream
	if (t == 0) add<<<1, 64>>>(y + blockIdx.x * 64, x + blockIdx.x * 64, 64);
	if (t == 0) add<<<1, 64>>>(x + blockIdx.x * 64, y + blockIdx.x * 64, 64);
	if (i == 0) sort<<<1, 1, 0, cudaStreamTailLaunch>>>(x, 256);
}
__global__ void last_block(int *x, int *y)
{
	__shared__ bool last;
	y[blockIdx.x * 64 + threadIdx.x] = 1;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0) last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
	__syncthreads();
	if (last && threadIdx.x == 0) add<<<1, 256>>>(x, y, 256);
}
__global__ void with_events(int *x, int *y)
{
	cudaStream_t a, b;
	cudaEvent_t e;
	cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
	cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
	add<<<1, 64, 0, a>>>(x, y, 64);
	cudaEventRecord(e, a);
	cudaStreamWaitEvent(b, e);
	add<<<1, 64, 0, b>>>(y, x, 64);
	int *own;
	if (cudaMalloc(&own, 64 * sizeof(int)) == cudaSuccess) {
		cudaMemsetAsync(own, 0, 64 * sizeof(int));
		cudaMemcpyAsync(own, y + 64, 64 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
		add<<<1, 64>>>(own, y + 64, 64);
	}
	cudaEventDestroy(e);
	cudaStreamDestroy(a);
	cudaStreamDestroy(b);
}
int main()
{
	int *x = device_zeros<int>(256), *y = device_zeros<int>(256), *mine = device_zeros<int>(256), h[256];
	parent<<<4, 64>>>(x, y, mine);
	last_block<<<4, 64>>>(x, y);
	with_events<<<1, 1>>>(x, y);
	add<<<1, 256>>>(y, x, 256);
	CHECK(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	CHECK(cudaFree(mine));
	return 0;
}
