// Kernels on two streams, the second of which waits for an event between two launches of the first.
// BUILD: $cucc --check -o $exe $case
// TEST: other_kernel
// RUN: finds other_kernel racecheck 20
// TEST: right_kernels
// RUN: right right_kernels 20
#include "bulk.h"

__global__ void read_row(F *y, const F *x) { y[blockIdx.x * N + threadIdx.x] = x[threadIdx.x]; }
__global__ void write_row(F *x, F by) { x[threadIdx.x] = by; } // other_kernel: ordered behind the first reader, not the second

static void launch(const char *what)
{
	const bool early = !strcmp(what, "other_kernel"); // the event comes before the second launch
	cudaStream_t a, b;
	cudaEvent_t read;
	cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&read);
	cudaDeviceSynchronize();
	read_row<<<2 * BLOCKS, N, 0, a>>>(d_x, d_y);
	if (early) cudaEventRecord(read, a);
	read_row<<<2 * BLOCKS, N, 0, a>>>(d_x + 2 * BLOCKS * N, d_y);
	if (!early) cudaEventRecord(read, a);
	cudaStreamWaitEvent(b, read, 0);
	write_row<<<1, N, 0, b>>>(d_y, 3);
	cudaDeviceSynchronize();
	cudaEventDestroy(read), cudaStreamDestroy(b), cudaStreamDestroy(a);
}
