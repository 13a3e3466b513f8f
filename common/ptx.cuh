/*
 * ptx.cuh: the PTX instructions that the labs use, one function each. On a GPU each is that instruction (sm_80 and
 * later); on the CPU device the emulation in cpudev_mma.h, with the same fragments. Matrices and lanes: PTX ISA,
 * "Warp level matrix instructions". All 32 lanes of a warp call the matrix functions together.
 *
 *   ldmatrix_x4, _x2, and _trans    8 x 8 matrices of 16-bit elements from shared memory; each lane gives a row
 *   mma_m16n8k16_bf16 ...           d += a * b
 *   mma_sp_...<SELECTOR>            the same with a 2:4 sparse A and its metadata
 *   cp_async_16, _8, _4             copy global -> shared memory without a register; zeros where not `valid`
 *   cp_async_commit, cp_async_wait<N>   close a group; wait until at most N groups are under way
 */
#ifndef COMMON_PTX_CUH
#define COMMON_PTX_CUH

#include <stdint.h>

#ifdef __CUCC__

#include "cpudev_async.h"
#include "cpudev_mma.h"

static __device__ inline void ldmatrix_x4(uint32_t r[4], const void *smem_row)
{
    cpudev_ldmatrix<4, false>(r, smem_row);
}
static __device__ inline void ldmatrix_x2(uint32_t r[2], const void *smem_row)
{
    cpudev_ldmatrix<2, false>(r, smem_row);
}
static __device__ inline void ldmatrix_x4_trans(uint32_t r[4], const void *smem_row)
{
    cpudev_ldmatrix<4, true>(r, smem_row);
}
static __device__ inline void ldmatrix_x2_trans(uint32_t r[2], const void *smem_row)
{
    cpudev_ldmatrix<2, true>(r, smem_row);
}

static __device__ inline void mma_m16n8k16_bf16(float d[4], const uint32_t a[4], const uint32_t b[2])
{
    cpudev_mma_m16n8k16_bf16(d, a, b);
}
static __device__ inline void mma_m16n8k16_f16(float d[4], const uint32_t a[4], const uint32_t b[2])
{
    cpudev_mma_m16n8k16_f16(d, a, b);
}
static __device__ inline void mma_m16n8k8_tf32(float d[4], const uint32_t a[4], const uint32_t b[2])
{
    cpudev_mma_m16n8k8_tf32(d, a, b);
}
static __device__ inline void mma_m16n8k32_s8(int d[4], const uint32_t a[4], const uint32_t b[2])
{
    cpudev_mma_m16n8k32_s8(d, a, b);
}
template <int SELECTOR>
static __device__ inline void mma_sp_m16n8k32_bf16(float d[4], const uint32_t a[4], const uint32_t b[4], uint32_t meta)
{
    static_assert(SELECTOR == 0 || SELECTOR == 1, "the metadata lie in lanes 0 and 1 or in lanes 2 and 3 of each four");
    cpudev_mma_sp_m16n8k32_bf16(d, a, b, meta, SELECTOR);
}
template <int SELECTOR>
static __device__ inline void mma_sp_m16n8k64_s8(int d[4], const uint32_t a[4], const uint32_t b[4], uint32_t meta)
{
    static_assert(SELECTOR == 0, "every lane holds metadata: there is nothing to select");
    cpudev_mma_sp_m16n8k64_s8(d, a, b, meta, SELECTOR);
}

static __device__ inline void cp_async_16(void *smem, const void *gmem, bool valid = true)
{
    cpudev_async_enqueue(smem, gmem, 16, valid ? 16 : 0);
}
static __device__ inline void cp_async_8(void *smem, const void *gmem, bool valid = true)
{
    cpudev_async_enqueue(smem, gmem, 8, valid ? 8 : 0);
}
static __device__ inline void cp_async_4(void *smem, const void *gmem, bool valid = true)
{
    cpudev_async_enqueue(smem, gmem, 4, valid ? 4 : 0);
}
static __device__ inline void cp_async_commit(void) { cpudev_async_commit(); }
template <int N> static __device__ inline void cp_async_wait(void) { cpudev_async_wait(N, false); }

#else

__device__ __forceinline__ uint32_t ptx_smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void ldmatrix_x4(uint32_t r[4], const void *smem_row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(ptx_smem(smem_row))
                 : "memory");
}
__device__ __forceinline__ void ldmatrix_x2(uint32_t r[2], const void *smem_row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(ptx_smem(smem_row))
                 : "memory");
}
__device__ __forceinline__ void ldmatrix_x4_trans(uint32_t r[4], const void *smem_row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(ptx_smem(smem_row))
                 : "memory");
}
__device__ __forceinline__ void ldmatrix_x2_trans(uint32_t r[2], const void *smem_row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(ptx_smem(smem_row))
                 : "memory");
}

__device__ __forceinline__ void mma_m16n8k16_bf16(float d[4], const uint32_t a[4], const uint32_t b[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void mma_m16n8k16_f16(float d[4], const uint32_t a[4], const uint32_t b[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void mma_m16n8k8_tf32(float d[4], const uint32_t a[4], const uint32_t b[2])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void mma_m16n8k32_s8(int d[4], const uint32_t a[4], const uint32_t b[2])
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* The plain mma.sp is deprecated: the ordered form promises that places rise, and is the one that runs at full speed.
 * */
template <int SELECTOR>
__device__ __forceinline__ void mma_sp_m16n8k32_bf16(float d[4], const uint32_t a[4], const uint32_t b[4],
                                                     uint32_t meta)
{
    static_assert(SELECTOR == 0 || SELECTOR == 1, "the metadata lie in lanes 0 and 1 or in lanes 2 and 3 of each four");
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, %13;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(meta),
                   "n"(SELECTOR));
}
template <int SELECTOR>
__device__ __forceinline__ void mma_sp_m16n8k64_s8(int d[4], const uint32_t a[4], const uint32_t b[4], uint32_t meta)
{
    static_assert(SELECTOR == 0, "every lane holds metadata: there is nothing to select");
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, %13;"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(meta),
                   "n"(SELECTOR));
}

/* 16 bytes go around L1 (.cg), which the smaller sizes cannot. */
__device__ __forceinline__ void cp_async_16(void *smem, const void *gmem, bool valid = true)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(ptx_smem(smem)), "l"(gmem), "r"(valid ? 16 : 0)
                 : "memory");
}
__device__ __forceinline__ void cp_async_8(void *smem, const void *gmem, bool valid = true)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                 :
                 : "r"(ptx_smem(smem)), "l"(gmem), "r"(valid ? 8 : 0)
                 : "memory");
}
__device__ __forceinline__ void cp_async_4(void *smem, const void *gmem, bool valid = true)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :
                 : "r"(ptx_smem(smem)), "l"(gmem), "r"(valid ? 4 : 0)
                 : "memory");
}
__device__ __forceinline__ void cp_async_commit(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void cp_async_wait(void)
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

#endif
#endif
