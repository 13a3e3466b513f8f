/*
 * cublasXt.h: cuBLAS-XT's products of matrices (gemm for S, D, C and Z), whose operands may lie on the host or on the device,
 * for the CPU device. They are copied to the device, multiplied there by cublas_v2.h, and C is copied back before the call
 * returns, whatever the block's size. Of devices there is one. Every other routine is missing, and the compiler names it.
 *
 * Matrices are column-major; alpha and beta lie on the host. C and host C++ have the declarations only, as of cublas_v2.h.
 * Source of the interface: https://docs.nvidia.com/cuda/cublas/#using-the-cublasxt-api
 */
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include "cublas_v2.h"

struct cublasXtContext {
    cublasHandle_t blas;
    int block;
    int pinning;
};
typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;

CPUDEV_BLAS cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
CPUDEV_BLAS cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
CPUDEV_BLAS cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int devices, int device[]);
CPUDEV_BLAS cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int block);
CPUDEV_BLAS cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *block);
CPUDEV_BLAS cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
CPUDEV_BLAS cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode);
#define CPUDEV_XT_GEMM(letter, __T)                                                                                    \
    CPUDEV_BLAS cublasStatus_t cublasXt##letter##gemm(                                                                 \
        cublasXtHandle_t h, cublasOperation_t ta, cublasOperation_t tb, size_t m, size_t n, size_t k,                  \
        const __T *alpha, const __T *a, size_t lda, const __T *b, size_t ldb, const __T *beta, __T *c, size_t ldc);
CPUDEV_XT_GEMM(S, float)
CPUDEV_XT_GEMM(D, double)
CPUDEV_XT_GEMM(C, cuComplex)
CPUDEV_XT_GEMM(Z, cuDoubleComplex)
#undef CPUDEV_XT_GEMM

#ifdef __CUDACC__

CPUDEV_BLAS cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle)
{
    *handle = new cublasXtContext{NULL, 4096, CUBLASXT_PINNING_DISABLED};
    return cublasCreate(&(*handle)->blas);
}
CPUDEV_BLAS cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle)
{
    cublasDestroy(handle->blas);
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t, int devices, int device[])
{
    if (devices < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < devices; i++)
        if (device[i] != 0)
            return CUBLAS_STATUS_INVALID_VALUE;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int block)
{
    if (block <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->block = block;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *block)
{
    *block = handle->block;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode)
{
    handle->pinning = mode;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode)
{
    *mode = (cublasXtPinnedMemMode_t)handle->pinning;
    return CUBLAS_STATUS_SUCCESS;
}

/* rows x columns elements of columns of `ld`, to or from dense columns on the device. */
template <class __T>
static inline cudaError_t cpudev_xt_copy(__T *to, size_t to_ld, const __T *from, size_t from_ld, size_t rows,
                                         size_t columns)
{
    return cudaMemcpy2D(to, to_ld * sizeof(__T), from, from_ld * sizeof(__T), rows * sizeof(__T), columns,
                        cudaMemcpyDefault);
}
template <class __T, class Gemm>
static inline cublasStatus_t cpudev_xt_gemm(cublasXtHandle_t h, Gemm gemm, cublasOperation_t ta, cublasOperation_t tb,
                                            size_t m, size_t n, size_t k, const __T *alpha, const __T *a, size_t lda,
                                            const __T *b, size_t ldb, const __T *beta, __T *c, size_t ldc)
{
    const size_t rows_a = ta ? k : m, columns_a = ta ? m : k, rows_b = tb ? n : k, columns_b = tb ? k : n;
    if (m > 0x7fffffff || n > 0x7fffffff || k > 0x7fffffff || lda < rows_a || ldb < rows_b || ldc < m)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!m || !n)
        return CUBLAS_STATUS_SUCCESS;
    __T *d = NULL;
    if (cudaMalloc(&d, (rows_a * columns_a + rows_b * columns_b + m * n) * sizeof(__T)) != cudaSuccess)
        return CUBLAS_STATUS_ALLOC_FAILED;
    __T *db = d + rows_a * columns_a, *dc = db + rows_b * columns_b;
    cublasStatus_t status = CUBLAS_STATUS_EXECUTION_FAILED;
    if ((!k || (!cpudev_xt_copy(d, rows_a, a, lda, rows_a, columns_a) &&
                !cpudev_xt_copy(db, rows_b, b, ldb, rows_b, columns_b))) &&
        !cpudev_xt_copy(dc, m, c, ldc, m, n))
        status = gemm(h->blas, ta, tb, (int)m, (int)n, (int)k, alpha, d, (int)(rows_a ? rows_a : 1), db,
                      (int)(rows_b ? rows_b : 1), beta, dc, (int)m);
    if (status == CUBLAS_STATUS_SUCCESS && cpudev_xt_copy(c, ldc, dc, m, m, n) != cudaSuccess)
        status = CUBLAS_STATUS_EXECUTION_FAILED;
    cudaFree(d);
    return status;
}

#define CPUDEV_XT_GEMM(letter, __T)                                                                                    \
    CPUDEV_BLAS cublasStatus_t cublasXt##letter##gemm(                                                                 \
        cublasXtHandle_t h, cublasOperation_t ta, cublasOperation_t tb, size_t m, size_t n, size_t k,                  \
        const __T *alpha, const __T *a, size_t lda, const __T *b, size_t ldb, const __T *beta, __T *c, size_t ldc)     \
    {                                                                                                                  \
        return cpudev_xt_gemm(h, cublas##letter##gemm, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);          \
    }
CPUDEV_XT_GEMM(S, float)
CPUDEV_XT_GEMM(D, double)
CPUDEV_XT_GEMM(C, cuComplex)
CPUDEV_XT_GEMM(Z, cuDoubleComplex)
#undef CPUDEV_XT_GEMM

#endif /* __CUDACC__ */
#endif
