// The parts of a launch's time on a chip of round figures (round.csv), worked out by hand beside each kernel. A sector of
// DRAM takes 1 ns of the chip, one that L2 gives half of that, one that it takes 1 ns, and 2 ns if only part of it is
// written; a pass of shared memory or L1 takes 1 ns of its multiprocessor; a block is started in 1 ns.
// BUILD: $cucc --model h100 -o $exe $case
// 16384 floats in and out: 2048 sectors each way. 512 warps load and store 128 bytes: 1024 passes on 4 multiprocessors.
// TEST: copy
// RUN: modelled; columns copy_kernel dram_us l2_us l1_us limiter
// PRINTS: 4.096 3.072 0.256 dram
// TEST: blocks start one after the other
// RUN: modelled; columns copy_kernel launch_us
// PRINTS: 1.064
// 32 blocks are resident, so that 64 take two turns: 1000 ns each for a trip to DRAM, and 50 between a block and its
// successor. The parts 4.096, 3.072, 0.256, 0.448 (issue), 2.050 and 0.064 (starts) hide each other as the sides of a box
// do: sqrt(4.096^2 + ...) = 5.540; before them 1 of the launch and 1 of the first trip.
// TEST: parts hide each other in part
// RUN: modelled; columns copy_kernel latency_us cold_us
// PRINTS: 2.050 7.540
// In steps of 8 floats each lane has a sector of its own: 2048 of them come, though 256 would do. 64 warps load 8 lines
// each, and store one: 576 passes. 64 warps x 4 sectors go out.
// TEST: strided
// RUN: modelled; columns strided_kernel dram_us l2_us l1_us
// PRINTS: 2.304 1.280 0.144
// TEST: it says what coalescing would bring
// RUN: modelled; cat $work/table
// SAYS: if its accesses were coalesced
// 8 blocks read the same 4096 bytes: DRAM sees 128 sectors once, L2 8 times; the sums that go out are part of
// 8 sectors.
// TEST: L2 is asked once for all
// RUN: modelled; columns again_kernel dram_us l2_us
// PRINTS: 0.136 0.528
// 8 warps on 4 multiprocessors store a column of 32 words: 32 passes each, the other 31 of them conflicts; each loads a
// word for all, 1 pass; and stores 1 line: 8 x 34 / 4 passes.
// TEST: bank conflicts
// RUN: modelled; columns column_kernel l1_us; cat $work/table
// SAYS: 0.068
// Blocks of one warp, which loads a line and stores one: 2 passes. Of 5 blocks one multiprocessor has 2, so that they take as
// long as 8.
// TEST: the tail
// RUN: modelled; columns tail_kernel l1_us
// PRINTS: 0.002
// PRINTS: 0.004
// 256 lanes add to one word: 10 ns each.
// TEST: atomics on one word
// RUN: modelled; columns atomic_kernel l2_us limiter
// PRINTS: 2.560 l2
// 32 lanes add to one word in each 16 bytes: 16 sectors, each of them in one pass, and all in one unit's 512 bytes: 10 ns.
// TEST: atomics on one unit
// RUN: modelled; columns unit_kernel l2_us
// PRINTS: 0.160
// 32 lanes add to one word in each 512 bytes: 32 passes, and L2 does one in 8 ns.
// TEST: atomics on many units
// RUN: modelled; columns units_kernel l2_us
// PRINTS: 0.256
// 1 warp loads 64 times, four at a time, past all caches: 16 trips of 1000 ns; the warp stores once.
// 5 shuffles, each of which waits for the one before and for the load: 1000 + 5 x 15 ns.
// TEST: shuffles are waited for
// RUN: modelled; columns shuffles_kernel latency_us
// PRINTS: 1.075
// TEST: latency
// RUN: modelled; columns trips_kernel latency_us limiter
// PRINTS: 16.000 latency
// A block of 1024 threads and 32 registers each: two are resident, all 64 warps. With 64 registers one.
// TEST: the range beside a time
// RUN: modelled; ranged dram copy_kernel
// PRINTS: the same
// TEST: occupancy by registers
// RUN: modelled; columns wide_kernel occupancy_pct; CUDA_CPU_MODEL_REGISTERS=64 modelled; columns wide_kernel occupancy_pct registers
// PRINTS: 100.0
// PRINTS: 50.0 64
// TEST: a grid that asks for the multiprocessors
// RUN: modelled; cat $work/out
// SAYS: 4 multiprocessors
// TEST: a chip that is not known
// RUN: CUDA_CPU_MODEL=h900 $exe
// STATUS: 2
// SAYS: no chip 'h900'; there are a100 b200 h100 h200 l4 rtx4090 t4
// TEST: a chip's file with a figure missing
// RUN: sed /l2_mb/d $folder/round.csv > $work/less.csv; CUDA_CPU_MODEL=$work/less.csv $exe
// STATUS: 2
// SAYS: no line for l2_mb
// TEST: registers that are no number
// RUN: CUDA_CPU_MODEL=h100 CUDA_CPU_MODEL_REGISTERS=many $exe
// STATUS: 2
// TEST: cucc --model
// RUN: $cucc --model h100 -o $work/own $case; $work/own
// SAYS: model of the chip h100
// TEST: without the model nothing is said of it
// RUN: $cucc --check -o $work/own $case; $work/own 2>&1
// LACKS: model of
// TEST: the columns
// RUN: modelled; head -n 1 $work/model.csv
// PRINTS: kernel,grid,block,cold_us,warm_us,limiter,dram_us,l2_us,l1_us,issue_us,math_us,latency_us,launch_us,registers,occupancy_pct,note
// Where a region's accesses are told by rows of threads, each instruction is the same as where each thread tells its own.
// TEST: regions in bulk are the same
// RUN: modelled; cp $work/model.csv $work/bulk.csv; CUDA_CPU_BULK=0 modelled; cmp $work/bulk.csv $work/model.csv && echo the same
// PRINTS: the same
// All blocks of a launch but the first two: the model costs what the counters cost.
// TEST: regions run in bulk under the model
// RUN: CUDA_CPU_SHADOW=1 modelled; awk '/regions ran/ { if ($(NF - 4) >= 60) print "most of them"; else print }' $work/table
// PRINTS: most of them
// TEST: what it does not know has no number
// RUN: modelled; columns spinning_kernel cold_us limiter note
// PRINTS:   "blocks wait for each other or for the host: not modelled"
#include <cooperative_groups.h>
#include <cstdio>

static __global__ void copy_kernel(const float *x, float *y)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = x[i];
}

static __global__ void strided_kernel(const float *x, float *y)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = x[8 * i];
}

static __global__ void again_kernel(const float *x, float *y)
{
	float s = 0;
	for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
		s += x[i];
	if (threadIdx.x == 0)
		y[8 * blockIdx.x] = s;
}

static __global__ void column_kernel(float *y)
{
	__shared__ float tile[32 * 32];
	tile[32 * threadIdx.x] = (float)threadIdx.x;
	__syncthreads();
	y[blockIdx.x * 32 + threadIdx.x] = tile[0];
}

static __global__ void tail_kernel(const float *x, float *y)
{
	unsigned i = blockIdx.x * 32 + threadIdx.x;
	y[i] = x[i];
}

static __global__ void atomic_kernel(int *n) { atomicAdd(n, 1); }

static __global__ void unit_kernel(int *n) { atomicAdd(n + 4 * threadIdx.x, 1); }

static __global__ void units_kernel(int *n) { atomicAdd(n + 128 * threadIdx.x, 1); }

static __global__ void trips_kernel(const float *x, float *y)
{
	float s = 0;
	for (unsigned i = 0; i < 64; i++)
		s += x[i * 32 + threadIdx.x];
	y[threadIdx.x] = s;
}

static __global__ void shuffles_kernel(const float *x, float *y)
{
	float s = x[threadIdx.x];
	for (int step = 16; step > 0; step /= 2)
		s += __shfl_xor_sync(0xffffffffu, s, step);
	y[threadIdx.x] = s;
}

static __global__ void wide_kernel(float *y) { y[threadIdx.x] = 1; }

static __global__ void spinning_kernel(float *y)
{
	cooperative_groups::this_grid().sync();
	y[threadIdx.x] = 2;
}

int main()
{
	float *x, *y;
	cudaMalloc(&x, 1 << 18);
	cudaMalloc(&y, 1 << 18);
	cudaMemset(x, 0, 1 << 18);
	cudaMemset(y, 0, 1 << 18);
	copy_kernel<<<64, 256>>>(x, y);
	strided_kernel<<<8, 256>>>(x, y);
	again_kernel<<<8, 256>>>(x, y);
	column_kernel<<<8, 32>>>(y);
	tail_kernel<<<4, 32>>>(x, y);
	tail_kernel<<<5, 32>>>(x, y);
	cudaMemset(y, 0, 1 << 18);
	atomic_kernel<<<1, 256>>>((int *)y);
	unit_kernel<<<1, 32>>>((int *)y);
	units_kernel<<<1, 32>>>((int *)y);
	trips_kernel<<<1, 32>>>(x, y);
	shuffles_kernel<<<1, 32>>>(x, y);
	wide_kernel<<<1, 1024>>>(y);
	void *arguments[] = {&y};
	cudaLaunchCooperativeKernel((const void *)spinning_kernel, dim3(1), dim3(32), arguments, 0, 0);
	cudaDeviceProp p;
	cudaGetDeviceProperties(&p, 0);
	printf("%d multiprocessors\n", p.multiProcessorCount);
	const cudaError_t e = cudaDeviceSynchronize();
	cudaFree(x);
	cudaFree(y);
	return e != cudaSuccess;
}
