// Global memory: beyond its end, never written, and written by one block while another reads or writes it.
// BUILD: $cucc --check -o $exe $case
// TEST: beyond
// RUN: finds beyond memcheck 3
// TEST: beyond_write
// RUN: finds beyond_write memcheck 3
// TEST: later
// RUN: finds later memcheck 3
// TEST: fresh
// RUN: finds fresh initcheck 3
// TEST: overlap
// RUN: finds overlap racecheck 3
// TEST: reread
// RUN: finds reread racecheck 3
// TEST: after_reads
// RUN: finds after_reads racecheck 4
// TEST: shared_row
// RUN: finds shared_row racecheck 10
// TEST: hidden
// RUN: finds hidden memcheck 0
// TEST: right_twice
// RUN: right right_twice 4
// TEST: right_rows
// RUN: right right_rows 4
// TEST: right_twice_is_counted_alike
// RUN: counts_alike right_twice
#include "bulk.h"

__global__ void beyond(F *y, const F *x) { y[blockIdx.x * N + threadIdx.x] = x[blockIdx.x * N + threadIdx.x]; } // beyond
__global__ void beyond_write(F *y, const F *x) { y[blockIdx.x * N + threadIdx.x] = x[blockIdx.x * N + threadIdx.x]; } // beyond_write
__global__ void later(F *y, int n)
{
	int i = blockIdx.x * N + threadIdx.x;
	y[i] = 2;
	if (blockIdx.x > 4) y[i + n] = 1; // later: no thread came here before
}
__global__ void fresh(F *y, const F *x) { int i = blockIdx.x * N + threadIdx.x; y[i] = 2 * x[i]; } // fresh
__global__ void overlap(F *y, int from) { int t = threadIdx.x; y[blockIdx.x * N + t - (blockIdx.x > from)] = t + (F)blockIdx.x; } // overlap
__global__ void reread(F *y, F *x)
{
	int i = blockIdx.x * N + threadIdx.x;
	y[i] = x[i + (blockIdx.x > 4)]; // reread: before its neighbour writes it, or after
	x[i] = i;
}
__global__ void after_reads(F *y, F *x)
{
	__shared__ F s[1];
	int t = threadIdx.x;
	y[blockIdx.x * N + t] = x[blockIdx.x * N + t];
	if (blockIdx.x == BLOCKS - 1) x[4 * N + t] = t; // after_reads: which another block reads
	if (t == 0) s[0] = 1;
	__syncthreads();
}
__global__ void shared_row(F *y, F *x, int last)
{
	int t = threadIdx.x;
	F v = x[t];
	if (blockIdx.x == last) x[t] = v + 1; // shared_row: which all blocks before have read
	y[blockIdx.x * N + t] = v;
}
struct Peep { // plain data: a kernel with a class's member functions would have no region at all
	const F *p;
};
__device__ F operator%(Peep p, int i) { return p.p[i]; } // hidden: what only the callbacks see
__global__ void hidden(F *y, Peep p)
{
	int i = blockIdx.x * N + threadIdx.x;
	y[i] = p % i;
}
__global__ void twice(F *y, const F *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	F v = x[i] * x[i];
	for (int k = 1; k < 3; k++) v += x[k * n + i] + fmaxf(x[k], 0);
	y[i] += v;
}


static void launch(const char *what)
{
	if (!strcmp(what, "beyond"))
		beyond<<<BLOCKS, N>>>(d_x, half);
	else if (!strcmp(what, "beyond_write"))
		beyond_write<<<BLOCKS, N>>>(half, d_x);
	else if (!strcmp(what, "later"))
		later<<<BLOCKS, N>>>(half - 16 * 5, 100000);
	else if (!strcmp(what, "fresh"))
		fresh<<<BLOCKS, N>>>(d_x, raw);
	else if (!strcmp(what, "overlap"))
		overlap<<<BLOCKS, N>>>(d_x, 5);
	else if (!strcmp(what, "reread"))
		reread<<<BLOCKS, N>>>(d_x, d_y);
	else if (!strcmp(what, "after_reads"))
		after_reads<<<BLOCKS, N>>>(d_x, d_y);
	else if (!strcmp(what, "shared_row"))
		shared_row<<<2 * BLOCKS, N>>>(d_x, d_y, 2 * BLOCKS - 1);
	else if (!strcmp(what, "hidden")) {
		Peep p = {half};
		hidden<<<BLOCKS, N>>>(d_x, p);
	}
	else if (!strcmp(what, "right_twice"))
		twice<<<BLOCKS, N>>>(d_x, four, N * BLOCKS - 3);
	else if (!strcmp(what, "right_rows"))
		overlap<<<BLOCKS, N>>>(d_x, BLOCKS);
	else
		exit(2);
}
