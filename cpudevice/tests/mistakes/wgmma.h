/* wgmma.h: what the mistakes with wgmma are written in: products of 64 x 64 elements of A by 64 x 8 of B, in bf16, of which
 * a tensor map each fetches tiles of 64 and of 8 rows of 128 bytes. */
#ifndef WGMMA_MISTAKE_H
#define WGMMA_MISTAKE_H

#include <cuda_bf16.h>

#include "async.h"

typedef __nv_bfloat16 bf16;

enum { ROW = 64, A_ROWS = 64, B_ROWS = 8, A_TILE = A_ROWS * ROW, B_TILE = B_ROWS * ROW, STEPS = 4 };
enum { A_BYTES = A_TILE * 2, B_BYTES = B_TILE * 2, STAGE = A_BYTES + B_BYTES };
enum { SWIZZLE_128 = 1, SWIZZLE_64 = 2, SWIZZLE_32 = 3 }; /* of descriptors */

#define WGMMA_FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WGMMA_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WGMMA_WAIT(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
/* sum += A B^T over 16 of K. */
#define MULTIPLY(sum, a, b)                                                                                            \
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"                                                              \
	             "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"       \
	             : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) : "l"(a), "l"(b) : "memory")
#define SETMAXNREG_DEC(n) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(n))
#define SETMAXNREG_INC(n) asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(n))

/* Rows of 128 bytes, eight of them 1024 bytes on: K-major. */
static __device__ inline uint64_t descriptor(const void *p, int swizzle = SWIZZLE_128)
{
	return (uint64_t)(SHARED(p) >> 4 & 0x3fff) | 1ull << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)swizzle << 62;
}

/* 16 of K further. */
static __device__ inline uint64_t next(uint64_t descriptor, int k) { return descriptor + (uint64_t)(k * 32 >> 4); }

/* A map of rows of 64 elements, in boxes of `box_rows`. */
static CUtensorMap map_rows(bf16 *p, int rows, int box_rows)
{
	void *encode = NULL;
	cudaDriverEntryPointQueryResult found;
	CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
	const cuuint64_t size[] = {ROW, (cuuint64_t)rows}, stride[] = {ROW * 2};
	const cuuint32_t box[] = {ROW, (cuuint32_t)box_rows}, step[] = {1, 1};
	CUtensorMap map;
	((Encode *)encode)(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, p, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
	                   CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	return map;
}

typedef void Product(const CUtensorMap a_map, const CUtensorMap b_map, const bf16 *a, const bf16 *b, float *c);

/* c = what the kernel makes of four tiles of A and of B: four values a thread. */
static int multiply(Product *kernel, int threads, int bytes = 2 * STAGE + 1024)
{
	bf16 *a = device_array<bf16>(STEPS * A_TILE), *b = device_array<bf16>(STEPS * B_TILE);
	float *c = device_zeros<float>(4 * threads);
	const CUtensorMap a_map = map_rows(a, STEPS * A_ROWS, A_ROWS), b_map = map_rows(b, STEPS * B_ROWS, B_ROWS);
	kernel<<<1, threads, bytes>>>(a_map, b_map, a, b, c);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(c));
	return 0;
}

#define OPERANDS const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map, const bf16 *a, const bf16 *b, float *c
#define USE_ALL() (void)a_map, (void)b_map, (void)a, (void)b, (void)c

/* One thread: step k's tiles to `stage`, whose bytes bar counts. */
#define FETCH(stage, k, bar)                                                                                           \
	do {                                                                                                                 \
		EXPECT(bar, STAGE);                                                                                                \
		LOAD(stage, a_map, (k)*A_ROWS, bar);                                                                               \
		LOAD((stage) + A_BYTES, b_map, (k)*B_ROWS, bar);                                                                   \
	} while (0)

/* All of a step's four products. */
#define MULTIPLY_ALL(sum, da, db)                                                                                      \
	do {                                                                                                                 \
		MULTIPLY(sum, da, db);                                                                                             \
		MULTIPLY(sum, next(da, 1), next(db, 1));                                                                           \
		MULTIPLY(sum, next(da, 2), next(db, 2));                                                                           \
		MULTIPLY(sum, next(da, 3), next(db, 3));                                                                           \
	} while (0)

static __device__ inline void put(float *c, const float *sum)
{
	for (int i = 0; i < 4; i++)
		c[4 * threadIdx.x + i] = sum[i];
}

#endif
