/*
 * cublas_v2.h: a few of cuBLAS's routines for the CPU device, so that a program that only compares itself with the
 * library runs: gemm (S, D, C, Z, H, Ex, batched by stride and by pointers) and gemv in cublas_gemm.h, geam, axpy, scal,
 * dot, nrm2 and asum (S, D), the copies of vectors and matrices, triangular systems (trsm) and the factorizations of many
 * small matrices (cublas_factor.h). Products are OpenBLAS's where it is installed and -lcublas is linked; all else is one
 * plain kernel on the handle's stream, sums in float (double for D, dot, nrm2 and asum): right, not fast. Every other
 * routine is missing, and the compiler names it.
 *
 * Matrices are column-major, as in cuBLAS; alpha, beta and results lie where the pointer mode says. In a kernel's file the
 * routines are here; C and host C++ have their declarations (cublas_functions.h), and link with libraries/host/cublas.cu,
 * which is this header once more.
 */
/* It takes macros that stand for whole declarations, without semicolons, for parts of one: */
/* clang-format off */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_ /* other people's headers ask for it */

#include "cpudev_blas_types.h"
#include "cuComplex.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"

#define CUBLAS_VERSION 130000

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR = 14, CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73, CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DFALT_TENSOR_OP = 99, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;

struct cublasContext {
    cudaStream_t stream;
    cublasMath_t math;
    cublasPointerMode_t pointers;
    cublasAtomicsMode_t atomics;
};
typedef struct cublasContext *cublasHandle_t;

#ifdef CPUDEV_BLAS /* the library's: as they are declared */
#elif defined __CUDACC__
#define CPUDEV_BLAS static inline __attribute__((unused))
#elif defined __cplusplus
#define CPUDEV_BLAS extern "C"
#else
#define CPUDEV_BLAS extern
#endif
#include "cublas_functions.h"

#ifdef __CUDACC__
#include "cuda_bf16.h"

CPUDEV_BLAS cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    *handle = new cublasContext();
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasGetVersion(cublasHandle_t, int *version)
{
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream)
{
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    handle->math = mode;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode)
{
    *mode = handle->math;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t) { return CUBLAS_STATUS_SUCCESS; }
CPUDEV_BLAS cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode)
{
    if (mode != CUBLAS_POINTER_MODE_HOST && mode != CUBLAS_POINTER_MODE_DEVICE)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->pointers = mode;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode)
{
    *mode = handle->pointers;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode)
{
    handle->atomics = mode;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode)
{
    *mode = handle->atomics;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS const char *cublasGetStatusString(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "success";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "not supported by the CPU device's cuBLAS";
    case CUBLAS_STATUS_INVALID_VALUE: return "invalid value";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "the kernel failed";
    default: return "error";
    }
}
CPUDEV_BLAS const char *cublasGetStatusName(cublasStatus_t status) { return cublasGetStatusString(status); }

#include "cublas_gemm.h"

/* ---- vectors ---- */

template <class __T> __global__ void cpudev_axpy(int n, CpudevFactor<__T> factor, const __T *x, int incx, __T *y, int incy)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const __T alpha = factor.at ? *factor.at : factor.value;
    if (i < n)
        y[(long long)i * incy] += alpha * x[(long long)i * incx];
}
template <class __T> __global__ void cpudev_scal(int n, CpudevFactor<__T> factor, __T *x, int incx)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const __T alpha = factor.at ? *factor.at : factor.value;
    if (i < n)
        x[(long long)i * incx] *= alpha;
}
/* kind 0: x y, 1: the root of x x, 2: |x| */
template <class __T> __global__ void cpudev_vector_sum(int kind, int n, const __T *x, int incx, const __T *y, int incy, __T *result)
{
    double sum = 0;
    for (long long i = 0; i < n; i++)
        sum += kind == 2 ? fabs((double)x[i * incx]) : (double)x[i * incx] * (double)y[i * incy];
    *result = (__T)(kind == 1 ? sqrt(sum) : sum);
}
template <class __T> static inline cublasStatus_t cpudev_vector_sum_launch(cublasHandle_t h, int kind, int n, const __T *x, int incx, const __T *y, int incy, __T *result)
{
    __T *sum;
    if (h->pointers == CUBLAS_POINTER_MODE_DEVICE) {
        cpudev_vector_sum<__T><<<1, 1, 0, h->stream>>>(kind, n, x, incx, y, incy, result);
        return CUBLAS_STATUS_SUCCESS;
    }
    if (cudaMallocManaged(&sum, sizeof *sum))
        return CUBLAS_STATUS_ALLOC_FAILED;
    cpudev_vector_sum<__T><<<1, 1, 0, h->stream>>>(kind, n, x, incx, y, incy, sum);
    cudaError_t e = cudaStreamSynchronize(h->stream);
    *result = *sum;
    cudaFree(sum);
    return e ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}
#define CPUDEV_VECTOR(letter, __T)                                                                                    \
    CPUDEV_BLAS cublasStatus_t cublas##letter##axpy(cublasHandle_t h, int n, const __T *alpha, const __T *x, int incx, __T *y, int incy) \
    {                                                                                                               \
        if (n > 0)                                                                                                  \
            cpudev_axpy<__T><<<(n + 255) / 256, 256, 0, h->stream>>>(n, cpudev_factor(h, alpha), x, incx, y, incy);                    \
        return CUBLAS_STATUS_SUCCESS;                                                                               \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##scal(cublasHandle_t h, int n, const __T *alpha, __T *x, int incx)        \
    {                                                                                                               \
        if (n > 0)                                                                                                  \
            cpudev_scal<__T><<<(n + 255) / 256, 256, 0, h->stream>>>(n, cpudev_factor(h, alpha), x, incx);                             \
        return CUBLAS_STATUS_SUCCESS;                                                                               \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##dot(cublasHandle_t h, int n, const __T *x, int incx, const __T *y, int incy, __T *result) \
    {                                                                                                               \
        return cpudev_vector_sum_launch(h, 0, n, x, incx, y, incy, result);                                                \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##nrm2(cublasHandle_t h, int n, const __T *x, int incx, __T *result)       \
    {                                                                                                               \
        return cpudev_vector_sum_launch(h, 1, n, x, incx, x, incx, result);                                                \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##asum(cublasHandle_t h, int n, const __T *x, int incx, __T *result)       \
    {                                                                                                               \
        return cpudev_vector_sum_launch(h, 2, n, x, incx, x, incx, result);                                                \
    }
CPUDEV_VECTOR(S, float)
CPUDEV_VECTOR(D, double)
#undef CPUDEV_VECTOR

/* C (m x n) = alpha op(A) + beta op(B), one thread an element; a matrix whose factor is 0 is not read, and C may be A or B
 * where that is as it stands. */
template <class __T>
__global__ void cpudev_geam(bool ta, bool tb, int m, int n, CpudevFactor<__T> factor_a, const __T *a, long long lda, CpudevFactor<__T> factor_b, const __T *b, long long ldb,
                            __T *c, long long ldc)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x, row = i % m, column = i / m;
    const __T alpha = factor_a.at ? *factor_a.at : factor_a.value, beta = factor_b.at ? *factor_b.at : factor_b.value;
    if (column < n) {
        const __T x = alpha == 0 ? 0 : alpha * (ta ? a[row * lda + column] : a[column * lda + row]);
        c[column * ldc + row] = beta == 0 ? x : x + beta * (tb ? b[row * ldb + column] : b[column * ldb + row]);
    }
}
#define CPUDEV_GEAM(letter, __T)                                                                                      \
    CPUDEV_BLAS cublasStatus_t cublas##letter##geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, \
                                                    const __T *alpha, const __T *a, int lda, const __T *beta, const __T *b, int ldb, __T *c, int ldc) \
    {                                                                                                               \
        if (m < 0 || n < 0 || lda < (ta ? n : m) || ldb < (tb ? n : m) || ldc < m ||                                \
            (c == a && (ta || lda != ldc)) || (c == b && (tb || ldb != ldc)))                                       \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                     \
        if (m && n)                                                                                                 \
            cpudev_geam<__T><<<(unsigned)(((long long)m * n + 255) / 256), 256, 0, h->stream>>>(ta, tb, m, n, cpudev_factor(h, alpha), a, lda, \
                                                                                              cpudev_factor(h, beta), b, ldb, c, ldc); \
        return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;       \
    }
CPUDEV_GEAM(S, float)
CPUDEV_GEAM(D, double)
#undef CPUDEV_GEAM

/* Copies of columns: a vector with a step is a matrix of one row. */
CPUDEV_BLAS cublasStatus_t cpudev_blas_copy(int rows, int columns, int bytes, const void *from, int ld_from, void *to, int ld_to, cudaMemcpyKind kind,
                                            cudaStream_t stream, bool async)
{
    const size_t size = (size_t)bytes;
    if (rows <= 0 || columns <= 0 || bytes <= 0 || ld_from <= 0 || ld_to <= 0)
        return rows && columns ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    cudaError_t e = async ? cudaMemcpy2DAsync(to, (size_t)ld_to * size, from, (size_t)ld_from * size, (size_t)rows * size, (size_t)columns, kind, stream)
                          : cudaMemcpy2D(to, (size_t)ld_to * size, from, (size_t)ld_from * size, (size_t)rows * size, (size_t)columns, kind);
    return e ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb)
{
    return cpudev_blas_copy(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice, 0, false);
}
CPUDEV_BLAS cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb)
{
    return cpudev_blas_copy(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost, 0, false);
}
CPUDEV_BLAS cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb, cudaStream_t stream)
{
    return cpudev_blas_copy(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice, stream, true);
}
CPUDEV_BLAS cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb, cudaStream_t stream)
{
    return cpudev_blas_copy(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost, stream, true);
}
CPUDEV_BLAS cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy)
{
    return cpudev_blas_copy(1, n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, 0, false);
}
CPUDEV_BLAS cublasStatus_t cublasGetVector(int n, int bytes, const void *x, int incx, void *y, int incy)
{
    return cpudev_blas_copy(1, n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, 0, false);
}

#include "cublas_factor.h"

#endif /* __CUDACC__ */
#endif
