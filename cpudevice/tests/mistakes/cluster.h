/* cluster.h: what the mistakes with clusters are written in: pairs of blocks of 64 threads that read each other's shared
 * memory. */
#ifndef CLUSTER_MISTAKE_H
#define CLUSTER_MISTAKE_H

#include <cooperative_groups.h>

#include "async.h"

namespace cg = cooperative_groups;

enum { THREADS = 64, PAIRS = 4, COUNT = 2 * PAIRS * THREADS };

/* The same place in the shared memory of block `rank` of the cluster, as PTX addresses it. */
static __device__ inline uint32_t shared_of(const void *p, unsigned rank)
{
	uint32_t there;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(SHARED(p)), "r"(rank));
	return there;
}

#define ARRIVE_AT(bar, rank)                                                                                           \
	asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(shared_of(bar, rank)) : "memory")
#define WAIT_CLUSTER(bar, parity)                                                                                      \
	asm volatile("{\n.reg .pred p;\nagain:\n"                                                                           \
	             "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@!p bra again;\n}"              \
	             ::"r"(SHARED(bar)), "r"(parity) : "memory")
/* To the same place in each block of the mask; its bytes count at the mbarrier there. */
#define MULTICAST(to, from, bytes, bar, mask)                                                                          \
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "                 \
	             "[%0], [%1], %2, [%3], %4;"                                                                              \
	             ::"r"(SHARED(to)), "l"(from), "r"(bytes), "r"(SHARED(bar)), "h"((uint16_t)(mask)) : "memory")
/* From this block's shared memory to the same place in block `rank`'s. */
#define SEND(to, from, bytes, bar, rank)                                                                               \
	asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"          \
	             ::"r"(shared_of(to, rank)), "r"(SHARED(from)), "r"(bytes), "r"(shared_of(bar, rank)) : "memory")

/* One word, by this thread, to the same place in block `rank`; its bytes count at the mbarrier there. */
#define SEND_WORD(to, value, bar, rank)                                                                                \
	asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"                             \
	             ::"r"(shared_of(to, rank)), "r"(value), "r"(shared_of(bar, rank)) : "memory")

typedef void Pairs(const int *x, int *y);

static int run_pairs(Pairs *kernel)
{
	int *x = device_array<int>(COUNT), *y = device_zeros<int>(COUNT);
	kernel<<<2 * PAIRS, THREADS>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	return 0;
}

#define PAIR __global__ void __cluster_dims__(2, 1, 1)

#endif
