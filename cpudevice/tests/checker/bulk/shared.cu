// Shared memory: what was never written, what is too small, indices that go beyond in one block.
// BUILD: $cucc --check -o $exe $case
// TEST: unset
// RUN: finds unset initcheck 4
// TEST: small
// RUN: finds small memcheck 4
// TEST: keys
// RUN: finds keys memcheck 10
// TEST: by_data
// RUN: finds by_data memcheck 3
// TEST: by_block
// RUN: finds by_block memcheck 3
// TEST: own_step
// RUN: finds own_step memcheck 3
// TEST: right_data
// RUN: right right_data 6
// TEST: right_data_is_counted_alike
// RUN: counts_alike right_data
#include "bulk.h"

__global__ void unset(F *x, int bad)
{
	__shared__ F s[N];
	int t = threadIdx.x;
	if (blockIdx.x != bad || t != 5) s[t] = t;
	__syncthreads();
	x[blockIdx.x * N + t] = s[N - 1 - t]; // unset: element 5 of one block
}
__global__ void small(F *x)
{
	__shared__ F s[N];
	s[threadIdx.x] = 1; // small: more threads than elements
	__syncthreads();
	x[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}
__global__ void keys(F *x)
{
	__shared__ F s[N + 32];
	int t = threadIdx.x;
	F sum = 0;
	const int last = blockIdx.x < 5 ? 32 : 64;
	s[t] = t;
	if (t < 32) s[t + 64] = t;
	__syncthreads();
	for (int d = 1; d <= last; d *= 2) {
		if (t < 33) sum += s[t + d]; // keys: too far for one d, in one block
		__syncthreads();
	}
	x[blockIdx.x * N + t] = sum;
}
__global__ void by_data(F *y, const int *at)
{
	__shared__ F s[N];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	int k = at[blockIdx.x * N + t];
	y[blockIdx.x * N + t] = s[k]; // by_data: one of them is too large
}
__global__ void by_block(F *y)
{
	__shared__ F s[N];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	y[blockIdx.x * N + t] = s[t / BLOCKS + BLOCKS * blockIdx.x + blockIdx.x / 7]; // by_block: the last one is too large
}
__global__ void own_step(F *y, int skip)
{
	__shared__ F s[N];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	F sum = 0;
	for (int k = 0; k < N; k++) {
		if (t == 3 && blockIdx.x == 6 && k == N - 1) k += skip;
		sum += s[k]; // own_step: its last turn goes too far
	}
	y[blockIdx.x * N + t] = sum;
}

static void launch(const char *what)
{
	if (!strcmp(what, "unset"))
		unset<<<BLOCKS, N>>>(d_x, 6);
	else if (!strcmp(what, "small")) {
		small<<<BLOCKS, N>>>(d_x);
		small<<<BLOCKS, N + 8>>>(d_x);
	}
	else if (!strcmp(what, "keys"))
		keys<<<BLOCKS, N>>>(d_x);
	else if (!strcmp(what, "by_data"))
		by_data<<<BLOCKS, N>>>(d_x, at);
	else if (!strcmp(what, "by_block"))
		by_block<<<BLOCKS, N>>>(d_x);
	else if (!strcmp(what, "own_step"))
		own_step<<<BLOCKS, N>>>(d_x, 1);
	else if (!strcmp(what, "right_data")) {
		for (int i = 0; i < N * BLOCKS; i++) h_at[i] = i * 7 % N;
		cudaMemcpy(at, h_at, sizeof h_at, cudaMemcpyHostToDevice);
		by_data<<<BLOCKS, N>>>(d_x, at);
	}
	else
		exit(2);
}
