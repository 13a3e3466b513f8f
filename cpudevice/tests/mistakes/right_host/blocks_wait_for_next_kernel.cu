// Right: both blocks of a kernel wait for a kernel that the host launches when it has seen both of them run. The CPU device
// begins with one thread and adds those that the two kernels need.
// ENV: CUDA_CPU_WORKERS=1
#include "../mistake.h"

__global__ void wait(volatile int *here, volatile int *go)
{
	if (threadIdx.x == 0) {
		here[blockIdx.x] = 1;
		__threadfence_system();
		while (!*go)
			;
	}
}
__global__ void tell(volatile int *go)
{
	*go = 1;
}
int main()
{
	volatile int *words; // here[2], go
	cudaStream_t a, b;
	CHECK(cudaMallocHost((void **)&words, 3 * sizeof *words));
	words[0] = words[1] = words[2] = 0;
	CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
	wait<<<2, 32, 0, a>>>(words, words + 2);
	CHECK(cudaGetLastError());
	while (!words[0] || !words[1])
		;
	tell<<<1, 1, 0, b>>>(words + 2);
	CHECK(cudaGetLastError());
	CHECK(cudaStreamSynchronize(b));
	CHECK(cudaStreamSynchronize(a));
	CHECK(cudaStreamDestroy(a));
	CHECK(cudaStreamDestroy(b));
	CHECK(cudaFreeHost((void *)words));
	return 0;
}
