// How many registers a thread has, from what nvcc -Xptxas -v prints of each kernel. All blocks have 1024 threads, and a
// multiprocessor of the chip of round figures has registers for two such blocks of up to 32 registers per thread, and for one of
// up to 64.
// BUILD: $cucc --model h100 -o $exe $case
// SKIPS: no nvcc
// The list has no absent_kernel, and no instance of instance_kernel for double: those that it has differ. It has both instances of
// colour_kernel, whose argument it writes as (colour)0.
// TEST: each kernel has its own
// RUN: by_hand; registers
// PRINTS: plain_kernel 64 50.0
// PRINTS: instance_kernel 40 50.0
// PRINTS: instance_kernel 24 100.0
// PRINTS: instance_kernel 32 100.0 assumed
// PRINTS: colour_kernel 48 50.0
// PRINTS: colour_kernel 48 50.0
// PRINTS: {anonymous}::unnamed_kernel 56 50.0
// PRINTS: absent_kernel 32 100.0 assumed
// TEST: it says that some are assumed
// RUN: by_hand; cat $work/table
// SAYS: 32 registers per thread are assumed for kernels that the file does not name
// TEST: a file without a kernel
// RUN: CUDA_CPU_MODEL=h100 CUDA_CPU_MODEL_REGISTERS=$case $exe
// STATUS: 2
// SAYS: no kernel's registers in it
// TEST: a file that is not there
// RUN: CUDA_CPU_MODEL=h100 CUDA_CPU_MODEL_REGISTERS=$work/none $exe
// STATUS: 2
// SAYS: neither a number of registers from 1 to 255 nor a file
// TEST: too many registers
// RUN: CUDA_CPU_MODEL=h100 CUDA_CPU_MODEL_REGISTERS=256 $exe
// STATUS: 2
// SAYS: not a number of registers from 1 to 255
// TEST: nvcc: its list names all kernels
// RUN: by_nvcc; registers | cut -d' ' -f2,4 | sort >$work/of_model; sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' $work/list | sort >$work/of_nvcc; diff $work/of_nvcc $work/of_model && echo the same
// PRINTS: the same
#include <cstdio>

enum colour { red, blue };

__global__ void plain_kernel(float *x) { x[threadIdx.x] = 1; }

template <int N, class T> __global__ void instance_kernel(T *x)
{
	for (int i = 0; i < N; i++)
		x[threadIdx.x + 1024 * i] += 3;
}

template <colour C> __global__ void colour_kernel(float *x) { x[threadIdx.x] += 2; }

namespace {
__global__ void unnamed_kernel(float *x) { x[threadIdx.x] *= 2; }
} // namespace

__global__ void absent_kernel(float *x) { x[threadIdx.x] += 1; }

int main()
{
	void *p;
	cudaMalloc(&p, 4 * 1024 * sizeof(double));
	cudaMemset(p, 0, 4 * 1024 * sizeof(double));
	float *x = (float *)p;
	plain_kernel<<<1, 1024>>>(x);
	instance_kernel<4><<<1, 1024>>>(x);
	instance_kernel<4><<<1, 1024>>>((int *)p);
	instance_kernel<4><<<1, 1024>>>((double *)p);
	colour_kernel<red><<<1, 1024>>>(x);
	colour_kernel<blue><<<1, 1024>>>(x);
	unnamed_kernel<<<1, 1024>>>(x);
	absent_kernel<<<1, 1024>>>(x);
	puts(cudaGetErrorString(cudaDeviceSynchronize()));
	return 0;
}
