// What the units beside load and store are given to do: bytes of the copy engine (TMA), instructions and multiply-adds
// of the tensor cores. Each kernel is launched once; the counts are held against the figures that stand
// with each kernel, by arithmetic.
// BUILD: $cucc --check -o $exe $case
// TEST: TMA and tensor cores
// RUN: counted; metrics cpudev__ 't[a-z_]*' '\.sum' | grep -v ' 0$'
// PRINTS: 1 tma_load_instructions 2
// PRINTS: 1 tma_load_bytes 2880
// PRINTS: 1 tma_store_instructions 1
// PRINTS: 1 tma_store_bytes 1024
// PRINTS: 2 tma_load_instructions 1
// PRINTS: 2 tma_load_bytes 4096
// PRINTS: 2 tma_store_instructions 2
// PRINTS: 2 tma_store_bytes 512
// PRINTS: 3 tma_load_instructions 12
// PRINTS: 3 tma_load_bytes 6144
// PRINTS: 4 tensor_instructions 24
// PRINTS: 4 tensor_multiply_adds 49152
// PRINTS: 5 tensor_instructions 7
// PRINTS: 5 tensor_multiply_adds 16384
// TEST: TMA makes no requests to memory
// RUN: counted; cat $work/counts.csv
// LACKS: ^[123],.*pipe_lsu_mem_global.*sum,[1-9]
// Passes of the banks: of stores also 32 that clear the tile.
// TEST: ldmatrix and stmatrix
// RUN: counted
// RUN: sed -n 's/^6,.*_\(wavefronts\|bank_conflicts\)_.*shared_op_\(ld\|st\)\.sum,\(.*\)/\1 \2 \3/p' $work/counts.csv
// PRINTS: wavefronts ld 72
// PRINTS: bank_conflicts ld 56
// PRINTS: wavefronts st 104
// PRINTS: bank_conflicts st 56
#include <cuda_bf16.h>

#include "../mistakes/async.h"

typedef __nv_bfloat16 bf16;

enum { ROW = 40, ROWS = 50 }; // a matrix of floats; boxes are 32 x 32

// Reads boxes at columns 0 and 32 of row 32: of 32 rows 18 exist, of 32 columns 32 and 8. Stores the box at column 32 of
// row 0: 8 columns of 32 rows.
// TMA load: 2 instructions, 18 x 32 x 4 + 18 x 8 x 4 = 2880 bytes; TMA store: 1 instruction, 32 x 8 x 4 = 1024 bytes
static __global__ void ragged_boxes(const __grid_constant__ CUtensorMap map)
{
	extern __shared__ __align__(1024) float tile[];
	__shared__ uint64_t bar;
	if (threadIdx.x == 0) {
		INIT(&bar, 1);
		INIT_FENCE();
		EXPECT(&bar, 2 * BYTES);
		for (int box = 0; box < 2; box++)
			asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
			                 SHARED(tile + box * TILE)),
			             "l"(&map), "r"(32 * box), "r"(32), "r"(SHARED(&bar))
			             : "memory");
		WAIT(&bar, 0);
		asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(32),
		             "r"(0), "r"(SHARED(tile + TILE))
		             : "memory");
		COMMIT();
		WAIT_READ(0);
	}
}

// Both blocks of a cluster get a box of 32 x 32 floats that one of them fetches, and each copies 256 bytes back.
// TMA load: 1 instruction, 4096 bytes; TMA store: 2 instructions, 512 bytes
static __global__ void __cluster_dims__(2, 1, 1) to_both(const __grid_constant__ CUtensorMap map, float *y)
{
	extern __shared__ __align__(1024) float tile[];
	__shared__ uint64_t bar;
	if (threadIdx.x == 0) {
		INIT(&bar, 1);
		INIT_FENCE();
		EXPECT(&bar, BYTES);
	}
	asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
	if (threadIdx.x == 0 && blockIdx.x == 0)
		asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
		             " [%0], [%1, {0, 0}], [%2], %3;" ::"r"(SHARED(tile)),
		             "l"(&map), "r"(SHARED(&bar)), "h"((uint16_t)3)
		             : "memory");
	if (threadIdx.x == 0) {
		WAIT(&bar, 0);
		BULK_STORE(y + 64 * blockIdx.x, tile, 256);
		COMMIT();
		WAIT_READ(0);
	}
	asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

// Bulk copies: 3 x 512 bytes by a block, of 4 blocks.
// TMA load: 12 instructions, 6144 bytes
static __global__ void bulk(const float *x)
{
	extern __shared__ __align__(1024) float tile[];
	__shared__ uint64_t bar;
	if (threadIdx.x == 0) {
		INIT(&bar, 1);
		INIT_FENCE();
		EXPECT(&bar, 3 * 512);
		for (int i = 0; i < 3; i++)
			BULK_LOAD(tile + 128 * i, x + 128 * i, 512, &bar);
		WAIT(&bar, 0);
	}
}

// Two warpgroups, 3 products of 64 x 8 x 16 each: a warpgroup's instruction is one of four warps.
// tensor: 2 x 3 x 4 = 24 instructions, 2 x 3 x 64 x 8 x 16 = 49152 multiply-adds
static __global__ void warpgroups(float *y)
{
	extern __shared__ __align__(1024) float tile[];
	float sum[4] = {};
	for (int i = threadIdx.x; i < 2 * TILE; i += blockDim.x)
		tile[i] = 0;
	PROXY_FENCE();
	__syncthreads();
	const uint64_t at = (uint64_t)(SHARED(tile) >> 4 & 0x3fff) | 1ull << 16 | (uint64_t)(1024 >> 4) << 32 | 1ull << 62;
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
	for (int i = 0; i < 3; i++)
		asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
		             "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
		             : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
		             : "l"(at), "l"(at)
		             : "memory");
	asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
	for (int i = 0; i < 4; i++)
		y[i * blockDim.x + threadIdx.x] = sum[i];
}

// Three warps, of which each does 2 mma.sync of 16 x 8 x 16, and the first one mma.sp of 16 x 8 x 32.
// tensor: 7 instructions, 6 x 2048 + 4096 = 16384 multiply-adds
static __global__ void warps(float *y)
{
	float d[4] = {};
	const uint32_t one = 0x3f803f80; // two of bf16
	for (int i = 0; i < 2; i++)
		asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
		             "{%0, %1, %2, %3};"
		             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		             : "r"(one));
	if (threadIdx.x < 32)
		asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
		             "{%4, %4, %4, %4}, {%0, %1, %2, %3}, %5, 0x0;"
		             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		             : "r"(one), "r"(0x44444444u));
	for (int i = 0; i < 4; i++)
		y[i * blockDim.x + threadIdx.x] = d[i];
}

// A warp reads four 8 x 8 matrices of 16-bit elements, and four transposed, and writes them: first rows that follow each
// other, in which a matrix is one pass of the banks; then rows of 128 bytes, in which all eight rows of a matrix lie in the
// same four banks: 8 passes.
// shared loads: 2 x 4 matrices of 1 pass, then of 8: 72 passes, 56 conflicts; stores the same
static __global__ void matrices(float *y)
{
	__shared__ __align__(1024) unsigned char tile[32 * 128];
	uint32_t a[4], b[4], sum = 0;
	for (int i = threadIdx.x; i < 32 * 128 / 4; i += 32)
		((uint32_t *)tile)[i] = 0;
	for (int bytes = 16; bytes <= 128; bytes *= 8) {
		const uint32_t row = SHARED(tile) + threadIdx.x * bytes;
		__syncthreads();
		asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		             : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(row) : "memory");
		asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
		             : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]) : "r"(row) : "memory");
		__syncthreads();
		asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(a[0]), "r"(a[1]),
		             "r"(a[2]), "r"(a[3]) : "memory");
		__syncthreads();
		asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(b[0]),
		             "r"(b[1]), "r"(b[2]), "r"(b[3]) : "memory");
		sum += a[0] + b[1];
	}
	y[threadIdx.x] = (float)sum;
}

static CUtensorMap ragged_map(float *p)
{
	void *encode = NULL;
	cudaDriverEntryPointQueryResult found;
	CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
	const cuuint64_t size[] = {ROW, ROWS}, stride[] = {ROW * 4};
	const cuuint32_t box[] = {SIDE, SIDE}, step[] = {1, 1};
	CUtensorMap map;
	((Encode *)encode)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, p, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
	                   CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	return map;
}

int main()
{
	float *x = device_zeros<float>(ROW * ROWS), *y = device_zeros<float>(4 * 256);
	const CUtensorMap ragged = ragged_map(x);
	ragged_boxes<<<1, 32, 2 * BYTES>>>(ragged);
	CHECK(cudaDeviceSynchronize());
	to_both<<<2, 32, BYTES>>>(ragged, y);
	CHECK(cudaDeviceSynchronize());
	bulk<<<4, 32, BYTES>>>(x);
	CHECK(cudaDeviceSynchronize());
	warpgroups<<<1, 256, 2 * BYTES>>>(y);
	CHECK(cudaDeviceSynchronize());
	warps<<<1, 96>>>(y);
	CHECK(cudaDeviceSynchronize());
	matrices<<<1, 32>>>(y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	return 0;
}
