// A kernel waits for a flag of one that runs beside it on another stream, and so for what came before that one, too;
// what comes after it may change the data again.
#include "../mistake.h"

__global__ void fill(int *x, int n)
{
	x[threadIdx.x] = n;
}
__global__ void give(int *data, volatile int *flag)
{
	data[64 + threadIdx.x] = threadIdx.x;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		*flag = 1;
}
__global__ void take(int *y, const int *data, volatile int *flag)
{
	if (threadIdx.x == 0)
		while (!*flag)
			;
	__threadfence();
	__syncthreads();
	y[threadIdx.x] = data[threadIdx.x] + data[64 + threadIdx.x];
}
int main()
{
	int *data = device_zeros<int>(128), *y = device_zeros<int>(64), *flag = device_zeros<int>(1), h[64];
	cudaStream_t a, b;
	CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
	CHECK(cudaDeviceSynchronize());
	fill<<<1, 64, 0, a>>>(data, 7);
	give<<<1, 64, 0, a>>>(data, flag);
	take<<<1, 64, 0, b>>>(y, data, flag);
	fill<<<1, 64, 0, b>>>(data, 8);
	fill<<<1, 64, 0, b>>>(data + 64, 9);
	CHECK(cudaMemcpyAsync(h, y, sizeof h, cudaMemcpyDeviceToHost, b));
	CHECK(cudaStreamSynchronize(b));
	CHECK(cudaStreamSynchronize(a));
	for (int i = 0; i < 64; i++)
		if (h[i] != 7 + i)
			return 1;
	CHECK(cudaStreamDestroy(a));
	CHECK(cudaStreamDestroy(b));
	CHECK(cudaFree(data));
	CHECK(cudaFree(y));
	CHECK(cudaFree(flag));
	return 0;
}
