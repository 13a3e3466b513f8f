/* cusolverDn.h: cuSOLVER's dense interface on the CPU device. LAPACK computes (libopenblas or liblapack, loaded by the
 * first call), so results differ from a GPU's by rounding, and in what LAPACK leaves open (signs of singular vectors).
 * Link with -lcusolver. C-clean.
 *
 * Cholesky (potrf, potrs, potri, and the first two batched), LU (getrf, getrs), QR (geqrf, orgqr, ormqr), singular
 * values (gesvd, gesvdj) and symmetric eigenvalues (syevd, syevj, sygvd), for S, D, C and Z; of the interface of 64 bits
 * Xpotrf, Xpotrs, Xgetrf and Xgetrs. Matrices are stored by columns, and all pointers but the sizes' are the device's.
 * LAPACK finds its own working memory: what a caller gives as such is not used. */
#ifndef CPUDEV_CUSOLVERDN_H
#define CPUDEV_CUSOLVERDN_H

#include <stddef.h>
#include <stdint.h>

#include "cpudev_blas_types.h"
#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "cusolver_common.h"
#include "library_types.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;

#ifdef __cplusplus
extern "C" {
#endif

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);

/* Of Jacobi's methods: LAPACK's own methods compute, to full precision, so that tolerances and sweeps change nothing. */
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort);

/* X is the routine's letter, __T a matrix's element, R a real number of that precision; SY, OR are "sy" and "or" of real
 * matrices, "he" and "un" of complex ones. */
#define CPUDEV_SOLVER(X, __T, __R, SY, OR)                                                                             \
    cusolverStatus_t cusolverDn##X##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, __T *a,  \
                                                     int lda, int *lwork);                                             \
    cusolverStatus_t cusolverDn##X##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, __T *a, int lda,    \
                                          __T *work, int lwork, int *info);                                            \
    cusolverStatus_t cusolverDn##X##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,           \
                                          const __T *a, int lda, __T *b, int ldb, int *info);                          \
    cusolverStatus_t cusolverDn##X##potri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, __T *a,  \
                                                     int lda, int *lwork);                                             \
    cusolverStatus_t cusolverDn##X##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, __T *a, int lda,    \
                                          __T *work, int lwork, int *info);                                            \
    cusolverStatus_t cusolverDn##X##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, __T *a[],    \
                                                 int lda, int *info, int batch);                                       \
    cusolverStatus_t cusolverDn##X##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,    \
                                                 __T *a[], int lda, __T *b[], int ldb, int *info, int batch);          \
    cusolverStatus_t cusolverDn##X##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, __T *a, int lda,         \
                                                     int *lwork);                                                      \
    cusolverStatus_t cusolverDn##X##getrf(cusolverDnHandle_t handle, int m, int n, __T *a, int lda, __T *work,         \
                                          int *pivots, int *info);                                                     \
    cusolverStatus_t cusolverDn##X##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,         \
                                          const __T *a, int lda, const int *pivots, __T *b, int ldb, int *info);       \
    cusolverStatus_t cusolverDn##X##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, __T *a, int lda,         \
                                                     int *lwork);                                                      \
    cusolverStatus_t cusolverDn##X##geqrf(cusolverDnHandle_t handle, int m, int n, __T *a, int lda, __T *tau,          \
                                          __T *work, int lwork, int *info);                                            \
    cusolverStatus_t cusolverDn##X##OR##gqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const __T *a,   \
                                                       int lda, const __T *tau, int *lwork);                           \
    cusolverStatus_t cusolverDn##X##OR##gqr(cusolverDnHandle_t handle, int m, int n, int k, __T *a, int lda,           \
                                            const __T *tau, __T *work, int lwork, int *info);                          \
    cusolverStatus_t cusolverDn##X##OR##mqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,               \
                                                       cublasOperation_t trans, int m, int n, int k, const __T *a,     \
                                                       int lda, const __T *tau, const __T *c, int ldc, int *lwork);    \
    cusolverStatus_t cusolverDn##X##OR##mqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, \
                                            int m, int n, int k, const __T *a, int lda, const __T *tau, __T *c,        \
                                            int ldc, __T *work, int lwork, int *info);                                 \
    cusolverStatus_t cusolverDn##X##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork);             \
    cusolverStatus_t cusolverDn##X##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,       \
                                          int n, __T *a, int lda, __R *s, __T *u, int ldu, __T *vt, int ldvt,          \
                                          __T *work, int lwork, __R *rwork, int *info);                                \
    cusolverStatus_t cusolverDn##X##gesvdj_bufferSize(                                                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const __T *a, int lda,              \
        const __R *s, const __T *u, int ldu, const __T *v, int ldv, int *lwork, gesvdjInfo_t params);                  \
    cusolverStatus_t cusolverDn##X##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,  \
                                           __T *a, int lda, __R *s, __T *u, int ldu, __T *v, int ldv, __T *work,       \
                                           int lwork, int *info, gesvdjInfo_t params);                                 \
    cusolverStatus_t cusolverDn##X##SY##evd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,              \
                                                       cublasFillMode_t uplo, int n, const __T *a, int lda,            \
                                                       const __R *w, int *lwork);                                      \
    cusolverStatus_t cusolverDn##X##SY##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,  \
                                            int n, __T *a, int lda, __R *w, __T *work, int lwork, int *info);          \
    cusolverStatus_t cusolverDn##X##SY##evj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,              \
                                                       cublasFillMode_t uplo, int n, const __T *a, int lda,            \
                                                       const __R *w, int *lwork, syevjInfo_t params);                  \
    cusolverStatus_t cusolverDn##X##SY##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,  \
                                            int n, __T *a, int lda, __R *w, __T *work, int lwork, int *info,           \
                                            syevjInfo_t params);                                                       \
    cusolverStatus_t cusolverDn##X##SY##gvd_bufferSize(                                                                \
        cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,       \
        const __T *a, int lda, const __T *b, int ldb, const __R *w, int *lwork);                                       \
    cusolverStatus_t cusolverDn##X##SY##gvd(cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz, \
                                            cublasFillMode_t uplo, int n, __T *a, int lda, __T *b, int ldb, __R *w,    \
                                            __T *work, int lwork, int *info);
CPUDEV_SOLVER(S, float, float, sy, or)
CPUDEV_SOLVER(D, double, double, sy, or)
CPUDEV_SOLVER(C, cuComplex, float, he, un)
CPUDEV_SOLVER(Z, cuDoubleComplex, double, he, un)
#undef CPUDEV_SOLVER

/* Of 64 bits: types CUDA_R_32F, CUDA_R_64F, CUDA_C_32F and CUDA_C_64F, computed in the matrix's own; sizes below 2^31. */
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType type_a, const void *a,
                                             int64_t lda, cudaDataType compute, size_t *device_bytes,
                                             size_t *host_bytes);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType type_a, void *a, int64_t lda, cudaDataType compute,
                                  void *device, size_t device_bytes, void *host, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType type_a, const void *a, int64_t lda, cudaDataType compute,
                                             size_t *device_bytes, size_t *host_bytes);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType type_a, void *a, int64_t lda, int64_t *pivots, cudaDataType compute,
                                  void *device, size_t device_bytes, void *host, size_t host_bytes, int *info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, int64_t nrhs, cudaDataType type_a, const void *a, int64_t lda,
                                  cudaDataType type_b, void *b, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans,
                                  int64_t n, int64_t nrhs, cudaDataType type_a, const void *a, int64_t lda,
                                  const int64_t *pivots, cudaDataType type_b, void *b, int64_t ldb, int *info);

#ifdef __cplusplus
}
#endif
#endif
