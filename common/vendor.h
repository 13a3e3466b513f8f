/* vendor.h: NVIDIA's libraries as yardsticks, opened at run time (dlopen): a program neither needs nor links them.
 * Each call is asynchronous on `stream`, takes device pointers, and returns 0; or -1 after lab_skip() with the
 * reason (no such library here, the CPU device, a type or shape the library refuses). Set-up (handles, algorithm
 * search) happens on the first call for a shape and is kept. All matrices row-major. */
#ifndef VENDOR_H
#define VENDOR_H

#include <cuda_runtime.h>
#include <stddef.h>

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* C (M x N) = A (M x K) B (K x N), fp32 with no tf32: cublasSgemm. */
int vendor_gemm_f32(const float *A, const float *B, float *C, size_t M, size_t N, size_t K, cudaStream_t stream);

/* C (M x N) = A (M x K) B, by the fastest of cublasLt's heuristics for this shape (up to 8, timed on the first call as
 * vendor_fastest_by() says). `type` of A and B: LAB_BF16, LAB_F16, LAB_S8 (C LAB_S32) or VENDOR_E4M3 through `type`;
 * `form`: 0, or some of these: B is stored N x K, A is stored K x M, negative results become 0. `c_type`: LAB_F32, LAB_BF16, LAB_S32. Accumulates in fp32 (s32 for LAB_S8).
 */
enum { VENDOR_E4M3 = LAB_TYPE_COUNT };
enum { VENDOR_B_TURNED = 1, VENDOR_A_TURNED = 2, VENDOR_RELU = 4 };
int vendor_gemm_lt(const void *A, const void *B, void *C, int type, LabType c_type, int form, size_t M, size_t N,
                   size_t K, cudaStream_t stream);

/* C (M x N, fp32) = A (M x K, CSR with `nonzeros` values of fp32, 32-bit indices) B (K x N, fp32): cusparseSpMM. */
int vendor_spmm_csr(const int *row_start, const int *column, const float *value, size_t nonzeros, const float *B,
                    float *C, size_t M, size_t N, size_t K, cudaStream_t stream);

/* The same with A, B and C in bf16, added up in fp32. */
int vendor_spmm_csr_bf16(const int *row_start, const int *column, const void *value, size_t nonzeros, const void *B,
                         void *C, size_t M, size_t N, size_t K, cudaStream_t stream);

/* The same with A in block CSR: `blocks` square blocks of `block` on a side, each row-major; M and K are multiples of
 * `block`; row_start and column count blocks. */
int vendor_spmm_bsr_bf16(const int *row_start, const int *column, const void *value, size_t blocks, size_t block,
                         const void *B, void *C, size_t M, size_t N, size_t K, cudaStream_t stream);

/* C (M x N, bf16) = A (M x K) times the transpose of B (N x K), both e4m3; device arrays. Without scales (NULL) the sums
 * are added up as fast as the tensor cores do it (about 14 bits). With scales (Hopper): a_scales [K / 128][M], one for
 * each 128 elements of a row of A; b_scales [N / 128][K / 128], one for each 128 x 128 of B; K is a multiple of 512,
 * since the library pads b_scales' rows to four. */
int vendor_gemm_fp8(const void *A, const void *B, void *C, const float *a_scales, const float *b_scales, size_t M,
                    size_t N, size_t K, cudaStream_t stream);

/* 2:4 sparse: C (M x N) = A (M x K, dense storage that already is 2:4 along K) B (N x K if b_transposed else K x N)
 * by cuSPARSELt. `search` != 0: after cusparseLtMatmulSearch, else the default algorithm. The compressed A is made
 * on the first call for (A, shape) and kept, until vendor_inputs_changed(). */
int vendor_gemm_sparse24(const void *A, const void *B, void *C, int type, LabType c_type, int b_transposed, size_t M,
                         size_t N, size_t K, int search, cudaStream_t stream);

/* The same arrays hold other matrices now: what was made of the old ones is made again by the next call. */
void vendor_inputs_changed(void);

/* Which of `count` ways, run(context[i]), is fastest on this stream: its place. */
typedef int VendorFastest(void (*run)(void *context), void *const *context, int count, cudaStream_t stream);
/* How the calls above choose among a library's algorithms; until then they take the first. */
void vendor_fastest_by(VendorFastest *fastest);

/* Gives back what the calls above keep: handles, workspaces, prepared problems. A program's end calls it. */
void vendor_close(void);

/* One line naming the libraries that are there and their versions ("cuBLAS 13.1.0, cuSPARSE 12.6.3"), or "none". It opens
 * cuBLAS, and cuSPARSE and cuSPARSELt where the program has a call of theirs. */
const char *vendor_versions(void);
/* A library that was opened elsewhere joins that line. `number` is what its own version function gives:
 * MAJOR * major_unit + MINOR * 100 + PATCH. */
void vendor_add_version(const char *name, int number, int major_unit);

#ifdef __cplusplus
}
#endif
#endif
