// Barriers that some blocks, or some turns of a loop, leave out.
// BUILD: $cucc --check -o $exe $case
// TEST: late_write
// RUN: finds late_write racecheck 9
// TEST: skips
// RUN: finds skips initcheck 6
// TEST: joined
// RUN: finds joined racecheck 6
// TEST: behind
// RUN: finds behind racecheck 6
// TEST: right_skips
// RUN: right right_skips 10
// TEST: right_behind
// RUN: right right_behind 10
#include "bulk.h"

__global__ void late_write(F *y, const int *at, int last)
{
	__shared__ F s[N];
	int t = threadIdx.x;
	F sum = 0;
	s[t] = t;
	__syncthreads();
	for (int i = 0; i < 8; i++) {
		for (int k = 0; k < N; k++) sum += s[k];
		if (i < last) {
			__syncthreads();
		}
		s[at[t]] = sum; // late_write: not in bulk, while others still read
		__syncthreads();
	}
	y[blockIdx.x * N + t] = sum;
}
__global__ void skips(F *y, int from)
{
	__shared__ F s[N];
	int t = threadIdx.x;
	if (blockIdx.x < from) {
		s[t] = t;
		__syncthreads();
	}
	y[blockIdx.x * N + t] = s[N - 1 - t]; // skips: in the last blocks the first region has not run before it
}
__global__ void joined(F *y, int from)
{
	__shared__ F s[N];
	int t = threadIdx.x;
	s[t] = t;
	if (blockIdx.x < from) {
		__syncthreads();
	}
	y[blockIdx.x * N + t] = s[N - 1 - t]; // joined: in the last blocks there is no barrier between the two
}
__global__ void behind(F *y, const int *at, int from)
{
	__shared__ F s[N];
	int t = threadIdx.x;
	F sum = 0;
	s[t] = t;
	__syncthreads();
	for (int k = 0; k < N; k++) sum += s[k];
	if (blockIdx.x < from) {
		__syncthreads();
	}
	s[at[t]] = sum; // behind: not in bulk, while others still read, in blocks that have gone as others before them
	__syncthreads();
	y[blockIdx.x * N + t] = sum;
}

static void launch(const char *what)
{
	if (!strcmp(what, "late_write"))
		late_write<<<BLOCKS, N>>>(d_x, at, 5);
	else if (!strcmp(what, "skips"))
		skips<<<BLOCKS, N>>>(d_x, 6);
	else if (!strcmp(what, "joined"))
		joined<<<BLOCKS, N>>>(d_x, 6);
	else if (!strcmp(what, "behind"))
		behind<<<BLOCKS, N>>>(d_x, at, 6);
	else if (!strcmp(what, "right_skips"))
		skips<<<BLOCKS, N>>>(d_x, BLOCKS);
	else if (!strcmp(what, "right_behind"))
		behind<<<BLOCKS, N>>>(d_x, at, BLOCKS);
	else
		exit(2);
}
