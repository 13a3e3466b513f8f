#!/bin/sh
# Regions that `cucc --check` runs without callbacks: mistakes that come only after the region has run well, so that it is
# the bulk check that must see them; programs that are right; and code that must not be taken for such.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP bulk: for the CPU device"; exit 0; }
out=build/cpu/tests/check_bulk
mkdir -p "$out"
cat >"$out/bulk.cu" <<'END'
#include <cstdio>
#include <cstring>
enum { T = 8, N = 64, BLOCKS = 8 };
typedef float F;

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
__global__ void dynamic(F *x)
{
	extern __shared__ F d[];
	d[threadIdx.x] = 1; // dynamic: less than there are threads
	__syncthreads();
	x[blockIdx.x * N + threadIdx.x] = d[0];
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
__global__ void read_row(F *y, const F *x) { y[blockIdx.x * N + threadIdx.x] = x[threadIdx.x]; }
__global__ void write_row(F *x, F by) { x[threadIdx.x] = by; } // other_kernel: ordered behind the first reader, not the second
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
	y[blockIdx.x * N + t] = s[N - 1 - t]; // joined: in the last blocks no barrier stands between the two
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

static F *d_x, *d_y, *d_z;
static F h[4 * N * BLOCKS];
int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const size_t bytes = N * BLOCKS * sizeof(F);
	dim3 grid(T, T), block(T, T);
	for (int i = 0; i < 4 * N * BLOCKS; i++) h[i] = (F)(i % 7);
	if (cudaMalloc(&d_x, N * N * sizeof(F)) || cudaMalloc(&d_y, N * N * sizeof(F)) || cudaMalloc(&d_z, N * N * sizeof(F))) return 1;
	cudaMemset(d_x, 0, N * N * sizeof(F));
	cudaMemset(d_y, 0, N * N * sizeof(F));
	cudaMemcpy(d_z, h, bytes, cudaMemcpyHostToDevice);
	F *half, *raw, *four;
	int *at, h_at[N * BLOCKS];
	cudaMalloc(&half, bytes - 64);
	cudaMemcpy(half, h, bytes - 64, cudaMemcpyHostToDevice);
	cudaMalloc(&raw, bytes);
	cudaMemcpy(raw, h, bytes - 64, cudaMemcpyHostToDevice);
	cudaMalloc(&four, 4 * bytes);
	cudaMemcpy(four, h, 4 * bytes, cudaMemcpyHostToDevice);
	for (int i = 0; i < N * BLOCKS; i++) h_at[i] = i == 6 * N + 3 ? N : i % N;
	cudaMalloc(&at, sizeof h_at);
	cudaMemcpy(at, h_at, sizeof h_at, cudaMemcpyHostToDevice);
	int n = N;
	size_t left = bytes;
	if (!strcmp(what, "first")) tiles<<<grid, block>>>(d_x, d_y, d_y, n, 4 * T, n);
	else if (!strcmp(what, "second")) tiles<<<grid, block>>>(d_x, d_y, d_y, n, n, 4 * T);
	else if (!strcmp(what, "unset")) unset<<<BLOCKS, N>>>(d_x, 6);
	else if (!strcmp(what, "small")) { small<<<BLOCKS, N>>>(d_x); small<<<BLOCKS, N + 8>>>(d_x); }
	else if (!strcmp(what, "dynamic")) { dynamic<<<BLOCKS, N, N * sizeof(F)>>>(d_x); dynamic<<<BLOCKS, N, N * sizeof(F) - 16>>>(d_x); }
	else if (!strcmp(what, "keys")) keys<<<BLOCKS, N>>>(d_x);
	else if (!strcmp(what, "beyond")) beyond<<<BLOCKS, N>>>(d_x, half);
	else if (!strcmp(what, "beyond_write")) beyond_write<<<BLOCKS, N>>>(half, d_x);
	else if (!strcmp(what, "later")) later<<<BLOCKS, N>>>(half - 16 * 5, 100000);
	else if (!strcmp(what, "fresh")) fresh<<<BLOCKS, N>>>(d_x, raw);
	else if (!strcmp(what, "overlap")) overlap<<<BLOCKS, N>>>(d_x, 5);
	else if (!strcmp(what, "reread")) reread<<<BLOCKS, N>>>(d_x, d_y);
	else if (!strcmp(what, "after_reads")) after_reads<<<BLOCKS, N>>>(d_x, d_y);
	else if (!strcmp(what, "shared_row")) shared_row<<<2 * BLOCKS, N>>>(d_x, d_y, 2 * BLOCKS - 1);
	else if (!strcmp(what, "other_kernel") || !strcmp(what, "right_kernels")) {
		cudaStream_t a, b;
		cudaEvent_t read;
		cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&read);
		cudaDeviceSynchronize();
		read_row<<<2 * BLOCKS, N, 0, a>>>(d_x, d_y);
		if (*what == 'o') cudaEventRecord(read, a);
		read_row<<<2 * BLOCKS, N, 0, a>>>(d_x + 2 * BLOCKS * N, d_y);
		if (*what == 'r') cudaEventRecord(read, a);
		cudaStreamWaitEvent(b, read, 0);
		write_row<<<1, N, 0, b>>>(d_y, 3);
		cudaDeviceSynchronize();
		cudaEventDestroy(read), cudaStreamDestroy(b), cudaStreamDestroy(a);
	}
	else if (!strcmp(what, "late_write")) late_write<<<BLOCKS, N>>>(d_x, at, 5);
	else if (!strcmp(what, "skips")) skips<<<BLOCKS, N>>>(d_x, 6);
	else if (!strcmp(what, "joined")) joined<<<BLOCKS, N>>>(d_x, 6);
	else if (!strcmp(what, "behind")) behind<<<BLOCKS, N>>>(d_x, at, 6);
	else if (!strcmp(what, "right_skips")) skips<<<BLOCKS, N>>>(d_x, BLOCKS);
	else if (!strcmp(what, "right_behind")) behind<<<BLOCKS, N>>>(d_x, at, BLOCKS);
	else if (!strcmp(what, "by_data")) by_data<<<BLOCKS, N>>>(d_x, at);
	else if (!strcmp(what, "by_block")) by_block<<<BLOCKS, N>>>(d_x);
	else if (!strcmp(what, "own_step")) own_step<<<BLOCKS, N>>>(d_x, 1);
	else if (!strcmp(what, "hidden")) { Peep p = {half}; hidden<<<BLOCKS, N>>>(d_x, p); }
	else if (!strcmp(what, "right_tiles")) { tiles<<<grid, block>>>(d_x, d_y, d_y, n, n, n); left = 0; tiles<<<dim3(2, 2), block>>>(d_x, four, four, 16, n, n); left = 256 * sizeof(F); }
	else if (!strcmp(what, "right_ragged")) { ragged<<<dim3(3, 4), block>>>(d_x, four, four, 27, 21, 35); left = 27 * 21 * sizeof(F); }
	else if (!strcmp(what, "right_double")) { ragged<<<dim3(3, 4), block>>>((double *)d_x, (const double *)d_y, (const double *)d_y, 27, 21, 35); left = 27 * 21 * sizeof(F); }
	else if (!strcmp(what, "right_dynamic")) dynamic<<<BLOCKS, N, N * sizeof(F)>>>(d_x);
	else if (!strcmp(what, "right_twice")) twice<<<BLOCKS, N>>>(d_x, four, N * BLOCKS - 3);
	else if (!strcmp(what, "right_data")) { for (int i = 0; i < N * BLOCKS; i++) h_at[i] = i * 7 % N; cudaMemcpy(at, h_at, sizeof h_at, cudaMemcpyHostToDevice); by_data<<<BLOCKS, N>>>(d_x, at); }
	else if (!strcmp(what, "right_rows")) overlap<<<BLOCKS, N>>>(d_x, BLOCKS);
	else return 2;
	cudaMemcpy(h, d_x, left, cudaMemcpyDeviceToHost);
	double sum = 0;
	for (size_t i = 0; i < left / sizeof(F); i++) sum += h[i] * (double)(i % 13 + 1);
	printf("%.6g\n", sum);
	cudaFree(d_x), cudaFree(d_y), cudaFree(d_z), cudaFree(half), cudaFree(raw), cudaFree(four), cudaFree(at);
	return 0;
}
END
cpudevice/cucc --check -o "$out/bulk" "$out/bulk.cu" && cpudevice/cucc -o "$out/plain" "$out/bulk.cu" || { echo "not ok"; exit 1; }
failed=0
run() { # what, CUDA_CPU_BULK
	rm -f "$out/$1.json"
	CUDA_CPU_WORKERS=1 CUDA_CPU_BULK=$2 CUDA_CPU_SHADOW=1 CUDA_CPU_REPORT=$out/$1.json "$out/bulk" "$1" >"$out/$1.out" 2>"$out/$1.err"
	regions=$(sed -n 's/.* \([0-9]*\) regions ran without callbacks/\1/p' "$out/$1.err")
}
bad() { failed=1 && echo "not ok"; echo "$1: $2"; }
# Of several blocks that read a word any may be named.
findings() { grep '"tool"' "$out/$1.json" | sed 's/"other": {"block": \[[0-9]*/"other": {"block": [?/'; }
# The finding is the one that the callbacks alone make, at the line marked with the name; regions did run without them.
finds() { # what, tool, at least so many regions
	run "$1" 0
	findings "$1" >"$out/$1.want"
	run "$1" 1
	line=$(grep -n "// $1" "$out/bulk.cu" | head -n 1 | cut -d: -f1)
	if ! findings "$1" | cmp -s - "$out/$1.want"; then bad "$1" "another finding than with callbacks"
	elif ! grep "\"tool\": \"$2\"" "$out/$1.want" | grep -q "\"line\": $line,"; then bad "$1" "not found at line $line"
	elif [ "$regions" -lt "$3" ]; then bad "$1" "$regions regions ran without callbacks"
	else echo "ok"; fi
}
right() { # what, at least so many regions
	run "$1" 1
	if ! grep -q ': 0 errors' "$out/$1.err"; then bad "$1" "a false finding"
	elif [ "$(cat "$out/$1.out")" != "$("$out/plain" "$1")" ]; then bad "$1" "wrong result $(cat "$out/$1.out")"
	elif [ "$regions" -lt "$2" ]; then bad "$1" "$regions regions ran without callbacks"
	else echo "ok"; fi
}
finds first racecheck 4
finds second racecheck 4
finds unset initcheck 4
finds small memcheck 4
finds dynamic memcheck 4
finds keys memcheck 10
finds beyond memcheck 3
finds beyond_write memcheck 3
finds later memcheck 3
finds fresh initcheck 3
finds overlap racecheck 3
finds reread racecheck 3
finds after_reads racecheck 4
finds shared_row racecheck 10
finds other_kernel racecheck 20
finds late_write racecheck 9
finds skips initcheck 6
finds joined racecheck 6
finds behind racecheck 6
finds by_data memcheck 3
finds by_block memcheck 3
finds own_step memcheck 3
finds hidden memcheck 0
right right_tiles 900
right right_ragged 50
right right_double 50
right right_dynamic 10
right right_twice 4
right right_data 6
right right_rows 4
right right_kernels 20
right right_skips 10
right right_behind 10
# The counters are the same, too.
for what in right_tiles right_ragged right_twice right_data; do
	for bulk in 0 1; do
		CUDA_CPU_WORKERS=1 CUDA_CPU_BULK=$bulk CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$out/$what.$bulk.csv "$out/bulk" $what >"$out/$what.table" 2>&1
	done
	if cmp -s "$out/$what.0.csv" "$out/$what.1.csv"; then echo "ok"; else bad $what "other counts"; fi
done
[ $failed = 0 ]
