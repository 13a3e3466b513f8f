/*
 * cublas_gemm.h: cuBLAS's products of matrices: gemm for S, D, C, Z and H, batched by strides and by pointers, gemmEx and
 * gemv. OpenBLAS computes them where it is installed and -lcublas is linked (cpudev_blas.h); else a kernel by
 * tiles, or one thread an element of C, sums in float (double for D and Z, int for int8). cublas_v2.h includes it.
 */
#ifndef CUBLAS_GEMM_H
#define CUBLAS_GEMM_H

#include "cpudev_blas.h"

/* alpha or beta: a number, or where it lies on the device. */
template <class __T> struct CpudevFactor {
    __T value;
    const __T *at;
};
template <class __T> static inline CpudevFactor<__T> cpudev_factor(cublasHandle_t h, const __T *p)
{
    CpudevFactor<__T> f = {__T(), p};
    if (h->pointers == CUBLAS_POINTER_MODE_HOST) {
        f.value = *p;
        f.at = NULL;
    }
    return f;
}

/* Complex numbers with what a product needs of them. */
template <class __R> struct CpudevComplex {
    __R x, y;
};
/* a b + c; by name, for an operator in a header might be meant by any program's kernel. */
template <class __S> static inline __host__ __device__ __S cpudev_multiply_add(const __S &a, const __S &b, const __S &c)
{
    return a * b + c;
}
template <class __R>
static inline __host__ __device__ CpudevComplex<__R>
cpudev_multiply_add(const CpudevComplex<__R> &a, const CpudevComplex<__R> &b, const CpudevComplex<__R> &c)
{
    return CpudevComplex<__R>{a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y};
}
/* x in the type of the second argument, by name: programs may take the operators from the 16-bit types
 * (__CUDA_NO_HALF_CONVERSIONS__). Called without template arguments: the compiler looks into such calls only, and runs
 * the kernels as loops. */
template <class __S, class __T> static inline __host__ __device__ __S cpudev_number(const __T &x, __S)
{
    return (__S)x;
}
template <class __S> static inline __host__ __device__ __S cpudev_number(const __half &x, __S)
{
    return (__S)__half2float(x);
}
template <class __S> static inline __host__ __device__ __S cpudev_number(const __nv_bfloat16 &x, __S)
{
    return (__S)__bfloat162float(x);
}
/* A sum as an element of the array that is to take it. */
template <class __S, class __T> static inline __host__ __device__ __T cpudev_element(__S x, const __T *)
{
    return (__T)x;
}
static inline __host__ __device__ __half cpudev_element(float x, const __half *) { return __float2half(x); }
static inline __host__ __device__ __nv_bfloat16 cpudev_element(float x, const __nv_bfloat16 *)
{
    return __float2bfloat16(x);
}
/* An element in the type of the sums, conjugated if so said; a sum as an element; and zero. */
template <class __S, class __T> struct CpudevAs {
    static inline __host__ __device__ __S load(const __T &x, bool) { return cpudev_number(x, (__S)0); }
    static inline __host__ __device__ __T store(const __S &x) { return cpudev_element(x, (const __T *)0); }
    static inline __host__ __device__ bool zero(const __S &x) { return x == 0; }
};
template <class __R, class __T> struct CpudevAs<CpudevComplex<__R>, __T> {
    static inline __host__ __device__ CpudevComplex<__R> load(const __T &x, bool turn)
    {
        return CpudevComplex<__R>{x.x, turn ? -x.y : x.y};
    }
    static inline __host__ __device__ __T store(const CpudevComplex<__R> &x)
    {
        __T to;
        to.x = x.x;
        to.y = x.y;
        return to;
    }
    static inline __host__ __device__ bool zero(const CpudevComplex<__R> &x) { return x.x == 0 && x.y == 0; }
};

/* C (m x n) = alpha op(A) (m x k) op(B) (k x n) + beta C, one thread an element, one batch a grid layer, columns from
 * `first` on; `pointers`: a, b and c are arrays of pointers. */
template <class __A, class __C, class __S, class __F>
__global__ void cpudev_gemm(int ta, int tb, int m, int n, int k, CpudevFactor<__F> factor, const __A *a, long long lda,
                            long long stride_a, const __A *b, long long ldb, long long stride_b, CpudevFactor<__F> keep,
                            __C *c, long long ldc, long long stride_c, bool pointers, int first)
{
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x), column = first + (int)blockIdx.y;
    const bool turn_a = ta == CUBLAS_OP_C, turn_b = tb == CUBLAS_OP_C;
    if (row < m) {
        const __A *pa = pointers ? ((const __A *const *)a)[blockIdx.z] : a + blockIdx.z * stride_a;
        const __A *pb = pointers ? ((const __A *const *)b)[blockIdx.z] : b + blockIdx.z * stride_b;
        __C *out = (pointers ? ((__C *const *)c)[blockIdx.z] : c + blockIdx.z * stride_c) + column * ldc + row;
        const long long step_a = ta ? 1 : lda, step_b = tb ? ldb : 1;
        const __S alpha = CpudevAs<__S, __F>::load(factor.at ? *factor.at : factor.value, false);
        const __S beta = CpudevAs<__S, __F>::load(keep.at ? *keep.at : keep.value, false);
        pa += ta ? row * lda : row;
        pb += tb ? column : column * ldb;
        __S sum = __S();
        for (int i = 0; i < k; i++)
            sum = cpudev_multiply_add(CpudevAs<__S, __A>::load(pa[i * step_a], turn_a),
                                      CpudevAs<__S, __A>::load(pb[i * step_b], turn_b), sum);
        sum = cpudev_multiply_add(alpha, sum, __S());
        if (!CpudevAs<__S, __F>::zero(beta))
            sum = cpudev_multiply_add(beta, CpudevAs<__S, __C>::load(*out, false), sum);
        *out = CpudevAs<__S, __C>::store(sum);
    }
}

/* The same for real numbers, where the matrices are large: each block has a tile of C, and goes over A and B by tiles in
 * shared memory, so that an element is read from memory once for 32 of C. The sums run over k in the same order. No class
 * of this header is in it, so that the compiler knows it to run as loops. */
#define CPUDEV_GEMM_TILE 32
template <class __A, class __C, class __S, class __F>
__global__ void cpudev_gemm_tiled(int ta, int tb, int m, int n, int k, __F alpha_value, const __F *alpha_at,
                                  const __A *a, long long lda, long long stride_a, const __A *b, long long ldb,
                                  long long stride_b, __F beta_value, const __F *beta_at, __C *c, long long ldc,
                                  long long stride_c, bool pointers, int first)
{
    __shared__ __S tile_a[CPUDEV_GEMM_TILE][CPUDEV_GEMM_TILE], tile_b[CPUDEV_GEMM_TILE][CPUDEV_GEMM_TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.x * CPUDEV_GEMM_TILE + x, column = first + blockIdx.y * CPUDEV_GEMM_TILE + y;
    const __A *pa = pointers ? ((const __A *const *)a)[blockIdx.z] : a + blockIdx.z * stride_a;
    const __A *pb = pointers ? ((const __A *const *)b)[blockIdx.z] : b + blockIdx.z * stride_b;
    const long long row_a = ta ? lda : 1, step_a = ta ? 1 : lda, column_b = tb ? 1 : ldb, step_b = tb ? ldb : 1;
    __S sum = 0;
    for (int i = 0; i < k; i += CPUDEV_GEMM_TILE) {
        __S of_a = 0, of_b = 0;
        if (row < m && i + y < k)
            of_a = cpudev_number(pa[row * row_a + (i + y) * step_a], (__S)0);
        if (column < n && i + x < k)
            of_b = cpudev_number(pb[(i + x) * step_b + column * column_b], (__S)0);
        tile_a[y][x] = of_a;
        tile_b[y][x] = of_b;
        __syncthreads();
        for (int j = 0; j < CPUDEV_GEMM_TILE; j++)
            sum += tile_a[j][x] * tile_b[y][j];
        __syncthreads();
    }
    if (row < m && column < n) {
        __C *out = (pointers ? ((__C *const *)c)[blockIdx.z] : c + blockIdx.z * stride_c) + column * ldc + row;
        const __S alpha = cpudev_number(alpha_at ? *alpha_at : alpha_value, (__S)0);
        const __S beta = cpudev_number(beta_at ? *beta_at : beta_value, (__S)0);
        __S total = alpha * sum;
        if (beta != 0)
            total += beta * cpudev_number(*out, (__S)0);
        *out = cpudev_element(total, (const __C *)0);
    }
}

template <class __T> struct CpudevType;
template <> struct CpudevType<float> {
    static const cudaDataType value = CUDA_R_32F;
};
template <> struct CpudevType<double> {
    static const cudaDataType value = CUDA_R_64F;
};
template <> struct CpudevType<cuComplex> {
    static const cudaDataType value = CUDA_C_32F;
};
template <> struct CpudevType<cuDoubleComplex> {
    static const cudaDataType value = CUDA_C_64F;
};
template <> struct CpudevType<__half> {
    static const cudaDataType value = CUDA_R_16F;
};
template <> struct CpudevType<__nv_bfloat16> {
    static const cudaDataType value = CUDA_R_16BF;
};
template <> struct CpudevType<signed char> {
    static const cudaDataType value = CUDA_R_8I;
};
template <> struct CpudevType<int> {
    static const cudaDataType value = CUDA_R_32I;
};

template <class __T> static inline void cpudev_parts(const __T &x, double to[2])
{
    to[0] = (double)cpudev_number(x, 0.0f), to[1] = 0;
}
static inline void cpudev_parts(const double &x, double to[2]) { to[0] = x, to[1] = 0; }
static inline void cpudev_parts(const cuComplex &x, double to[2]) { to[0] = x.x, to[1] = x.y; }
static inline void cpudev_parts(const cuDoubleComplex &x, double to[2]) { to[0] = x.x, to[1] = x.y; }

/* What cuBLAS refuses of a product's sizes. */
CPUDEV_BLAS cublasStatus_t cpudev_gemm_sizes(int ta, int tb, int m, int n, int k, int lda, int ldb, int ldc,
                                             int batches)
{
    const int rows_a = ta ? k : m, rows_b = tb ? n : k;
    return ta < 0 || ta > 2 || tb < 0 || tb > 2 || m < 0 || n < 0 || k < 0 || batches < 0 || lda < 1 || lda < rows_a ||
                   ldb < 1 || ldb < rows_b || ldc < 1 || ldc < m
               ? CUBLAS_STATUS_INVALID_VALUE
               : CUBLAS_STATUS_SUCCESS;
}

/* Launches the kernel of tiles over columns first to first + n; false: it does not suit. */
template <bool real> struct CpudevTiles {
    template <class __A, class __C, class __S, class __F, class... Rest>
    static inline bool launch(cublasHandle_t, int, int, int, int, int, int, Rest...)
    {
        return false;
    }
};
template <> struct CpudevTiles<true> {
    template <class __A, class __C, class __S, class __F>
    static inline bool launch(cublasHandle_t h, int layers, int columns, int ta, int tb, int m, int n, int k,
                              const CpudevFactor<__F> &alpha, const __A *a, long long lda, long long stride_a,
                              const __A *b, long long ldb, long long stride_b, const CpudevFactor<__F> &beta, __C *c,
                              long long ldc, long long stride_c, bool pointers, int first)
    {
        if (m < CPUDEV_GEMM_TILE / 2 || n < CPUDEV_GEMM_TILE / 2)
            return false;
        const dim3 grid((m + CPUDEV_GEMM_TILE - 1) / CPUDEV_GEMM_TILE,
                        (columns + CPUDEV_GEMM_TILE - 1) / CPUDEV_GEMM_TILE, layers);
        cpudev_gemm_tiled<__A, __C, __S, __F><<<grid, dim3(CPUDEV_GEMM_TILE, CPUDEV_GEMM_TILE), 0, h->stream>>>(
            ta, tb, m, n, k, alpha.value, alpha.at, a, lda, stride_a, b, ldb, stride_b, beta.value, beta.at, c, ldc,
            stride_c, pointers, first);
        return true;
    }
};

/* A and B of type A, sums in S, alpha and beta of type F. */
template <class __A, class __C, class __S, class __F>
static inline cublasStatus_t cpudev_gemm_launch(cublasHandle_t h, const char *name, int ta, int tb, int m, int n, int k,
                                                const __F *alpha, const void *a, int lda, long long stride_a,
                                                const void *b, int ldb, long long stride_b, const __F *beta, void *c,
                                                int ldc, long long stride_c, int batches, bool pointers)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (cpudev_gemm_sizes(ta, tb, m, n, k, lda, ldb, ldc, batches) || !alpha || !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0 || batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    const CpudevFactor<__F> factor = cpudev_factor(h, alpha), keep = cpudev_factor(h, beta);
    cpudev_blas_product p = {ta,
                             tb,
                             m,
                             n,
                             k,
                             lda,
                             ldb,
                             ldc,
                             batches,
                             CpudevType<__A>::value,
                             CpudevType<__C>::value,
                             CpudevType<__F>::value,
                             pointers,
                             a,
                             b,
                             c,
                             stride_a,
                             stride_b,
                             stride_c,
                             factor.at,
                             keep.at,
                             {},
                             {}};
    cpudev_parts(factor.value, p.alpha);
    cpudev_parts(keep.value, p.beta);
    const bool done = &cpudev_blas_gemm && cpudev_blas_gemm(h->stream, name, &p);
    for (int batch = 0; batch < batches && !done; batch += 65535) { /* a grid's y and z have limits */
        const int layers = batches - batch < 65535 ? batches - batch : 65535;
        const void *const from_a =
            pointers ? (const void *)((__A *const *)a + batch) : (const __A *)a + batch * stride_a;
        const void *const from_b =
            pointers ? (const void *)((__A *const *)b + batch) : (const __A *)b + batch * stride_b;
        void *const to = pointers ? (void *)((__C **)c + batch) : (__C *)c + batch * stride_c;
        const int most = 65535 / CPUDEV_GEMM_TILE * CPUDEV_GEMM_TILE;
        for (int first = 0; first < n; first += most) {
            const int columns = n - first < most ? n - first : most;
            if (!CpudevTiles<std::is_arithmetic<__S>::value>::template launch<__A, __C, __S, __F>(
                    h, layers, columns, ta, tb, m, n, k, factor, (const __A *)from_a, lda, stride_a,
                    (const __A *)from_b, ldb, stride_b, keep, (__C *)to, ldc, stride_c, pointers, first))
                cpudev_gemm<__A, __C, __S, __F><<<dim3((m + 127) / 128, columns, layers), 128, 0, h->stream>>>(
                    ta, tb, m, n, k, factor, (const __A *)from_a, lda, stride_a, (const __A *)from_b, ldb, stride_b,
                    keep, (__C *)to, ldc, stride_c, pointers, first);
        }
    }
    return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

#define CPUDEV_GEMM(letter, __T, __S)                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,      \
                                                    int m, int n, int k, const __T *alpha, const __T *a, int lda,      \
                                                    const __T *b, int ldb, const __T *beta, __T *c, int ldc)           \
    {                                                                                                                  \
        return cpudev_gemm_launch<__T, __T, __S, __T>(h, "cublas" #letter "gemm", ta, tb, m, n, k, alpha, a, lda, 0,   \
                                                      b, ldb, 0, beta, c, ldc, 0, 1, false);                           \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemmStridedBatched(                                                     \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const __T *alpha,           \
        const __T *a, int lda, long long stride_a, const __T *b, int ldb, long long stride_b, const __T *beta, __T *c, \
        int ldc, long long stride_c, int batches)                                                                      \
    {                                                                                                                  \
        return cpudev_gemm_launch<__T, __T, __S, __T>(h, "cublas" #letter "gemmStridedBatched", ta, tb, m, n, k,       \
                                                      alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc,         \
                                                      stride_c, batches, false);                                       \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemmBatched(                                                            \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const __T *alpha,           \
        const __T *const a[], int lda, const __T *const b[], int ldb, const __T *beta, __T *const c[], int ldc,        \
        int batches)                                                                                                   \
    {                                                                                                                  \
        return cpudev_gemm_launch<__T, __T, __S, __T>(h, "cublas" #letter "gemmBatched", ta, tb, m, n, k, alpha, a,    \
                                                      lda, 0, b, ldb, 0, beta, (void *)c, ldc, 0, batches, true);      \
    }
CPUDEV_GEMM(S, float, float)
CPUDEV_GEMM(D, double, double)
CPUDEV_GEMM(C, cuComplex, CpudevComplex<float>)
CPUDEV_GEMM(Z, cuDoubleComplex, CpudevComplex<double>)
CPUDEV_GEMM(H, __half, float)
#undef CPUDEV_GEMM

#define CPUDEV_GEMV(letter, __T, __S)                                                                                  \
    /* y = alpha op(A) x + beta y; A is m x n: y and x are matrices of one column, or, with steps, of one row */       \
    CPUDEV_BLAS cublasStatus_t cublas##letter##gemv(cublasHandle_t h, cublasOperation_t ta, int m, int n,              \
                                                    const __T *alpha, const __T *a, int lda, const __T *x, int incx,   \
                                                    const __T *beta, __T *y, int incy)                                 \
    {                                                                                                                  \
        const int rows = ta ? n : m, columns = ta ? m : n;                                                             \
        if (m < 0 || n < 0 || lda < 1 || lda < m || incx == 0 || incy == 0)                                            \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                        \
        if (incx < 0 || incy < 0 || (incy > 1 && ta == CUBLAS_OP_C))                                                   \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                                        \
        if (incy > 1)                                                                                                  \
            return cpudev_gemm_launch<__T, __T, __S, __T>(h, "cublas" #letter "gemv", CUBLAS_OP_N, !ta, 1, rows,       \
                                                          columns, alpha, x, incx, 0, a, lda, 0, beta, y, incy, 0, 1,  \
                                                          false);                                                      \
        return cpudev_gemm_launch<__T, __T, __S, __T>(h, "cublas" #letter "gemv", ta, CUBLAS_OP_T, rows, 1, columns,   \
                                                      alpha, a, lda, 0, x, incx, 0, beta, y, rows ? rows : 1, 0, 1,    \
                                                      false);                                                          \
    }
CPUDEV_GEMV(S, float, float)
CPUDEV_GEMV(D, double, double)
CPUDEV_GEMV(C, cuComplex, CpudevComplex<float>)
CPUDEV_GEMV(Z, cuDoubleComplex, CpudevComplex<double>)
#undef CPUDEV_GEMV

/* ---- by types that are given at run time ---- */

CPUDEV_BLAS cublasStatus_t cpudev_gemm_ex(cublasHandle_t h, const char *name, int ta, int tb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType at, int lda,
                                          long long stride_a, const void *b, cudaDataType bt, int ldb,
                                          long long stride_b, const void *beta, void *c, cudaDataType ct, int ldc,
                                          long long stride_c, int batches, bool pointers, cublasComputeType_t compute)
{
#define CPUDEV_CASE(type, out, __A, __C, __S, __F)                                                                     \
    if (at == type && bt == type && ct == out)                                                                         \
        return cpudev_gemm_launch<__A, __C, __S, __F>(h, name, ta, tb, m, n, k, (const __F *)alpha, a, lda, stride_a,  \
                                                      b, ldb, stride_b, (const __F *)beta, c, ldc, stride_c, batches,  \
                                                      pointers);
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: CPUDEV_CASE(CUDA_R_16F, CUDA_R_16F, __half, __half, float, __half) break;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        CPUDEV_CASE(CUDA_R_64F, CUDA_R_64F, double, double, double, double)
        CPUDEV_CASE(CUDA_C_64F, CUDA_C_64F, cuDoubleComplex, cuDoubleComplex, CpudevComplex<double>, cuDoubleComplex)
        break;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: CPUDEV_CASE(CUDA_R_8I, CUDA_R_32I, signed char, int, int, int) break;
    default:
        CPUDEV_CASE(CUDA_R_32F, CUDA_R_32F, float, float, float, float)
        CPUDEV_CASE(CUDA_C_32F, CUDA_C_32F, cuComplex, cuComplex, CpudevComplex<float>, cuComplex)
        CPUDEV_CASE(CUDA_R_16F, CUDA_R_16F, __half, __half, float, float)
        CPUDEV_CASE(CUDA_R_16F, CUDA_R_32F, __half, float, float, float)
        CPUDEV_CASE(CUDA_R_16BF, CUDA_R_16BF, __nv_bfloat16, __nv_bfloat16, float, float)
        CPUDEV_CASE(CUDA_R_16BF, CUDA_R_32F, __nv_bfloat16, float, float, float)
    }
#undef CPUDEV_CASE
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* The older forms, which C++ still has: the type of the sum as a type of data. */
static inline __attribute__((unused)) cublasComputeType_t cpudev_compute_type(cudaDataType type)
{
    return type == CUDA_R_16F                         ? CUBLAS_COMPUTE_16F
           : type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
           : type == CUDA_R_32I                       ? CUBLAS_COMPUTE_32I
                                                      : CUBLAS_COMPUTE_32F;
}
static inline __attribute__((unused)) cublasComputeType_t cpudev_compute_type(cublasComputeType_t type) { return type; }

#define CPUDEV_GEMM_EX(Compute)                                                                                        \
    CPUDEV_BLAS cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,       \
                                            int n, int k, const void *alpha, const void *a, cudaDataType at, int lda,  \
                                            const void *b, cudaDataType bt, int ldb, const void *beta, void *c,        \
                                            cudaDataType ct, int ldc, Compute compute, cublasGemmAlgo_t)               \
    {                                                                                                                  \
        return cpudev_gemm_ex(h, "cublasGemmEx", ta, tb, m, n, k, alpha, a, at, lda, 0, b, bt, ldb, 0, beta, c, ct,    \
                              ldc, 0, 1, false, cpudev_compute_type(compute));                                         \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublasGemmStridedBatchedEx(                                                             \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *alpha,          \
        const void *a, cudaDataType at, int lda, long long stride_a, const void *b, cudaDataType bt, int ldb,          \
        long long stride_b, const void *beta, void *c, cudaDataType ct, int ldc, long long stride_c, int batches,      \
        Compute compute, cublasGemmAlgo_t)                                                                             \
    {                                                                                                                  \
        return cpudev_gemm_ex(h, "cublasGemmStridedBatchedEx", ta, tb, m, n, k, alpha, a, at, lda, stride_a, b, bt,    \
                              ldb, stride_b, beta, c, ct, ldc, stride_c, batches, false,                               \
                              cpudev_compute_type(compute));                                                           \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublasGemmBatchedEx(                                                                    \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *alpha,          \
        const void *const a[], cudaDataType at, int lda, const void *const b[], cudaDataType bt, int ldb,              \
        const void *beta, void *const c[], cudaDataType ct, int ldc, int batches, Compute compute, cublasGemmAlgo_t)   \
    {                                                                                                                  \
        return cpudev_gemm_ex(h, "cublasGemmBatchedEx", ta, tb, m, n, k, alpha, a, at, lda, 0, b, bt, ldb, 0, beta,    \
                              (void *)c, ct, ldc, 0, batches, true, cpudev_compute_type(compute));                     \
    }
CPUDEV_GEMM_EX(cublasComputeType_t)
#ifndef CPUDEV_BLAS_LIBRARY /* where these names are C's */
CPUDEV_GEMM_EX(cudaDataType)
#endif
#undef CPUDEV_GEMM_EX

#endif
