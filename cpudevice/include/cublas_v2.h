/*
 * cublas_v2.h: a few of cuBLAS's routines for the CPU device, so that a program that only compares itself with the
 * library runs: gemm (S, D, H, Ex, batched by stride and by pointers), geam, gemv, axpy, scal, dot, nrm2 and asum (S,
 * D), the copies of vectors and matrices, triangular systems (trsm) and the factorizations of many small matrices
 * (cublas_factor.h). Each is one plain kernel on the handle's stream, sums in float (double for D, dot, nrm2 and
 * asum): right, not fast. Every other routine is missing, and the compiler names it.
 *
 * Matrices are column-major, as in cuBLAS; alpha and beta lie in host memory. C++ built by cucc only.
 */
/* It takes macros that stand for whole declarations, without semicolons, for parts of one: */
/* clang-format off */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_ /* other people's headers ask for it */

#include "cpudev_blas_types.h"
#include "cuComplex.h"
#include "cuda_bf16.h"
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
};
typedef struct cublasContext *cublasHandle_t;

#define CPUDEV_BLAS static inline __attribute__((unused))

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
CPUDEV_BLAS cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t mode)
{
    return mode == CUBLAS_POINTER_MODE_HOST ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
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

/* C (m x n) = alpha op(A) (m x k) op(B) (k x n) + beta C, one thread an element, one batch a grid layer. */
template <class A, class B, class C, class S>
__global__ void cpudev_gemm(bool ta, bool tb, int m, int n, int k, S alpha, const A *a, long long lda, long long stride_a,
                            const B *b, long long ldb, long long stride_b, S beta, C *c, long long ldc, long long stride_c)
{
    int row = (int)(blockIdx.x * blockDim.x + threadIdx.x), column = (int)blockIdx.y;
    if (row < m) {
        const A *pa = a + blockIdx.z * stride_a + (ta ? row * lda : row);
        const B *pb = b + blockIdx.z * stride_b + (tb ? column : column * ldb);
        long long step_a = ta ? 1 : lda, step_b = tb ? ldb : 1;
        S sum = 0;
        for (int i = 0; i < k; i++)
            sum += (S)pa[i * step_a] * (S)pb[i * step_b];
        C *out = c + blockIdx.z * stride_c + column * ldc + row;
        *out = (C)(beta == 0 ? alpha * sum : alpha * sum + beta * (S)*out);
    }
}

template <class A, class B, class C, class S>
static inline cublasStatus_t cpudev_gemm_launch(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
                                                int n, int k, S alpha, const void *a, int lda, long long stride_a,
                                                const void *b, int ldb, long long stride_b, S beta, void *c, int ldc,
                                                long long stride_c, int batches)
{
    if (m < 0 || n < 0 || k < 0 || batches < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0 || batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    for (int first = 0; first < n; first += 65535) { /* a grid's y has a limit */
        int columns = n - first < 65535 ? n - first : 65535;
        const B *from = (const B *)b + (tb ? first : (long long)first * ldb);
        cpudev_gemm<A, B, C, S><<<dim3((m + 127) / 128, columns, batches), 128, 0, handle->stream>>>(
            ta != CUBLAS_OP_N, tb != CUBLAS_OP_N, m, columns, k, alpha, (const A *)a, lda, stride_a, from, ldb, stride_b, beta,
            (C *)c + (long long)first * ldc, ldc, stride_c);
    }
    return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* The same of matrices that lie anywhere: arrays of pointers, in device memory. */
template <class T, class S>
__global__ void cpudev_gemm_batched(bool ta, bool tb, int m, int n, int k, S alpha, const T *const *a, long long lda, const T *const *b,
                                    long long ldb, S beta, T *const *c, long long ldc)
{
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int column = (int)blockIdx.y; column < n && row < m; column += (int)gridDim.y) {
        const T *pa = a[blockIdx.z] + (ta ? row * lda : row), *pb = b[blockIdx.z] + (tb ? column : column * ldb);
        const long long step_a = ta ? 1 : lda, step_b = tb ? ldb : 1;
        S sum = 0;
        for (int i = 0; i < k; i++)
            sum += (S)pa[i * step_a] * (S)pb[i * step_b];
        T *out = c[blockIdx.z] + column * ldc + row;
        *out = (T)(beta == 0 ? alpha * sum : alpha * sum + beta * (S)*out);
    }
}

#define CPUDEV_GEMM(letter, T, S)                                                                                      \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, \
                                                    int k, const T *alpha, const T *a, int lda, const T *b, int ldb, \
                                                    const T *beta, T *c, int ldc)                                   \
    {                                                                                                               \
        return cpudev_gemm_launch<T, T, T, S>(h, ta, tb, m, n, k, (S)*alpha, a, lda, 0, b, ldb, 0, (S)*beta, c, ldc, 0, 1); \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemmStridedBatched(                                                  \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, const T *a, int lda, \
        long long stride_a, const T *b, int ldb, long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int batches) \
    {                                                                                                               \
        return cpudev_gemm_launch<T, T, T, S>(h, ta, tb, m, n, k, (S)*alpha, a, lda, stride_a, b, ldb, stride_b, (S)*beta, c, ldc, \
                                              stride_c, batches);                                                   \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemmBatched(                                                         \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, const T *const a[], int lda, \
        const T *const b[], int ldb, const T *beta, T *const c[], int ldc, int batches)                             \
    {                                                                                                               \
        if (m < 0 || n < 0 || k < 0 || batches < 0)                                                                 \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                     \
        if (m && n && batches)                                                                                      \
            cpudev_gemm_batched<T, S><<<dim3((m + 127) / 128, n < 65535 ? n : 65535, batches), 128, 0, h->stream>>>( \
                ta, tb, m, n, k, (S)*alpha, a, lda, b, ldb, (S)*beta, c, ldc);                                      \
        return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;       \
    }
CPUDEV_GEMM(S, float, float)
CPUDEV_GEMM(D, double, double)
CPUDEV_GEMM(H, __half, float)
#undef CPUDEV_GEMM

#define CPUDEV_GEMV(letter, T)                                                                                      \
    /* y = alpha op(A) x + beta y; A is m x n: a product with a matrix of one column */                             \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemv(cublasHandle_t h, cublasOperation_t ta, int m, int n, const T *alpha, \
                                                    const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) \
    {                                                                                                               \
        if (incy != 1 || incx < 1)                                                                                  \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                                     \
        return cpudev_gemm_launch<T, T, T, T>(h, ta, CUBLAS_OP_T, ta ? n : m, 1, ta ? m : n, *alpha, a, lda, 0, x, incx, 0, \
                                              *beta, y, ta ? n : m, 0, 1);                                          \
    }
CPUDEV_GEMV(S, float)
CPUDEV_GEMV(D, double)
#undef CPUDEV_GEMV

/* ---- vectors ---- */

template <class T> __global__ void cpudev_axpy(int n, T alpha, const T *x, int incx, T *y, int incy)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[(long long)i * incy] += alpha * x[(long long)i * incx];
}
template <class T> __global__ void cpudev_scal(int n, T alpha, T *x, int incx)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[(long long)i * incx] *= alpha;
}
/* kind 0: x y, 1: the root of x x, 2: |x| */
template <class T> __global__ void cpudev_sum(int kind, int n, const T *x, int incx, const T *y, int incy, double *result)
{
    double sum = 0;
    for (long long i = 0; i < n; i++)
        sum += kind == 2 ? fabs((double)x[i * incx]) : (double)x[i * incx] * (double)y[i * incy];
    *result = kind == 1 ? sqrt(sum) : sum;
}
template <class T> static inline cublasStatus_t cpudev_sum_launch(cublasHandle_t h, int kind, int n, const T *x, int incx, const T *y, int incy, T *result)
{
    double *sum;
    if (cudaMallocManaged(&sum, sizeof *sum))
        return CUBLAS_STATUS_ALLOC_FAILED;
    cpudev_sum<T><<<1, 1, 0, h->stream>>>(kind, n, x, incx, y, incy, sum);
    cudaError_t e = cudaStreamSynchronize(h->stream);
    *result = (T)*sum;
    cudaFree(sum);
    return e ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}
#define CPUDEV_VECTOR(letter, T)                                                                                    \
    CPUDEV_BLAS cublasStatus_t cublas##letter##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy) \
    {                                                                                                               \
        if (n > 0)                                                                                                  \
            cpudev_axpy<T><<<(n + 255) / 256, 256, 0, h->stream>>>(n, *alpha, x, incx, y, incy);                    \
        return CUBLAS_STATUS_SUCCESS;                                                                               \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx)        \
    {                                                                                                               \
        if (n > 0)                                                                                                  \
            cpudev_scal<T><<<(n + 255) / 256, 256, 0, h->stream>>>(n, *alpha, x, incx);                             \
        return CUBLAS_STATUS_SUCCESS;                                                                               \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##dot(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result) \
    {                                                                                                               \
        return cpudev_sum_launch(h, 0, n, x, incx, y, incy, result);                                                \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##nrm2(cublasHandle_t h, int n, const T *x, int incx, T *result)       \
    {                                                                                                               \
        return cpudev_sum_launch(h, 1, n, x, incx, x, incx, result);                                                \
    }                                                                                                               \
    CPUDEV_BLAS cublasStatus_t cublas##letter##asum(cublasHandle_t h, int n, const T *x, int incx, T *result)       \
    {                                                                                                               \
        return cpudev_sum_launch(h, 2, n, x, incx, x, incx, result);                                                \
    }
CPUDEV_VECTOR(S, float)
CPUDEV_VECTOR(D, double)
#undef CPUDEV_VECTOR

/* C (m x n) = alpha op(A) + beta op(B), one thread an element; a matrix whose factor is 0 is not read, and C may be A or B
 * where that is as it stands. */
template <class T>
__global__ void cpudev_geam(bool ta, bool tb, int m, int n, T alpha, const T *a, long long lda, T beta, const T *b, long long ldb, T *c, long long ldc)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x, row = i % m, column = i / m;
    if (column < n) {
        const T x = alpha == 0 ? 0 : alpha * (ta ? a[row * lda + column] : a[column * lda + row]);
        c[column * ldc + row] = beta == 0 ? x : x + beta * (tb ? b[row * ldb + column] : b[column * ldb + row]);
    }
}
#define CPUDEV_GEAM(letter, T)                                                                                      \
    CPUDEV_BLAS cublasStatus_t cublas##letter##geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, \
                                                    const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc) \
    {                                                                                                               \
        if (m < 0 || n < 0 || lda < (ta ? n : m) || ldb < (tb ? n : m) || ldc < m ||                                \
            (c == a && (ta || lda != ldc)) || (c == b && (tb || ldb != ldc)))                                       \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                     \
        if (m && n)                                                                                                 \
            cpudev_geam<T><<<(unsigned)(((long long)m * n + 255) / 256), 256, 0, h->stream>>>(ta, tb, m, n, *alpha, a, lda, *beta, b, ldb, c, ldc); \
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

CPUDEV_BLAS cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                                      int k, const void *alpha, const void *a, cudaDataType at, int lda,
                                                      long long stride_a, const void *b, cudaDataType bt, int ldb,
                                                      long long stride_b, const void *beta, void *c, cudaDataType ct, int ldc,
                                                      long long stride_c, int batches, cublasComputeType_t compute, cublasGemmAlgo_t)
{
#define CPUDEV_CASE(type, out, A, C, S)                                                                             \
    if (at == type && bt == type && ct == out)                                                                      \
        return cpudev_gemm_launch<A, A, C, S>(h, ta, tb, m, n, k, *(const S *)alpha, a, lda, stride_a, b, ldb, stride_b, \
                                              *(const S *)beta, c, ldc, stride_c, batches);
    if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC) {
        if (at != CUDA_R_16F || bt != CUDA_R_16F || ct != CUDA_R_16F)
            return CUBLAS_STATUS_NOT_SUPPORTED;
        return cpudev_gemm_launch<__half, __half, __half, float>(h, ta, tb, m, n, k, __half2float(*(const __half *)alpha), a, lda,
                                                                 stride_a, b, ldb, stride_b, __half2float(*(const __half *)beta), c,
                                                                 ldc, stride_c, batches);
    }
    if (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC) {
        CPUDEV_CASE(CUDA_R_64F, CUDA_R_64F, double, double, double)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC) {
        CPUDEV_CASE(CUDA_R_8I, CUDA_R_32I, signed char, int, int)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    CPUDEV_CASE(CUDA_R_32F, CUDA_R_32F, float, float, float)
    CPUDEV_CASE(CUDA_R_16F, CUDA_R_16F, __half, __half, float)
    CPUDEV_CASE(CUDA_R_16F, CUDA_R_32F, __half, float, float)
    CPUDEV_CASE(CUDA_R_16BF, CUDA_R_16BF, __nv_bfloat16, __nv_bfloat16, float)
    CPUDEV_CASE(CUDA_R_16BF, CUDA_R_32F, __nv_bfloat16, float, float)
#undef CPUDEV_CASE
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

CPUDEV_BLAS cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                        const void *alpha, const void *a, cudaDataType at, int lda, const void *b,
                                        cudaDataType bt, int ldb, const void *beta, void *c, cudaDataType ct, int ldc,
                                        cublasComputeType_t compute, cublasGemmAlgo_t algo)
{
    return cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, at, lda, 0, b, bt, ldb, 0, beta, c, ct, ldc, 0, 1, compute, algo);
}

/* The older forms, which C++ still has: the type of the sum as a type of data. */
CPUDEV_BLAS cublasComputeType_t cpudev_compute_type(cudaDataType type)
{
    return type == CUDA_R_16F ? CUBLAS_COMPUTE_16F : type == CUDA_R_64F ? CUBLAS_COMPUTE_64F : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F;
}
CPUDEV_BLAS cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                        const void *alpha, const void *a, cudaDataType at, int lda, const void *b,
                                        cudaDataType bt, int ldb, const void *beta, void *c, cudaDataType ct, int ldc,
                                        cudaDataType compute, cublasGemmAlgo_t algo)
{
    return cublasGemmEx(h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc, cpudev_compute_type(compute), algo);
}
CPUDEV_BLAS cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                                      int k, const void *alpha, const void *a, cudaDataType at, int lda,
                                                      long long stride_a, const void *b, cudaDataType bt, int ldb,
                                                      long long stride_b, const void *beta, void *c, cudaDataType ct, int ldc,
                                                      long long stride_c, int batches, cudaDataType compute, cublasGemmAlgo_t algo)
{
    return cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, at, lda, stride_a, b, bt, ldb, stride_b, beta, c, ct, ldc, stride_c,
                                      batches, cpudev_compute_type(compute), algo);
}

#include "cublas_factor.h"

#endif
