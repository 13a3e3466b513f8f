/* hopper.cuh: the instructions that only compute capability 9.0 has (target sm_90a), one thin wrapper each: the
 * bulk tensor copy engine (TMA), mbarriers in shared memory, warpgroup matrix products (wgmma), register
 * reallocation, clusters. And on the host, the tensor map that tells TMA what a matrix looks like.
 *
 * Nothing here decides anything; the kernels that include it do. The CPU device executes all of it; on any other GPU
 * only the host side is here, and the rungs that need the rest are skipped (LAB_NEEDS_SM90A).
 *
 * Words: a "shared address" is 32 bits wide, from shared_address(). A "phase" is one round of an mbarrier; a
 * wait names the parity (0, 1, 0, 1, ...) of the phase that must have ended. Before any phase has ended, a wait for
 * parity 1 returns at once: "the phase before the first" counts as done. The PTX ISA's chapters are "mbarrier",
 * "cp.async.bulk.tensor" and "wgmma". */
#ifndef HOPPER_CUH
#define HOPPER_CUH

#include <cuda_runtime.h>
#include <stdint.h>

/* C (M x N, bf16) = A (M x K) times the transpose of B (N x K): row-major all three, ld elements from row to row. */
typedef struct HopperGemm {
    const void *A, *B;
    void *C;
    int M, N, K, lda, ldb, ldc;
} HopperGemm;

#include <cuda.h> /* the types of a tensor map only; nothing of the driver library is linked */

/* A program may be compiled for several architectures at once. Only in the pass for sm_90a do kernels have a body,
 * which they put between #ifdef HOPPER_CODE and #endif; hopper_here() says whether this program's pass for the device
 * at hand was that one. */
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HOPPER_CODE 1
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define HOPPER_CLUSTER(blocks)
#else
#define HOPPER_CLUSTER(blocks) __cluster_dims__(blocks, 1, 1)
#endif

static __global__ void hopper_probe(int *has_no_code)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    (void)has_no_code;
#else
    *has_no_code = 1;
#endif
}

/* NULL if sm_90a code runs here, else the reason why not. Asked once. */
static inline const char *hopper_here(void)
{
    static int answer = -1;
    if (answer < 0) {
        int *flag, device, major = 0, minor = 0, has_no_code = 0;
        answer = 0;
        if (cudaGetDevice(&device) == cudaSuccess &&
            cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
            cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess && major == 9 &&
            minor == 0 && cudaMalloc((void **)&flag, sizeof *flag) == cudaSuccess) {
            if (cudaMemset(flag, 0, sizeof *flag) == cudaSuccess) {
                hopper_probe<<<1, 1>>>(flag);
                answer = cudaGetLastError() == cudaSuccess &&
                         cudaMemcpy(&has_no_code, flag, sizeof *flag, cudaMemcpyDeviceToHost) == cudaSuccess &&
                         !has_no_code;
            }
            cudaFree(flag);
        }
    }
    return answer ? NULL : "needs a Hopper GPU, and a build for it (ARCH=90a)";
}

/* ---------------------------------------------------------------------------------------------- tensor maps, host */

typedef CUresult TensorMapEncode(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                                 const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* The driver's encoder, or NULL. The entry point is asked of the runtime, so no program links libcuda. */
static inline TensorMapEncode *tensor_map_encode(void)
{
    static TensorMapEncode *encode; /* asked once; two threads asking at the same time get the same answer */
    if (!encode) {
        void *entry = NULL;
        cudaDriverEntryPointQueryResult found;
        if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found) !=
                cudaSuccess ||
            found != cudaDriverEntryPointSuccess)
            return NULL;
        encode = (TensorMapEncode *)entry;
    }
    return encode;
}

/* Describes a row-major matrix of rows x cols elements, ld elements from row to row, to TMA, which then copies boxes of
 * box_rows x box_cols between it and shared memory. What lies outside the matrix is read as zero and never written.
 * `swizzle_bytes` (128, 64, 32 or 0): a box row is that long (box_cols * element size may not exceed it), and the
 * 16-byte pieces of a row are permuted so that neither wgmma nor stmatrix meets a bank conflict.
 * `l2_bytes` (256, 128 or 64): what L2 fetches from memory at a time, a row of the box or the next one's, too.
 * TMA's own demands: base on a multiple of 16 bytes, ld * element size a multiple of 16, box rows at most 256.
 * Returns NULL, or the reason why not. */
static inline const char *tensor_map_2d(CUtensorMap *map, CUtensorMapDataType type, int element_bytes, const void *base,
                                        uint64_t rows, uint64_t cols, uint64_t ld, uint32_t box_rows, uint32_t box_cols,
                                        int swizzle_bytes, int l2_bytes = 256)
{
    TensorMapEncode *encode = tensor_map_encode();
    if (!encode)
        return "the driver has no cuTensorMapEncodeTiled";
    if ((uintptr_t)base % 16)
        return "TMA needs a matrix that begins on a multiple of 16 bytes";
    if (ld * (uint64_t)element_bytes % 16)
        return "TMA needs rows of a multiple of 16 bytes";
    const cuuint64_t size[2] = {cols, rows};
    const cuuint64_t stride[1] = {ld * (uint64_t)element_bytes};
    const cuuint32_t box[2] = {box_cols, box_rows}, step[2] = {1, 1};
    const CUtensorMapSwizzle swizzle = swizzle_bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                       : swizzle_bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                       : swizzle_bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                             : CU_TENSOR_MAP_SWIZZLE_NONE;
    if (encode(map, type, 2, (void *)base, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
               l2_bytes == 256   ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B
               : l2_bytes == 128 ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B
                                 : CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return "the driver refused this tensor map";
    return NULL;
}

/* The heads of an attention layer, one tensor of four dimensions: bf16 x[batch][length][heads][width], `width` elements
 * contiguous. A box is box_length tokens of one head, 64 elements (128 bytes, swizzled) of each; what lies past
 * `length` is read as zero and never written, so that a sequence may end anywhere. NULL, or the reason why not. */
static inline const char *tensor_map_heads(CUtensorMap *map, const void *base, uint64_t batch, uint64_t length,
                                           uint64_t heads, uint64_t width, uint32_t box_length)
{
    TensorMapEncode *encode = tensor_map_encode();
    if (!encode)
        return "the driver has no cuTensorMapEncodeTiled";
    if ((uintptr_t)base % 16)
        return "TMA needs a tensor that begins on a multiple of 16 bytes";
    const cuuint64_t size[4] = {width, length, heads, batch};
    const cuuint64_t stride[3] = {heads * width * 2, width * 2, length * heads * width * 2};
    const cuuint32_t box[4] = {64, box_length, 1, 1}, step[4] = {1, 1, 1, 1};
    if (encode(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 4, (void *)base, size, stride, box, step,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return "the driver refused this tensor map";
    return NULL;
}

/* How many of `blocks` blocks make whole clusters of `size`. A device may have an odd number of multiprocessors, and a
 * grid that is no multiple of its clusters' size does not launch. */
static inline int whole_clusters(int blocks, int size) { return blocks < size ? size : blocks / size * size; }

/* Lets a block of `kernel` have `bytes` of dynamic shared memory on the current device. `raised` is the caller's, one per
 * kernel, with a bit per device. 0, or the runtime's error. */
static inline cudaError_t shared_memory_raise(const void *kernel, int bytes, uint32_t *raised)
{
    int device;
    cudaError_t e = cudaGetDevice(&device);
    if (e || *raised >> device & 1)
        return e;
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (!e)
        *raised |= 1u << device;
    return e;
}

/* Where a product's tiles go: to one matrix; to the same place of several, each on a GPU of its own; or they are added
 * to what the matrix has (bf16; each addition rounds). */
enum { TILES_TO_ONE, TILES_TO_ALL, TILES_ADDED };
enum { TILE_PLACES_MAX = 8 };
template <int KIND> struct TilePlaces {
    CUtensorMap map[KIND == TILES_TO_ALL ? TILE_PLACES_MAX : 1];
    int count;
};

/* The places for C, `rows` x `cols` bf16 with ld elements from row to row, in boxes of 64 x 64. */
template <int KIND>
static inline const char *tile_places(TilePlaces<KIND> *to, void *C, int rows, int cols, int ld, void *const *places,
                                      int count)
{
    to->count = KIND == TILES_TO_ALL ? count : 1;
    if (to->count < 1 || to->count > TILE_PLACES_MAX)
        return "a tile goes to 1 to 8 places";
    const char *why = NULL;
    for (int i = 0; i < to->count && !why; i++)
        why = tensor_map_2d(&to->map[i], CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, KIND == TILES_TO_ALL ? places[i] : C,
                            (uint64_t)rows, (uint64_t)cols, (uint64_t)ld, 64, 64, 128);
    return why;
}

/* --------------------------------------------------------------------------------------------- addresses, mbarriers */

__device__ __forceinline__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

/* A phase ends when `arrivals` arrivals have come and every byte that was announced has landed. */
__device__ __forceinline__ void mbarrier_init(uint32_t bar, uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(arrivals) : "memory");
}

/* Makes the initialised barriers visible to the copy engine and to the other blocks of the cluster. */
__device__ __forceinline__ void mbarrier_init_fence(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void mbarrier_arrive(uint32_t bar)
{
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}

/* One arrival that also announces `bytes`, which TMA will count down as they land. */
__device__ __forceinline__ void mbarrier_arrive_expect(uint32_t bar, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes)
                 : "memory");
}

/* Arrives on the barrier at the same place in block `rank` of the cluster. PTX's default is a release of CTA scope. By
 * the letter of PTX's memory model a thread of another block needs .release.cluster, which orders this thread's earlier
 * reads as well as its writes; here it would order the reads of the slot before the copy that refills it. But
 * .release.cluster compiles to a fence of all the multiprocessor's memory traffic in every step (measured: it costs a
 * quarter of the whole product's speed). So we rely on the chip where the model promises nothing: wgmma_wait() has
 * returned, that is, the products have read the slot, before this arrival is issued. CUTLASS makes the same choice. */
__device__ __forceinline__ void mbarrier_arrive_cluster(uint32_t bar, uint32_t rank)
{
    asm volatile("{\n"
                 ".reg .b32 remote;\n"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
                 "}" ::"r"(bar),
                 "r"(rank)
                 : "memory");
}

/* The thread sleeps in hardware for a while at each try. With HOPPER_WATCHDOG a wait that never ends traps. */
__device__ __forceinline__ void mbarrier_wait(uint32_t bar, uint32_t parity)
{
#ifdef HOPPER_WATCHDOG
    uint32_t tries = 0;
#endif
    uint32_t done;
    do {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(bar), "r"(parity)
                     : "memory");
#ifdef HOPPER_WATCHDOG
        if (++tries == HOPPER_WATCHDOG)
            asm volatile("trap;");
#endif
    } while (!done);
}

/* ------------------------------------------------------------------------------------------------------------- TMA */

__device__ __forceinline__ void tma_prefetch_map(const CUtensorMap *map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"((uint64_t)map) : "memory");
}

/* Copies the box whose first element is (row, col) to shared memory; `bar` counts its bytes. One thread calls it. */
__device__ __forceinline__ void tma_load(uint32_t smem, const CUtensorMap *map, int col, int row, uint32_t bar)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            smem),
        "l"((uint64_t)map), "r"(col), "r"(row), "r"(bar)
        : "memory");
}

/* The same for a tensor of four dimensions: tokens from `token` on of one head of one sequence. */
__device__ __forceinline__ void tma_load_heads(uint32_t smem, const CUtensorMap *map, int col, int token, int head,
                                               int batch, uint32_t bar)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(smem),
                 "l"((uint64_t)map), "r"(col), "r"(token), "r"(head), "r"(batch), "r"(bar)
                 : "memory");
}

/* The same box to the same place in every block of the cluster whose bit is set in `blocks`; each block's own barrier
 * at the place of `bar` counts the bytes that landed there. */
__device__ __forceinline__ void tma_load_multicast(uint32_t smem, const CUtensorMap *map, int col, int row,
                                                   uint32_t bar, uint16_t blocks)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(smem),
                 "l"((uint64_t)map), "r"(col), "r"(row), "r"(bar), "h"(blocks)
                 : "memory");
}

/* Copies a box from shared memory to the matrix; elements outside the matrix are dropped. */
__device__ __forceinline__ void tma_store(const CUtensorMap *map, int col, int row, uint32_t smem)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"((uint64_t)map),
                 "r"(col), "r"(row), "r"(smem)
                 : "memory");
}

/* Adds the box to the matrix, each element atomically. */
__device__ __forceinline__ void tma_add(const CUtensorMap *map, int col, int row, uint32_t smem)
{
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                     (uint64_t)map),
                 "r"(col), "r"(row), "r"(smem)
                 : "memory");
}

template <int KIND>
__device__ __forceinline__ void tile_store(const TilePlaces<KIND> &to, int col, int row, uint32_t smem)
{
    if (KIND == TILES_ADDED)
        tma_add(&to.map[0], col, row, smem);
    else
        for (int i = 0; i < (KIND == TILES_TO_ALL ? to.count : 1); i++)
            tma_store(&to.map[i], col, row, smem);
}

__device__ __forceinline__ void tma_store_heads(const CUtensorMap *map, int col, int token, int head, int batch,
                                                uint32_t smem)
{
    asm volatile(
        "cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"((uint64_t)map),
        "r"(col), "r"(token), "r"(head), "r"(batch), "r"(smem)
        : "memory");
}

__device__ __forceinline__ void tma_store_commit(void) { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

/* Until at most N of this thread's committed stores still have shared memory to read (it may be written again). */
template <int N> __device__ __forceinline__ void tma_store_wait_read(void)
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

/* Until at most N of them are unfinished: the earlier ones' bytes are in memory. */
template <int N> __device__ __forceinline__ void tma_store_wait(void)
{
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}

/* Copies `bytes` contiguous bytes to shared memory; `bar` counts them. Addresses and `bytes` are multiples of 16. */
__device__ __forceinline__ void bulk_load(uint32_t smem, const void *from, uint32_t bytes, uint32_t bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(smem),
                 "l"((uint64_t)__cvta_generic_to_global(from)), "r"(bytes), "r"(bar)
                 : "memory");
}

/* Adds `bytes` contiguous bytes of floats in shared memory to those at `to`, each atomically; tma_store_commit() and the
 * waits above are its, too. */
__device__ __forceinline__ void bulk_add(float *to, uint32_t smem, uint32_t bytes)
{
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(
                     (uint64_t)__cvta_generic_to_global(to)),
                 "r"(smem), "r"(bytes)
                 : "memory");
}

/* Four neighbouring sums in memory at once, each atomically; `to` is a multiple of 16 bytes. */
__device__ __forceinline__ void atomic_add_4(float *to, float a, float b, float c, float d)
{
    asm volatile(
        "red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"((uint64_t)__cvta_generic_to_global(to)),
        "f"(a), "f"(b), "f"(c), "f"(d)
        : "memory");
}

/* Ordinary writes to shared memory, made visible to TMA and wgmma: each writing thread calls it before the barrier. */
__device__ __forceinline__ void fence_proxy_async(void) { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/* ------------------------------------------------------------------------------------- blocks, clusters, registers */

/* A barrier for `threads` threads of the block (whole warps); `id` 1..15, 0 is __syncthreads'. */
__device__ __forceinline__ void named_barrier(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/* One side of such a barrier only says that it has come, and goes on. `threads` counts both sides. */
__device__ __forceinline__ void named_barrier_arrive(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ __forceinline__ uint32_t cluster_rank(void)
{
    uint32_t r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

__device__ __forceinline__ void cluster_arrive(void) { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
__device__ __forceinline__ void cluster_wait(void) { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }
__device__ __forceinline__ void cluster_sync(void)
{
    cluster_arrive();
    cluster_wait();
}

/* A warpgroup gives registers back, or takes more: N registers per thread, a multiple of 8. Only in a kernel with
 * __launch_bounds__, and all four warps of the group together. Who takes more than the block has left waits for ever. */
template <int N> __device__ __forceinline__ void registers_give(void)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}
template <int N> __device__ __forceinline__ void registers_take(void)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

/* Stores four 8 x 8 matrices of 16-bit elements: lane l gives the address of row l % 8 of matrix l / 8; register i of
 * a lane holds elements 2 (l % 4) and the next, of row l / 4, of matrix i: just how wgmma leaves its result. */
__device__ __forceinline__ void stmatrix_x4(uint32_t smem, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(smem), "r"(r0), "r"(r1),
                 "r"(r2), "r"(r3)
                 : "memory");
}

/* Each matrix transposed on its way: the address that a lane gives is that of a column as the registers hold it. x2:
 * two matrices, lanes 0 to 15 give the addresses. */
__device__ __forceinline__ void stmatrix_x4_trans(uint32_t smem, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(smem), "r"(r0), "r"(r1),
                 "r"(r2), "r"(r3)
                 : "memory");
}
__device__ __forceinline__ void stmatrix_x2_trans(uint32_t smem, uint32_t r0, uint32_t r1)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(smem), "r"(r0), "r"(r1)
                 : "memory");
}

/* Two floats as bf16, the first in the low half. */
__device__ __forceinline__ uint32_t pack_bf16(float low, float high)
{
    uint32_t r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}

/* ----------------------------------------------------------------------------------------------------------- wgmma
 *
 * The accumulators, M = 64 rows by N columns, lie in the registers of 128 threads: with w = warp of the group,
 * l = lane, d[4j + 0] and d[4j + 1] are row 16w + l/4, columns 8j + 2(l % 4) and the next; d[4j + 2], d[4j + 3] the
 * same columns eight rows further down. */

/* Where an operand lies in shared memory: address, and bytes from one group of eight rows to the next (1024 with the
 * 128-byte swizzle, 512 with the 64-byte one). Rows hold K-consecutive elements ("K-major"). Adding bytes >> 4 moves
 * along a row: the hardware applies the swizzle to the sum. */
__device__ __forceinline__ uint64_t wgmma_descriptor(uint32_t smem, int swizzle_bytes)
{
    const uint64_t eight_rows = (uint64_t)(8 * swizzle_bytes) >> 4;
    const uint64_t mode = swizzle_bytes == 128 ? 1 : swizzle_bytes == 64 ? 2 : swizzle_bytes == 32 ? 3 : 0;
    return (uint64_t)((smem & 0x3ffff) >> 4) | (uint64_t)1 << 16 | eight_rows << 32 | mode << 62;
}

/* A B operand whose rows hold N-consecutive elements of 16 bits ("MN-major"): boxes of 64 elements (128 bytes,
 * swizzled) by K rows, the next 64 columns `box_bytes` further on. 16 rows of K are 2048 bytes. For products told to
 * transpose b. */
__device__ __forceinline__ uint64_t wgmma_descriptor_mn(uint32_t smem, int box_bytes)
{
    return (uint64_t)((smem & 0x3ffff) >> 4) | (uint64_t)(box_bytes >> 4) << 16 | (uint64_t)(1024 >> 4) << 32 |
           (uint64_t)1 << 62;
}

/* Before the first wgmma, and whenever other code touched the accumulators. */
__device__ __forceinline__ void wgmma_fence(void) { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit(void) { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/* Until at most N committed groups of wgmma are unfinished: then the earlier groups' operands may be overwritten. */
template <int N> __device__ __forceinline__ void wgmma_wait(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
/* Tells the compiler that d may have changed here, so that it moves no use of it across a wait. */
template <int COUNT> __device__ __forceinline__ void wgmma_pin(float (&d)[COUNT])
{
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        asm volatile("" : "+f"(d[i])::"memory");
}
template <int COUNT> __device__ __forceinline__ void wgmma_pin(int (&d)[COUNT])
{
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        asm volatile("" : "+r"(d[i])::"memory");
}

/* Register lists for the asm below: %0 ... %N-1, the accumulators of one thread. */
#define WGMMA_R8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define WGMMA_R16                                                                                                      \
    WGMMA_R8 ", "                                                                                                      \
             "%8, %9, %10, %11, %12, %13, %14, %15"
#define WGMMA_R32                                                                                                      \
    WGMMA_R16 ", "                                                                                                     \
              "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define WGMMA_R56                                                                                                      \
    WGMMA_R32 ", "                                                                                                     \
              "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                       \
              "%48, %49, %50, %51, %52, %53, %54, %55"
#define WGMMA_R60 WGMMA_R56 ", %56, %57, %58, %59"
#define WGMMA_R64                                                                                                      \
    WGMMA_R32 ", "                                                                                                     \
              "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                       \
              "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define WGMMA_R68 WGMMA_R64 ", %64, %65, %66, %67"
#define WGMMA_R72 WGMMA_R64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define WGMMA_R76 WGMMA_R64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75"
#define WGMMA_R84                                                                                                      \
    WGMMA_R64 ", "                                                                                                     \
              "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "                       \
              "%80, %81, %82, %83"
#define WGMMA_R88                                                                                                      \
    WGMMA_R84 ", "                                                                                                     \
              "%84, %85, %86, %87"
#define WGMMA_R80                                                                                                      \
    WGMMA_R64 ", "                                                                                                     \
              "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define WGMMA_R96                                                                                                      \
    WGMMA_R64 ", "                                                                                                     \
              "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "                       \
              "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define WGMMA_R128                                                                                                     \
    WGMMA_R96 ", "                                                                                                     \
              "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "           \
              "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define WGMMA_O8(c, d, i)                                                                                              \
    c((d)[i]), c((d)[i + 1]), c((d)[i + 2]), c((d)[i + 3]), c((d)[i + 4]), c((d)[i + 5]), c((d)[i + 6]), c((d)[i + 7])
#define WGMMA_O16(c, d, i) WGMMA_O8(c, d, i), WGMMA_O8(c, d, i + 8)
#define WGMMA_O32(c, d, i) WGMMA_O16(c, d, i), WGMMA_O16(c, d, i + 16)
#define WGMMA_O56(c, d, i) WGMMA_O32(c, d, i), WGMMA_O16(c, d, i + 32), WGMMA_O8(c, d, i + 48)
#define WGMMA_O64(c, d, i) WGMMA_O32(c, d, i), WGMMA_O32(c, d, i + 32)
#define WGMMA_O4(c, d, i) c((d)[i]), c((d)[i + 1]), c((d)[i + 2]), c((d)[i + 3])
#define WGMMA_O60(c, d, i) WGMMA_O56(c, d, i), WGMMA_O4(c, d, i + 56)
#define WGMMA_O68(c, d, i) WGMMA_O64(c, d, i), WGMMA_O4(c, d, i + 64)
#define WGMMA_O72(c, d, i) WGMMA_O64(c, d, i), WGMMA_O8(c, d, i + 64)
#define WGMMA_O76(c, d, i) WGMMA_O72(c, d, i), WGMMA_O4(c, d, i + 72)
#define WGMMA_O84(c, d, i)                                                                                             \
    WGMMA_O64(c, d, i), WGMMA_O16(c, d, i + 64), c((d)[i + 80]), c((d)[i + 81]), c((d)[i + 82]), c((d)[i + 83])
#define WGMMA_O80(c, d, i) WGMMA_O64(c, d, i), WGMMA_O16(c, d, i + 64)
#define WGMMA_O88(c, d, i) WGMMA_O80(c, d, i), WGMMA_O8(c, d, i + 80)
#define WGMMA_O96(c, d, i) WGMMA_O64(c, d, i), WGMMA_O32(c, d, i + 64)
#define WGMMA_O128(c, d, i) WGMMA_O64(c, d, i), WGMMA_O64(c, d, i + 64)

/* d (64 x N) = a (64 x K) b (N x K, transposed), plus d where `accumulate` is not 0; a and b are descriptors.
 * K is 16 elements of 16 bits or 32 of 8 bits: 32 bytes of each row. */
template <typename T, int N> struct Wgmma;

#define WGMMA_DENSE(TAG, SUM, C, N, K, REGS, OUT, A, B, P, KIND, TAIL)                                                 \
    template <> struct Wgmma<TAG, N> {                                                                                 \
        static __device__ __forceinline__ void run(SUM (&d)[N / 2], uint64_t a, uint64_t b, int accumulate)            \
        {                                                                                                              \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #P ", 0;\n"                                              \
                         "wgmma.mma_async.sync.aligned.m64n" #N "k" #K "." KIND " {" REGS "}, %" #A ", %" #B           \
                         ", p" TAIL ";\n}"                                                                             \
                         : OUT(C, d, 0)                                                                                \
                         : "l"(a), "l"(b), "r"(accumulate));                                                           \
        }                                                                                                              \
    };

struct Bf16; /* element types, as tags */
struct E4m3;
struct S8; /* sums in s32 */
WGMMA_DENSE(Bf16, float, "+f", 16, 16, WGMMA_R8, WGMMA_O8, 8, 9, 10, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 32, 16, WGMMA_R16, WGMMA_O16, 16, 17, 18, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 64, 16, WGMMA_R32, WGMMA_O32, 32, 33, 34, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 112, 16, WGMMA_R56, WGMMA_O56, 56, 57, 58, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 128, 16, WGMMA_R64, WGMMA_O64, 64, 65, 66, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 120, 16, WGMMA_R60, WGMMA_O60, 60, 61, 62, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 136, 16, WGMMA_R68, WGMMA_O68, 68, 69, 70, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 144, 16, WGMMA_R72, WGMMA_O72, 72, 73, 74, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 152, 16, WGMMA_R76, WGMMA_O76, 76, 77, 78, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 160, 16, WGMMA_R80, WGMMA_O80, 80, 81, 82, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 176, 16, WGMMA_R88, WGMMA_O88, 88, 89, 90, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 168, 16, WGMMA_R84, WGMMA_O84, 84, 85, 86, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 192, 16, WGMMA_R96, WGMMA_O96, 96, 97, 98, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(Bf16, float, "+f", 256, 16, WGMMA_R128, WGMMA_O128, 128, 129, 130, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_DENSE(E4m3, float, "+f", 64, 32, WGMMA_R32, WGMMA_O32, 32, 33, 34, "f32.e4m3.e4m3", ", 1, 1")
WGMMA_DENSE(E4m3, float, "+f", 128, 32, WGMMA_R64, WGMMA_O64, 64, 65, 66, "f32.e4m3.e4m3", ", 1, 1")
WGMMA_DENSE(E4m3, float, "+f", 192, 32, WGMMA_R96, WGMMA_O96, 96, 97, 98, "f32.e4m3.e4m3", ", 1, 1")
WGMMA_DENSE(E4m3, float, "+f", 256, 32, WGMMA_R128, WGMMA_O128, 128, 129, 130, "f32.e4m3.e4m3", ", 1, 1")
WGMMA_DENSE(S8, int, "+r", 64, 32, WGMMA_R32, WGMMA_O32, 32, 33, 34, "s32.s8.s8", "")
WGMMA_DENSE(S8, int, "+r", 128, 32, WGMMA_R64, WGMMA_O64, 64, 65, 66, "s32.s8.s8", "")
WGMMA_DENSE(S8, int, "+r", 192, 32, WGMMA_R96, WGMMA_O96, 96, 97, 98, "s32.s8.s8", "")
WGMMA_DENSE(S8, int, "+r", 256, 32, WGMMA_R128, WGMMA_O128, 128, 129, 130, "s32.s8.s8", "")

/* The same for a b (16 x N) that is MN-major, and for an a that is, too: wgmma_descriptor_mn(). */
template <int N> struct WgmmaRows;
template <int N> struct WgmmaColumns;

#define WGMMA_MN(NAME, A_MN, N, REGS, OUT, A, B, P)                                                                    \
    template <> struct NAME<N> {                                                                                       \
        static __device__ __forceinline__ void run(float (&d)[N / 2], uint64_t a, uint64_t b, int accumulate)          \
        {                                                                                                              \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #P ", 0;\n"                                              \
                         "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.bf16.bf16 {" REGS "}, %" #A ", %" #B          \
                         ", p, 1, 1, " #A_MN ", 1;\n}"                                                                 \
                         : OUT("+f", d, 0)                                                                             \
                         : "l"(a), "l"(b), "r"(accumulate));                                                           \
        }                                                                                                              \
    };

WGMMA_MN(WgmmaRows, 0, 64, WGMMA_R32, WGMMA_O32, 32, 33, 34)
WGMMA_MN(WgmmaColumns, 1, 64, WGMMA_R32, WGMMA_O32, 32, 33, 34)
WGMMA_MN(WgmmaColumns, 1, 128, WGMMA_R64, WGMMA_O64, 64, 65, 66)
WGMMA_MN(WgmmaColumns, 1, 256, WGMMA_R128, WGMMA_O128, 128, 129, 130)

/* d (64 x N) += a (64 x 16, from registers) b (16 x N, MN-major), bf16. Register i of a: rows l/4 (i even) or eight
 * further down (i odd) of the warp's sixteen, columns 2 (l % 4) and the next, eight to the right for i >= 2: where
 * another product's accumulators d[8k .. 8k + 7], packed by twos, lie already. */
template <int N> struct WgmmaRegisters;

#define WGMMA_REGISTERS(N, REGS, OUT, A0, A1, A2, A3, B)                                                               \
    template <> struct WgmmaRegisters<N> {                                                                             \
        static __device__ __forceinline__ void run(float (&d)[N / 2], const uint32_t *a, uint64_t b)                   \
        {                                                                                                              \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"                                                    \
                         "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.bf16.bf16 {" REGS "}, {%" #A0 ", %" #A1       \
                         ", %" #A2 ", %" #A3 "}, %" #B ", p, 1, 1, 1;\n}"                                              \
                         : OUT("+f", d, 0)                                                                             \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));                                        \
        }                                                                                                              \
    };

WGMMA_REGISTERS(64, WGMMA_R32, WGMMA_O32, 32, 33, 34, 35, 36)
WGMMA_REGISTERS(128, WGMMA_R64, WGMMA_O64, 64, 65, 66, 67, 68)

/* The same with a 2:4 sparse a: 32 bytes of a row of a hold the kept half of 64 bytes' worth of elements, so b's rows
 * give 64 bytes. `meta`: two bits per element kept, its place among the four. 16-bit elements: lanes 0 and 1 of each
 * four (SELECTOR 0) or lanes 2 and 3 (SELECTOR 1) give it: lane 2 SELECTOR + h holds elements 16h .. 16h + 15 of K, in
 * its low half for row l/4 and in its high half for the row eight further down. 8-bit elements: SELECTOR 0, all four
 * lanes: lane c gives elements 32 (c / 2) .. + 31 of row l/4 + 8 (c % 2). */
template <typename T, int N, int SELECTOR> struct WgmmaSparse;

#define WGMMA_SPARSE(TAG, SUM, C, N, K, REGS, OUT, A, B, M, S, P, KIND, TAIL)                                          \
    template <int SELECTOR> struct WgmmaSparse<TAG, N, SELECTOR> {                                                     \
        static __device__ __forceinline__ void run(SUM (&d)[N / 2], uint64_t a, uint64_t b, uint32_t meta,             \
                                                   int accumulate)                                                     \
        {                                                                                                              \
            asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #P ", 0;\n"                                              \
                         "wgmma.mma_async.sp.sync.aligned.m64n" #N "k" #K "." KIND " {" REGS "}, %" #A ", %" #B        \
                         ", %" #M ", %" #S ", p" TAIL ";\n}"                                                           \
                         : OUT(C, d, 0)                                                                                \
                         : "l"(a), "l"(b), "r"(meta), "n"(SELECTOR), "r"(accumulate));                                 \
        }                                                                                                              \
    };

WGMMA_SPARSE(Bf16, float, "+f", 64, 32, WGMMA_R32, WGMMA_O32, 32, 33, 34, 35, 36, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_SPARSE(Bf16, float, "+f", 128, 32, WGMMA_R64, WGMMA_O64, 64, 65, 66, 67, 68, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_SPARSE(Bf16, float, "+f", 192, 32, WGMMA_R96, WGMMA_O96, 96, 97, 98, 99, 100, "f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA_SPARSE(Bf16, float, "+f", 256, 32, WGMMA_R128, WGMMA_O128, 128, 129, 130, 131, 132, "f32.bf16.bf16",
             ", 1, 1, 0, 0")
WGMMA_SPARSE(E4m3, float, "+f", 64, 64, WGMMA_R32, WGMMA_O32, 32, 33, 34, 35, 36, "f32.e4m3.e4m3", ", 1, 1")
WGMMA_SPARSE(E4m3, float, "+f", 128, 64, WGMMA_R64, WGMMA_O64, 64, 65, 66, 67, 68, "f32.e4m3.e4m3", ", 1, 1")
WGMMA_SPARSE(E4m3, float, "+f", 192, 64, WGMMA_R96, WGMMA_O96, 96, 97, 98, 99, 100, "f32.e4m3.e4m3", ", 1, 1")
WGMMA_SPARSE(E4m3, float, "+f", 256, 64, WGMMA_R128, WGMMA_O128, 128, 129, 130, 131, 132, "f32.e4m3.e4m3", ", 1, 1")
WGMMA_SPARSE(S8, int, "+r", 64, 64, WGMMA_R32, WGMMA_O32, 32, 33, 34, 35, 36, "s32.s8.s8", "")
WGMMA_SPARSE(S8, int, "+r", 128, 64, WGMMA_R64, WGMMA_O64, 64, 65, 66, 67, 68, "s32.s8.s8", "")
WGMMA_SPARSE(S8, int, "+r", 192, 64, WGMMA_R96, WGMMA_O96, 96, 97, 98, 99, 100, "s32.s8.s8", "")
WGMMA_SPARSE(S8, int, "+r", 256, 64, WGMMA_R128, WGMMA_O128, 128, 129, 130, 131, 132, "s32.s8.s8", "")

#endif
