/* async.h: what the mistakes with asynchronous copies are written in: PTX's instructions as macros, so that each stands
 * in the line that uses it, and a launch of a kernel on tiles of 32 x 32 floats. */
#ifndef ASYNC_MISTAKE_H
#define ASYNC_MISTAKE_H

#include <cuda.h>
#include <stdint.h>

#include "mistake.h"

#define SHARED(p) ((uint32_t)__cvta_generic_to_shared(p))
#define INIT(bar, count) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(SHARED(bar)), "r"(count) : "memory")
#define INIT_FENCE() asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define ARRIVE(bar) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(SHARED(bar)) : "memory")
#define EXPECT(bar, bytes)                                                                                             \
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(SHARED(bar)), "r"(bytes) : "memory")
#define TEST(done, bar, parity)                                                                                        \
	asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"    \
	             : "=r"(done) : "r"(SHARED(bar)), "r"(parity) : "memory")
#define WAIT(bar, parity)                                                                                              \
	asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra again;\n}"    \
	             ::"r"(SHARED(bar)), "r"(parity) : "memory")
#define LOAD(to, map, row, bar)                                                                                        \
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {0, %2}], [%3];" \
	             ::"r"(SHARED(to)), "l"(&map), "r"(row), "r"(SHARED(bar)) : "memory")
#define STORE(map, row, from)                                                                                          \
	asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {0, %1}], [%2];"                            \
	             ::"l"(&map), "r"(row), "r"(SHARED(from)) : "memory")
#define REDUCE(map, row, from)                                                                                         \
	asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {0, %1}], [%2];"                 \
	             ::"l"(&map), "r"(row), "r"(SHARED(from)) : "memory")
#define BULK_LOAD(to, from, bytes, bar)                                                                                \
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"               \
	             ::"r"(SHARED(to)), "l"(from), "r"(bytes), "r"(SHARED(bar)) : "memory")
#define BULK_STORE(to, from, bytes)                                                                                    \
	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"                                           \
	             ::"l"(to), "r"(SHARED(from)), "r"(bytes) : "memory")
#define COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_READ(n) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

enum { SIDE = 32, TILE = SIDE * SIDE, BYTES = TILE * 4, TILES = 8 };

typedef CUresult Encode(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                        const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                        CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* A map of `rows` rows of 32 floats, in boxes of 32 rows. */
static CUtensorMap map_of(float *p, int rows)
{
	void *encode = NULL;
	cudaDriverEntryPointQueryResult found;
	CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
	const cuuint64_t size[] = {SIDE, (cuuint64_t)rows}, stride[] = {SIDE * 4};
	const cuuint32_t box[] = {SIDE, SIDE}, step[] = {1, 1};
	CUtensorMap map;
	((Encode *)encode)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, p, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
	                   CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	return map;
}

typedef void Kernel(const CUtensorMap in, const CUtensorMap out, float *x, float *y);

/* y = what the kernel makes of eight tiles. */
static int launch(Kernel *kernel, int threads, int bytes = 4 * BYTES)
{
	float *x = device_array<float>(TILES * TILE), *y = device_array<float>(TILES * TILE);
	const CUtensorMap in = map_of(x, TILES * SIDE), out = map_of(y, TILES * SIDE);
	kernel<<<1, threads, bytes>>>(in, out, x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	return 0;
}

#define MAPS const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, float *x, float *y
#define USE() (void)in, (void)out, (void)x, (void)y

#endif
