/* cublas_functions.h: declarations of the routines that cublas_v2.h has, which includes it. C-clean. In a kernel's file the
 * definitions follow them there, and the compiler compares the two. */
#ifndef CUBLAS_FUNCTIONS_H
#define CUBLAS_FUNCTIONS_H

CPUDEV_BLAS cublasStatus_t cublasCreate(cublasHandle_t *handle);
CPUDEV_BLAS cublasStatus_t cublasDestroy(cublasHandle_t handle);
CPUDEV_BLAS cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
CPUDEV_BLAS cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
CPUDEV_BLAS cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
CPUDEV_BLAS cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
CPUDEV_BLAS cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
CPUDEV_BLAS cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
CPUDEV_BLAS cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
CPUDEV_BLAS cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
CPUDEV_BLAS cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
CPUDEV_BLAS cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
CPUDEV_BLAS const char *cublasGetStatusString(cublasStatus_t status);
CPUDEV_BLAS const char *cublasGetStatusName(cublasStatus_t status);

CPUDEV_BLAS cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb);
CPUDEV_BLAS cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb);
CPUDEV_BLAS cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda, void *b,
                                                int ldb, cudaStream_t stream);
CPUDEV_BLAS cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda, void *b,
                                                int ldb, cudaStream_t stream);
CPUDEV_BLAS cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
CPUDEV_BLAS cublasStatus_t cublasGetVector(int n, int bytes, const void *x, int incx, void *y, int incy);

#define CPUDEV_GEMM(letter, __T)                                                                                       \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,      \
                                                    int m, int n, int k, const __T *alpha, const __T *a, int lda,      \
                                                    const __T *b, int ldb, const __T *beta, __T *c, int ldc);          \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemmStridedBatched(                                                     \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const __T *alpha,           \
        const __T *a, int lda, long long stride_a, const __T *b, int ldb, long long stride_b, const __T *beta, __T *c, \
        int ldc, long long stride_c, int batches);                                                                     \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemmBatched(                                                            \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const __T *alpha,           \
        const __T *const a[], int lda, const __T *const b[], int ldb, const __T *beta, __T *const c[], int ldc,        \
        int batches);
CPUDEV_GEMM(S, float)
CPUDEV_GEMM(D, double)
CPUDEV_GEMM(C, cuComplex)
CPUDEV_GEMM(Z, cuDoubleComplex)
CPUDEV_GEMM(H, __half)
#undef CPUDEV_GEMM

#define CPUDEV_GEMV(letter, __T)                                                                                       \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemv(cublasHandle_t h, cublasOperation_t ta, int m, int n,              \
                                                    const __T *alpha, const __T *a, int lda, const __T *x, int incx,   \
                                                    const __T *beta, __T *y, int incy);
CPUDEV_GEMV(S, float)
CPUDEV_GEMV(D, double)
CPUDEV_GEMV(C, cuComplex)
CPUDEV_GEMV(Z, cuDoubleComplex)
#undef CPUDEV_GEMV

CPUDEV_BLAS cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                        int k, const void *alpha, const void *a, cudaDataType at, int lda,
                                        const void *b, cudaDataType bt, int ldb, const void *beta, void *c,
                                        cudaDataType ct, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algo);
CPUDEV_BLAS cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                                                      int m, int n, int k, const void *alpha, const void *a,
                                                      cudaDataType at, int lda, long long stride_a, const void *b,
                                                      cudaDataType bt, int ldb, long long stride_b, const void *beta,
                                                      void *c, cudaDataType ct, int ldc, long long stride_c,
                                                      int batches, cublasComputeType_t compute, cublasGemmAlgo_t algo);
CPUDEV_BLAS cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                                               int n, int k, const void *alpha, const void *const a[], cudaDataType at,
                                               int lda, const void *const b[], cudaDataType bt, int ldb,
                                               const void *beta, void *const c[], cudaDataType ct, int ldc, int batches,
                                               cublasComputeType_t compute, cublasGemmAlgo_t algo);

#define CPUDEV_REAL(letter, __T)                                                                                       \
    CPUDEV_BLAS cublasStatus_t cublas##letter##axpy(cublasHandle_t h, int n, const __T *alpha, const __T *x, int incx, \
                                                    __T *y, int incy);                                                 \
    CPUDEV_BLAS cublasStatus_t cublas##letter##scal(cublasHandle_t h, int n, const __T *alpha, __T *x, int incx);      \
    CPUDEV_BLAS cublasStatus_t cublas##letter##dot(cublasHandle_t h, int n, const __T *x, int incx, const __T *y,      \
                                                   int incy, __T *result);                                             \
    CPUDEV_BLAS cublasStatus_t cublas##letter##nrm2(cublasHandle_t h, int n, const __T *x, int incx, __T *result);     \
    CPUDEV_BLAS cublasStatus_t cublas##letter##asum(cublasHandle_t h, int n, const __T *x, int incx, __T *result);     \
    CPUDEV_BLAS cublasStatus_t cublas##letter##geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,      \
                                                    int m, int n, const __T *alpha, const __T *a, int lda,             \
                                                    const __T *beta, const __T *b, int ldb, __T *c, int ldc);          \
    CPUDEV_BLAS cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t h, int n, __T *const a[], int lda,          \
                                                            int *pivots, int *info, int batch);                        \
    CPUDEV_BLAS cublasStatus_t cublas##letter##getriBatched(cublasHandle_t h, int n, const __T *const a[], int lda,    \
                                                            const int *pivots, __T *const c[], int ldc, int *info,     \
                                                            int batch);                                                \
    CPUDEV_BLAS cublasStatus_t cublas##letter##getrsBatched(                                                           \
        cublasHandle_t h, cublasOperation_t trans, int n, int nrhs, const __T *const a[], int lda, const int *pivots,  \
        __T *const b[], int ldb, int *info, int batch);                                                                \
    CPUDEV_BLAS cublasStatus_t cublas##letter##matinvBatched(cublasHandle_t h, int n, const __T *const a[], int lda,   \
                                                             __T *const c[], int ldc, int *info, int batch);           \
    CPUDEV_BLAS cublasStatus_t cublas##letter##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,    \
                                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n,      \
                                                    const __T *alpha, const __T *a, int lda, __T *b, int ldb);
CPUDEV_REAL(S, float)
CPUDEV_REAL(D, double)
#undef CPUDEV_REAL

#endif
