// Tiles of matrices in shared memory: barriers left out in the last turns, and products that are right.
// BUILD: $cucc --check -o $exe $case
// TEST: first
// RUN: finds first racecheck 4
// TEST: second
// RUN: finds second racecheck 4
// TEST: dynamic
// RUN: finds dynamic memcheck 4
// TEST: right_tiles
// RUN: right right_tiles 900
// TEST: right_ragged
// RUN: right right_ragged 50
// TEST: right_double
// RUN: right right_double 50
// TEST: right_dynamic
// RUN: right right_dynamic 10
// TEST: right_tiles_is_counted_alike
// RUN: counts_alike right_tiles
// TEST: right_ragged_is_counted_alike
// RUN: counts_alike right_ragged
#include "bulk.h"

__global__ void tiles(F *C, const F *A, const F *B, int n, int first, int second)
{
	__shared__ F a[T][T], b[T][T];
	int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * T + tx, row = blockIdx.y * T + ty;
	F sum = 0;
	for (int t = 0; t < n; t += T) {
		a[ty][tx] = A[row * n + t + tx]; // second: stored while others still read
		b[ty][tx] = B[(t + ty) * n + col];
		if (t < first) {
			__syncthreads();
		}
		for (int k = 0; k < T; k++) sum += a[ty][k] * b[k][tx]; // first: read before they are there
		if (t < second) {
			__syncthreads();
		}
	}
	C[row * n + col] = sum;
}
template <class V> __global__ void ragged(V *C, const V *A, const V *B, int m, int n, int k)
{
	__shared__ V a[T][T + 1], b[T][T];
	const int tx = threadIdx.x, ty = threadIdx.y;
	int col = blockIdx.x * T + tx, row = blockIdx.y * T + ty;
	V acc[2] = {0};
	for (int t = 0; t < k; t += T) {
		a[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : (V)0;
		b[ty][tx] = 0;
		if (t + ty < k && col < n) b[ty][tx] = B[(t + ty) * n + col];
		__syncthreads();
		for (int i = 0; i < T; i++) {
			V v = a[ty][i];
			acc[i % 2] += v * b[i][tx];
		}
		__syncthreads();
	}
	if (row < m && col < n) C[row * n + col] = acc[0] + acc[1];
}
__global__ void dynamic(F *x)
{
	extern __shared__ F d[];
	d[threadIdx.x] = 1; // dynamic: less than there are threads
	__syncthreads();
	x[blockIdx.x * N + threadIdx.x] = d[0];
}

static void launch(const char *what)
{
	if (!strcmp(what, "first"))
		tiles<<<grid, block>>>(d_x, d_y, d_y, n, 4 * T, n);
	else if (!strcmp(what, "second"))
		tiles<<<grid, block>>>(d_x, d_y, d_y, n, n, 4 * T);
	else if (!strcmp(what, "dynamic")) {
		dynamic<<<BLOCKS, N, N * sizeof(F)>>>(d_x);
		dynamic<<<BLOCKS, N, N * sizeof(F) - 16>>>(d_x);
	}
	else if (!strcmp(what, "right_tiles")) {
		tiles<<<grid, block>>>(d_x, d_y, d_y, n, n, n);
		tiles<<<dim3(2, 2), block>>>(d_x, four, four, 16, n, n);
		left = 256 * sizeof(F);
	}
	else if (!strcmp(what, "right_ragged")) {
		ragged<<<dim3(3, 4), block>>>(d_x, four, four, 27, 21, 35);
		left = 27 * 21 * sizeof(F);
	}
	else if (!strcmp(what, "right_double")) {
		ragged<<<dim3(3, 4), block>>>((double *)d_x, (const double *)d_y, (const double *)d_y, 27, 21, 35);
		left = 27 * 21 * sizeof(F);
	}
	else if (!strcmp(what, "right_dynamic"))
		dynamic<<<BLOCKS, N, N * sizeof(F)>>>(d_x);
	else
		exit(2);
}
