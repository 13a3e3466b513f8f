// Right: blocks wait for their left neighbour through a volatile flag (a chained scan).
#include "../mistake.h"

__device__ int ticket;
__global__ void chain(volatile int *flag, int *value, int n)
{
	__shared__ int b;
	if (threadIdx.x == 0) {
		b = atomicAdd(&ticket, 1);
		int left = 0;
		if (b > 0) {
			while (flag[b - 1] == 0) ;
			__threadfence();
			left = value[b - 1];
		}
		value[b] = left + 1;
		__threadfence();
		flag[b] = 1;
	}
	__syncthreads();
	if (b == n - 1 && threadIdx.x == 1) value[n] = b;
}
int main()
{
	int n = 40, *flag = device_zeros<int>(n), *value = device_zeros<int>(n + 1), h[41];
	chain<<<n, 32>>>(flag, value, n);
	CHECK(cudaMemcpy(h, value, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(flag));
	CHECK(cudaFree(value));
	return h[n - 1] != n;
}
