// Kernels whose memory traffic is worth counting, each launched once: built by
// nvcc and run under ncu, or built by `cucc --check` and run with
// CUDA_CPU_TOOLS=counters, they must give the same requests and sectors.
// cpudevice/tests/counters/compare.c lays the two side by side.
//
// Each kernel shows one pattern. Sizes are small enough for the CPU device and
// large enough that every kind of warp occurs (full, ragged).
// BUILD: $cucc --check -o $exe $case
// TEST: the counts are those that were recorded beside Nsight Compute's
// RUN: as_recorded h200/counters
// RUN: test $(wc -l <$work/b) -gt 200
// TEST: the table gives advice
// RUN: counted; cat $work/table
// SAYS: uncoalesced
// SAYS: bank conflicts
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
	fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)

enum { N = 65536, BLOCK = 256, SIDE = 256, TILE = 16, T = 32, BINS = 256 };

struct vec3 { float x, y, z; };

// ---- copies -----------------------------------------------------------------
__global__ void copy_stride1(float *out, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }
__global__ void copy_stride2(float *out, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[2 * i]; }
__global__ void copy_stride4(float *out, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[4 * i]; }
__global__ void copy_stride8(float *out, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[8 * i]; }
__global__ void copy_stride32(float *out, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[32 * i]; }
__global__ void store_stride32(float *out, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[32 * i] = in[i]; }
__global__ void copy_offset1(float *out, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i + 1] = in[i + 1]; }
__global__ void copy_8bytes(float2 *out, const float2 *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }
__global__ void copy_16bytes(float4 *out, const float4 *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }
__global__ void copy_double(double *out, const double *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }
__global__ void copy_char(unsigned char *out, const unsigned char *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }
__global__ void copy_12bytes(vec3 *out, const vec3 *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }
__global__ void copy_ragged(float *out, const float *in, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
__global__ void gather(float *out, const float *in, const int *index) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[index[i]]; }
__global__ void broadcast(float *out, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[blockIdx.x]; }
__global__ void reverse_blocks(float *out, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[N - 1 - i]; }

// ---- two index maps for one grid (lecture 3) -----------------------------------
__global__ void square_grid_rows(float *out, const float *in) {
	int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	float v = in[row * SIDE + col];
	out[row * SIDE + col] = v * v;
}
__global__ void square_grid_columns(float *out, const float *in) {
	int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
	float v = in[row * SIDE + col];
	out[row * SIDE + col] = v * v;
}

// ---- transposes -------------------------------------------------------------------
__global__ void transpose_naive(float *out, const float *in) {
	int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
	for (int j = 0; j < T; j += 8) out[x * SIDE + y + j] = in[(y + j) * SIDE + x];
}
__global__ void transpose_tile(float *out, const float *in) {
	__shared__ float tile[T][T];
	int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
	for (int j = 0; j < T; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * SIDE + x];
	__syncthreads();
	x = blockIdx.y * T + threadIdx.x;
	y = blockIdx.x * T + threadIdx.y;
	for (int j = 0; j < T; j += 8) out[(y + j) * SIDE + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void transpose_padded(float *out, const float *in) {
	__shared__ float tile[T][T + 1];
	int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
	for (int j = 0; j < T; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * SIDE + x];
	__syncthreads();
	x = blockIdx.y * T + threadIdx.x;
	y = blockIdx.x * T + threadIdx.y;
	for (int j = 0; j < T; j += 8) out[(y + j) * SIDE + x] = tile[threadIdx.x][threadIdx.y + j];
}

// ---- matrix products -----------------------------------------------------------------
__global__ void matmul_naive_rows(float *C, const float *A, const float *B) { // neighbours in x share a row of A
	int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < SIDE; k++) sum += A[row * SIDE + k] * B[k * SIDE + col];
	C[row * SIDE + col] = sum;
}
__global__ void matmul_naive_columns(float *C, const float *A, const float *B) {
	int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < SIDE; k++) sum += A[row * SIDE + k] * B[k * SIDE + col];
	C[row * SIDE + col] = sum;
}
__global__ void matmul_tiled16(float *C, const float *A, const float *B) {
	__shared__ float a[TILE][TILE], b[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
	float sum = 0;
	for (int t = 0; t < SIDE; t += TILE) {
		a[ty][tx] = A[row * SIDE + t + tx];
		b[ty][tx] = B[(t + ty) * SIDE + col];
		__syncthreads();
		for (int k = 0; k < TILE; k++) sum += a[ty][k] * b[k][tx];
		__syncthreads();
	}
	C[row * SIDE + col] = sum;
}
__global__ void matmul_tiled32(float *C, const float *A, const float *B) {
	__shared__ float a[T][T], b[T][T];
	int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * T + tx, row = blockIdx.y * T + ty;
	float sum = 0;
	for (int t = 0; t < SIDE; t += T) {
		a[ty][tx] = A[row * SIDE + t + tx];
		b[ty][tx] = B[(t + ty) * SIDE + col];
		__syncthreads();
		for (int k = 0; k < T; k++) sum += a[ty][k] * b[k][tx];
		__syncthreads();
	}
	C[row * SIDE + col] = sum;
}

// ---- shared memory -----------------------------------------------------------------------
__global__ void shared_stride2(float *out, const float *in) {
	__shared__ float s[2 * BLOCK];
	int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
	s[2 * t] = in[i];
	s[2 * t + 1] = in[i];
	__syncthreads();
	out[i] = s[2 * ((t + 1) % BLOCK)];
}
__global__ void shared_stride32(float *out, const float *in) {
	__shared__ float s[32 * 32 + 32];
	int t = threadIdx.x, i = blockIdx.x * 32 + t;
	s[32 * t] = in[i];
	__syncthreads();
	out[i] = s[32 * (31 - t)];
}
__global__ void shared_8bytes(float2 *out, const float2 *in) {
	__shared__ float2 s[BLOCK];
	int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
	s[t] = in[i];
	__syncthreads();
	out[i] = s[BLOCK - 1 - t];
}
__global__ void shared_16bytes(float4 *out, const float4 *in) {
	__shared__ float4 s[BLOCK];
	int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
	s[t] = in[i];
	__syncthreads();
	out[i] = s[BLOCK - 1 - t];
}
__global__ void reduce_interleaved(float *out, const float *in) {
	__shared__ float s[BLOCK];
	int t = threadIdx.x;
	s[t] = in[blockIdx.x * BLOCK + t];
	__syncthreads();
	for (int stride = 1; stride < BLOCK; stride *= 2) {
		int k = 2 * stride * t;
		if (k < BLOCK) s[k] += s[k + stride];
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_sequential(float *out, const float *in) {
	__shared__ float s[BLOCK];
	int t = threadIdx.x;
	s[t] = in[blockIdx.x * BLOCK + t];
	__syncthreads();
	for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
		if (t < stride) s[t] += s[t + stride];
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = s[0];
}

// ---- atomics --------------------------------------------------------------------------------
__global__ void histogram_global(unsigned *bins, const unsigned char *in) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&bins[in[i]], 1u);
}
__global__ void histogram_shared(unsigned *bins, const unsigned char *in) {
	__shared__ unsigned s[BINS];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	s[t] = 0;
	__syncthreads();
	atomicAdd(&s[in[i]], 1u);
	__syncthreads();
	atomicAdd(&bins[t], s[t]);
}

int main(void)
{
	float *a, *b, *c;
	unsigned char *bytes, *h_bytes = (unsigned char *)malloc(N);
	unsigned *bins;
	int *index, *h_index = (int *)malloc(N * sizeof *h_index);
	float *h_a = (float *)malloc(32 * N * sizeof *h_a);
	CHECK(cudaMalloc(&a, 32 * N * sizeof *a));
	CHECK(cudaMalloc(&b, 32 * N * sizeof *b));
	CHECK(cudaMalloc(&c, 32 * N * sizeof *c));
	CHECK(cudaMalloc(&bytes, N));
	CHECK(cudaMalloc(&bins, BINS * sizeof *bins));
	CHECK(cudaMalloc(&index, N * sizeof *index));
	unsigned r = 12345;
	for (int i = 0; i < N; i++) {
		r = r * 1664525u + 1013904223u;
		h_bytes[i] = (unsigned char)(r >> 24);
		h_index[i] = (int)(r >> 16);
	}
	for (int i = 0; i < 32 * N; i++) h_a[i] = (float)(i % 1000) / 1000;
	CHECK(cudaMemcpy(a, h_a, 32 * N * sizeof *a, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(b, h_a, 32 * N * sizeof *b, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(c, 0, 32 * N * sizeof *c));
	CHECK(cudaMemcpy(bytes, h_bytes, N, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(index, h_index, N * sizeof *index, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(bins, 0, BINS * sizeof *bins));

	int grid = N / BLOCK;
	copy_stride1<<<grid, BLOCK>>>(c, a);
	copy_stride2<<<grid, BLOCK>>>(c, a);
	copy_stride4<<<grid, BLOCK>>>(c, a);
	copy_stride8<<<grid, BLOCK>>>(c, a);
	copy_stride32<<<grid, BLOCK>>>(c, a);
	store_stride32<<<grid, BLOCK>>>(c, a);
	copy_offset1<<<grid, BLOCK>>>(c, a);
	copy_8bytes<<<grid, BLOCK>>>((float2 *)c, (const float2 *)a);
	copy_16bytes<<<grid, BLOCK>>>((float4 *)c, (const float4 *)a);
	copy_double<<<grid, BLOCK>>>((double *)c, (const double *)a);
	copy_char<<<grid, BLOCK>>>((unsigned char *)c, bytes);
	copy_12bytes<<<grid, BLOCK>>>((vec3 *)c, (const vec3 *)a);
	copy_ragged<<<grid, BLOCK>>>(c, a, N - 77);
	gather<<<grid, BLOCK>>>(c, a, index);
	broadcast<<<grid, BLOCK>>>(c, a);
	reverse_blocks<<<grid, BLOCK>>>(c, a);
	dim3 small(TILE, TILE), of_small(SIDE / TILE, SIDE / TILE), of_large(SIDE / T, SIDE / T);
	square_grid_rows<<<of_small, small>>>(c, a);
	square_grid_columns<<<of_small, small>>>(c, a);
	transpose_naive<<<of_large, dim3(T, 8)>>>(c, a);
	transpose_tile<<<of_large, dim3(T, 8)>>>(c, a);
	transpose_padded<<<of_large, dim3(T, 8)>>>(c, a);
	matmul_naive_rows<<<of_small, small>>>(c, a, b);
	matmul_naive_columns<<<of_small, small>>>(c, a, b);
	matmul_tiled16<<<of_small, small>>>(c, a, b);
	matmul_tiled32<<<of_large, dim3(T, T)>>>(c, a, b);
	shared_stride2<<<grid, BLOCK>>>(c, a);
	shared_stride32<<<N / 32, 32>>>(c, a);
	shared_8bytes<<<grid, BLOCK>>>((float2 *)c, (const float2 *)a);
	shared_16bytes<<<grid, BLOCK>>>((float4 *)c, (const float4 *)a);
	reduce_interleaved<<<grid, BLOCK>>>(c, a);
	reduce_sequential<<<grid, BLOCK>>>(c, a);
	histogram_global<<<grid, BLOCK>>>(bins, bytes);
	histogram_shared<<<grid, BLOCK>>>(bins, bytes);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(c));
	CHECK(cudaFree(bytes));
	CHECK(cudaFree(bins));
	CHECK(cudaFree(index));
	free(h_a);
	free(h_bytes);
	free(h_index);
	printf("33 kernels\n");
	return 0;
}
