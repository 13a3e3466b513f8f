// A write after two readers: the line that is named is that of the reader that nothing orders, whoever has read last.
// BUILD: $cucc --check -o $exe $case
// TEST: two threads, words
// RUN: $exe words
// STATUS: 99
// MATCHES: at .*readers.cu:{line y[i] = word + next}$
// MATCHES: at .*readers.cu:{line float next}$
// LACKS: readers.cu:{line float word}$
// TEST: two threads, words, where the threads take turns
// RUN: $exe turns
// STATUS: 99
// MATCHES: at .*readers.cu:{line float behind}$
// LACKS: readers.cu:{line float here}$
// TEST: two threads, halves of words
// RUN: $exe halves
// STATUS: 99
// MATCHES: at .*readers.cu:{line short later}$
// LACKS: readers.cu:{line short half}$
// TEST: two kernels, rows of words
// RUN: $exe streams
// STATUS: 99
// MATCHES: at .*readers.cu:{line = y[i] * 2}$
// LACKS: readers.cu:{line = y[i] * 3}$
// TEST: two kernels, single words
// RUN: $exe strided
// STATUS: 99
// MATCHES: at .*readers.cu:{line = y[7 * i] * 2}$
// LACKS: readers.cu:{line = y[7 * i] * 3}$
// TEST: two kernels, words whose page has halves of words since
// RUN: CUDA_CPU_WORKERS=1 $exe narrower
// STATUS: 99
// MATCHES: at .*readers.cu:{line = y[7 * i] * 2}$
// LACKS: readers.cu:{line = y[7 * i] * 3}$
// TEST: two kernels, then the host
// RUN: $exe host
// STATUS: 99
// MATCHES: ^hostcheck:
// MATCHES: at .*readers.cu:{line = y[7 * i] * 2}$
// LACKS: readers.cu:{line = y[7 * i] * 3}$
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
enum { THREADS = 64, BLOCKS = 64, N = THREADS * BLOCKS };
__global__ void words(float *y)
{
	int i = threadIdx.x;
	float next = y[i + 1];
	float word = y[i];
	y[i] = word + next;
}
__global__ void turns(float *y)
{
	int i = threadIdx.x;
	float behind = y[i + 32];
	float sum = __shfl_xor_sync(~0u, behind, 1);
	float here = y[i];
	__syncwarp();
	y[i] = here + sum;
}
__global__ void halves(short *h)
{
	int i = threadIdx.x;
	short later = h[i + 1];
	short half = h[i];
	h[i] = half + later;
}
__global__ void twice(float *to, const float *y)
{
	int i = blockIdx.x * THREADS + threadIdx.x;
	to[i] = y[i] * 2;
}
__global__ void thrice(float *to, const float *y)
{
	int i = blockIdx.x * THREADS + threadIdx.x;
	to[i] = y[i] * 3;
}
__global__ void twice_strided(float *to, const float *y)
{
	int i = threadIdx.x;
	to[i] = y[7 * i] * 2;
}
__global__ void thrice_strided(float *to, const float *y)
{
	int i = threadIdx.x;
	to[i] = y[7 * i] * 3;
}
__global__ void clear(float *y)
{
	y[threadIdx.x] = 0;
}
__global__ void narrow(short *h)
{
	h[threadIdx.x] = 1;
}
int main(int, char **argv)
{
	const char *form = argv[1];
	float *y, *to[2];
	cudaStream_t stream[2];
	if (strcmp(form, "host") == 0)
		cudaMallocManaged(&y, N * sizeof *y);
	else
		cudaMalloc(&y, N * sizeof *y);
	for (int k = 0; k < 2; k++) {
		cudaMalloc(&to[k], N * sizeof *y);
		cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking);
	}
	cudaMemset(y, 0, N * sizeof *y);
	cudaDeviceSynchronize();
	if (strcmp(form, "words") == 0) words<<<1, THREADS>>>(y);
	if (strcmp(form, "turns") == 0) turns<<<1, THREADS>>>(y);
	if (strcmp(form, "halves") == 0) halves<<<1, THREADS>>>((short *)y);
	if (strcmp(form, "streams") == 0) {
		twice<<<BLOCKS, THREADS, 0, stream[0]>>>(to[0], y);
		thrice<<<BLOCKS, THREADS, 0, stream[1]>>>(to[1], y);
		clear<<<1, THREADS, 0, stream[1]>>>(y + N - THREADS);
	}
	if (strcmp(form, "strided") == 0 || strcmp(form, "narrower") == 0 || strcmp(form, "host") == 0) {
		twice_strided<<<1, THREADS, 0, stream[0]>>>(to[0], y);
		thrice_strided<<<1, THREADS, 0, stream[1]>>>(to[1], y);
		if (*form == 'n') narrow<<<1, THREADS, 0, stream[1]>>>((short *)(y + 960));
		if (*form == 'h') {
			cudaStreamSynchronize(stream[1]);
			*y = 1;
		} else {
			clear<<<1, THREADS, 0, stream[1]>>>(y);
		}
	}
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	for (int k = 0; k < 2; k++) {
		cudaStreamDestroy(stream[k]);
		cudaFree(to[k]);
	}
	cudaFree(y);
	return 0;
}
