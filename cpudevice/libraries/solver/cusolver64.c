/* cusolver64.c: cuSOLVER's interface of 64-bit sizes, whose types are arguments. */
#include "solver/cusolver_problem.h"

typedef cusolverDnHandle_t Handle;
typedef cusolverStatus_t Status;

static char letter_of(cudaDataType type)
{
    return type == CUDA_R_32F   ? 'S'
           : type == CUDA_R_64F ? 'D'
           : type == CUDA_C_32F ? 'C'
           : type == CUDA_C_64F ? 'Z'
                                : 0;
}

static Status sizes64(Handle h, bool good, size_t *device_bytes, size_t *host_bytes)
{
    if (!h)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!good || !device_bytes || !host_bytes)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *device_bytes = *host_bytes = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

/* Four sizes as LAPACK takes them, and the matrix's type. */
static bool fits(problem *p, cudaDataType type, int64_t m, int64_t n, int64_t nrhs, int64_t lda, int64_t ldb)
{
    const int64_t limit = 0x7fffffff;
    if (m < 0 || n < 0 || nrhs < 0 || m > limit || n > limit || nrhs > limit || lda > limit || ldb > limit ||
        !letter_of(type) || lda < 1 || lda < m || ldb < 1)
        return false;
    p->l = lapack_of(letter_of(type));
    p->m = (int)m, p->n = (int)n, p->nrhs = (int)nrhs, p->lda = (int)lda, p->ldb = (int)ldb;
    return true;
}

Status cusolverDnXpotrf_bufferSize(Handle h, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n,
                                   cudaDataType type_a, const void *a, int64_t lda, cudaDataType compute,
                                   size_t *device_bytes, size_t *host_bytes)
{
    (void)params, (void)uplo, (void)n, (void)a, (void)lda;
    return sizes64(h, letter_of(type_a) && compute == type_a, device_bytes, host_bytes);
}

Status cusolverDnXgetrf_bufferSize(Handle h, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type_a,
                                   const void *a, int64_t lda, cudaDataType compute, size_t *device_bytes,
                                   size_t *host_bytes)
{
    (void)params, (void)m, (void)n, (void)a, (void)lda;
    return sizes64(h, letter_of(type_a) && compute == type_a, device_bytes, host_bytes);
}

Status cusolverDnXpotrf(Handle h, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, cudaDataType type_a,
                        void *a, int64_t lda, cudaDataType compute, void *device, size_t device_bytes, void *host,
                        size_t host_bytes, int *info)
{
    problem p = {.uplo = uplo_of(uplo), .a = a, .info = info};
    (void)params, (void)device, (void)device_bytes, (void)host, (void)host_bytes;
    if (!fits(&p, type_a, n, n, 0, lda, 1) || compute != type_a)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return cusolver_solve(h, "cusolverDnXpotrf", true, cusolver_potrf, &p);
}

Status cusolverDnXgetrf(Handle h, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type_a, void *a,
                        int64_t lda, int64_t *pivots, cudaDataType compute, void *device, size_t device_bytes,
                        void *host, size_t host_bytes, int *info)
{
    problem p = {.a = a, .pivots64 = (long long *)pivots, .info = info};
    (void)params, (void)device, (void)device_bytes, (void)host, (void)host_bytes;
    if (!fits(&p, type_a, m, n, 0, lda, 1) || compute != type_a)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return cusolver_solve(h, "cusolverDnXgetrf", true, pivots ? cusolver_getrf : cusolver_lu_without_pivots, &p);
}

Status cusolverDnXpotrs(Handle h, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                        cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_b, void *b, int64_t ldb,
                        int *info)
{
    problem p = {.uplo = uplo_of(uplo), .a = (void *)a, .b = b, .info = info};
    (void)params;
    if (!fits(&p, type_a, n, n, nrhs, lda, ldb) || type_b != type_a || ldb < n)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return cusolver_solve(h, "cusolverDnXpotrs", true, cusolver_potrs, &p);
}

Status cusolverDnXgetrs(Handle h, cusolverDnParams_t params, cublasOperation_t trans, int64_t n, int64_t nrhs,
                        cudaDataType type_a, const void *a, int64_t lda, const int64_t *pivots, cudaDataType type_b,
                        void *b, int64_t ldb, int *info)
{
    problem p = {.trans = trans_of(trans, type_a == CUDA_C_32F || type_a == CUDA_C_64F),
                 .a = (void *)a,
                 .pivots64 = (long long *)pivots,
                 .b = b,
                 .info = info};
    (void)params;
    if (!fits(&p, type_a, n, n, nrhs, lda, ldb) || type_b != type_a || ldb < n)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return cusolver_solve(h, "cusolverDnXgetrs", true, cusolver_getrs, &p);
}
