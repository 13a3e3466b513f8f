// Kernels that `cucc --check` runs in loops over their threads: what it knows about words and threads there.
// BUILD: $cucc --check -o $exe $case
// TEST: a write after reads of a known word
// RUN: finds {line // A:} 8
// TEST: a read after that write
// RUN: finds {line // B:} 9
// TEST: a write after reads of this epoch
// RUN: finds {line // C:} 63
// TEST: a write after reads in global memory
// RUN: finds {line // D:} 63
// TEST: a fault, by its thread
// RUN: finds {line // E:} 5
// Thread 4 has written its 1; 5 has ended, and 6 with it, so that theirs are still the sum 10.
// TEST: who ran before the fault, and who did not
// RUN: $exe 2>$work/err || :
// PRINTS: 1 10 10
#include <cstdio>
__global__ void known_until_written(int *x, int zero)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	int sum = 0;
	if (t < 8) sum = s[20];
	if (t == 8) s[20] = 1; // A: after reads
	if (t > 8) sum = s[20 + zero]; // B: reads it
	x[t] = sum;
}
__global__ void known_until_the_barrier(int *x)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	int sum = s[20];
	__syncthreads();
	sum += s[20];
	if (t == 63) s[20] = sum; // C: after reads
	__syncthreads();
	x[t] = sum;
}
__global__ void known_in_global(int *x, const int *one)
{
	int sum = 0;
	for (int k = 0; k < 4; k++) sum += one[k];
	x[threadIdx.x] = sum;
	if (threadIdx.x == 63) ((int *)one)[2] = 0; // D: after reads
}
__global__ void ends(int *x, int *null)
{
	if (threadIdx.x == 5) null[0] = 1; // E: no memory
	x[threadIdx.x] = 1;
}
int main()
{
	int *x, *one, h[64] = {1, 2, 3, 4};
	if (cudaMalloc(&x, 256) || cudaMalloc(&one, 16) || cudaMemcpy(one, h, 16, cudaMemcpyHostToDevice)) return 1;
	known_until_written<<<1, 64>>>(x, 0);
	known_until_the_barrier<<<1, 64>>>(x);
	known_in_global<<<1, 64>>>(x, one);
	ends<<<1, 64>>>(x, nullptr);
	cudaMemcpy(h, x, 256, cudaMemcpyDeviceToHost);
	printf("%d %d %d\n", h[4], h[5], h[6]);
	return cudaFree(x) || cudaFree(one);
}
