// Kernels that have no time: their blocks may wait for each other, a kernel has launched them, or they are a library's. And
// kernels that look like them and have one. The program counts what its kernels did, so that a time that is missing is no launch
// that failed.
// BUILD: $cucc --check -o $exe $case -lcublas
// TEST: each kernel has done its work
// RUN: modelled; cat $work/out
// PRINTS: 120 120 136 16 16 64 2 9
// Block b waits for block b-1, which has been there before it: nobody waits here, but on a GPU.
// TEST: a flag that another block has stored
// RUN: modelled; columns chain_kernel cold_us limiter note
// PRINTS:   "blocks wait for each other or for the host: not modelled"
// TEST: a flag that is looked at again and again
// RUN: modelled; columns back_kernel cold_us note
// PRINTS:  "blocks wait for each other or for the host: not modelled"
// TEST: a flag of the host
// RUN: modelled; columns host_kernel cold_us note
// PRINTS:  "blocks wait for each other or for the host: not modelled"
// TEST: a lock
// RUN: modelled; columns lock_kernel cold_us note
// PRINTS:  "blocks wait for each other or for the host: not modelled"
// TEST: a kernel that a kernel launches
// RUN: modelled; columns child_kernel cold_us note
// PRINTS:  "launched by a kernel: not modelled"
// TEST: a library's kernel
// RUN: modelled; columns cpudev_gemm cold_us note
// PRINTS:  "a library's kernel: not modelled"
// TEST: the last block finishes, and nobody waits for it
// RUN: modelled; columns last_kernel limiter
// PRINTS: launch
// TEST: a counter to which all add
// RUN: modelled; columns counter_kernel limiter
// PRINTS: launch
// TEST: the largest, by comparing and exchanging
// RUN: modelled; columns largest_kernel limiter
// PRINTS: launch
#include <cstdio>
#include <cstring>
#include <cublas_v2.h>
#include <unistd.h>

enum { BLOCKS = 16 };

static __global__ void chain_kernel(volatile int *flag, int *out)
{
	if (threadIdx.x)
		return;
	while (blockIdx.x && flag[blockIdx.x - 1] == 0)
		;
	out[blockIdx.x] = blockIdx.x;
	__threadfence();
	flag[blockIdx.x] = 1;
}

/* Each block waits for the next one. */
static __global__ void back_kernel(int *flag, int *out)
{
	if (threadIdx.x)
		return;
	while (blockIdx.x + 1 < gridDim.x && atomicAdd(&flag[blockIdx.x + 1], 0) == 0)
		;
	out[blockIdx.x] = blockIdx.x;
	__threadfence();
	atomicExch(&flag[blockIdx.x], 1);
}

static __global__ void host_kernel(volatile int *flag)
{
	while (*flag == 0)
		;
}

static __global__ void lock_kernel(int *lock, int *sum)
{
	if (threadIdx.x)
		return;
	while (atomicCAS(lock, 0, 1) != 0)
		;
	__threadfence();
	*sum += blockIdx.x + 1;
	__threadfence();
	atomicExch(lock, 0);
}

static __global__ void last_kernel(unsigned *arrived, float *part, int *out)
{
	__shared__ bool last;
	if (threadIdx.x == 0) {
		part[blockIdx.x] = 1;
		__threadfence();
		last = atomicAdd(arrived, 1) == gridDim.x - 1;
	}
	__syncthreads();
	float sum = 0;
	for (unsigned i = 0; last && i < gridDim.x; i++)
		sum += ((volatile float *)part)[i];
	if (last && threadIdx.x == 0)
		*out = (int)sum;
}

static __global__ void counter_kernel(int *n, int *out)
{
	if (threadIdx.x == 0)
		for (int i = 0; i < 4; i++)
			atomicAdd(n, 1);
	if (threadIdx.x == 0 && blockIdx.x == 0)
		*out = 16;
}

static __global__ void largest_kernel(int *most, const int *x)
{
	int seen = *most, mine = x[blockIdx.x];
	while (seen < mine) {
		const int before = atomicCAS(most, seen, mine);
		if (before == seen)
			break;
		seen = before;
	}
}

static __global__ void child_kernel(int *out) { *out = 2; }

static __global__ void parent_kernel(int *out) { child_kernel<<<1, 1>>>(out); }

static int sum_of(const int *p, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

int main()
{
	int *flag, *out;
	cudaMallocManaged(&flag, 1024);
	cudaMallocManaged(&out, 1024);
	float *part;
	cudaMalloc(&part, 1024);
	memset(flag, 0, 1024);
	chain_kernel<<<BLOCKS, 64>>>(flag, out);
	cudaDeviceSynchronize();
	printf("%d", sum_of(out, BLOCKS));
	memset(flag, 0, 1024);
	memset(out, 0, 1024);
	back_kernel<<<BLOCKS, 64>>>(flag, out);
	cudaDeviceSynchronize();
	printf(" %d", sum_of(out, BLOCKS));
	int *mapped;
	cudaHostAlloc(&mapped, sizeof *mapped, cudaHostAllocMapped);
	*(volatile int *)mapped = 0;
	host_kernel<<<1, 1>>>(mapped);
	usleep(20000);
	*(volatile int *)mapped = 1;
	cudaDeviceSynchronize();
	cudaFreeHost(mapped);
	memset(flag, 0, 1024);
	lock_kernel<<<BLOCKS, 64>>>(flag, flag + 1);
	cudaDeviceSynchronize();
	printf(" %d", flag[1]);
	memset(flag, 0, 1024);
	last_kernel<<<BLOCKS, 64>>>((unsigned *)flag, part, out);
	cudaDeviceSynchronize();
	printf(" %d", *out);
	counter_kernel<<<BLOCKS, 64>>>(flag + 2, out);
	cudaDeviceSynchronize();
	printf(" %d %d", *out, flag[2]);
	parent_kernel<<<1, 1>>>(out);
	cudaDeviceSynchronize();
	printf(" %d", *out);
	for (int i = 0; i < BLOCKS; i++)
		out[i] = i % 10;
	flag[4] = 0;
	largest_kernel<<<BLOCKS, 1>>>(flag + 4, out);
	cudaDeviceSynchronize();
	printf(" %d\n", flag[4]);
	cublasHandle_t handle;
	cublasCreate(&handle);
	const float one = 1;
	cudaMemset(part, 0, 1024);
	cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, part, 8, part + 64, 8, &one, part + 128, 8);
	cublasDestroy(handle);
	const cudaError_t e = cudaDeviceSynchronize();
	cudaFree(part);
	cudaFree(out);
	cudaFree(flag);
	return e != cudaSuccess;
}
