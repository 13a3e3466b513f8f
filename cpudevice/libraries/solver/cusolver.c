/* cusolver.c: cuSOLVER's handles and its dense interface, a function a type. */
#include <stdlib.h>
#include <string.h>

#include "solver/cusolver_problem.h"

struct cusolverDnContext {
    cudaStream_t stream;
};
struct cusolverDnParams {
    int unused;
};
struct syevjInfo {
    int unused;
};
struct gesvdjInfo {
    int unused;
};

/* ---- handles ---- */

#define HANDLES(create, destroy, type)                                                                                 \
    cusolverStatus_t create(type *made)                                                                                \
    {                                                                                                                  \
        if (!made)                                                                                                     \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                                      \
        *made = calloc(1, sizeof **made);                                                                              \
        return *made ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;                                         \
    }                                                                                                                  \
    cusolverStatus_t destroy(type made)                                                                                \
    {                                                                                                                  \
        free(made);                                                                                                    \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }
HANDLES(cusolverDnCreate, cusolverDnDestroy, cusolverDnHandle_t)
HANDLES(cusolverDnCreateParams, cusolverDnDestroyParams, cusolverDnParams_t)
HANDLES(cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo, syevjInfo_t)
HANDLES(cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo, gesvdjInfo_t)

#define IGNORED(name, info_type, value_type)                                                                           \
    cusolverStatus_t name(info_type info, value_type value)                                                            \
    {                                                                                                                  \
        (void)value;                                                                                                   \
        return info ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;                                         \
    }
IGNORED(cusolverDnXsyevjSetTolerance, syevjInfo_t, double)
IGNORED(cusolverDnXsyevjSetMaxSweeps, syevjInfo_t, int)
IGNORED(cusolverDnXsyevjSetSortEig, syevjInfo_t, int)
IGNORED(cusolverDnXgesvdjSetTolerance, gesvdjInfo_t, double)
IGNORED(cusolverDnXgesvdjSetMaxSweeps, gesvdjInfo_t, int)
IGNORED(cusolverDnXgesvdjSetSortEig, gesvdjInfo_t, int)

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream)
{
    if (!handle || !stream)
        return handle ? CUSOLVER_STATUS_INVALID_VALUE : CUSOLVER_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetVersion(int *version)
{
    if (!version)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *version = CUSOLVER_VERSION;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *value = parts[type];
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- the dense interface ---- */

static cusolverStatus_t run(cusolverDnHandle_t handle, const char *name, void (*body)(const void *), const problem *p)
{
    const cudaError_t e = library_launch(handle->stream, name, body, p, sizeof *p);
    return e ? CUSOLVER_STATUS_EXECUTION_FAILED : CUSOLVER_STATUS_SUCCESS;
}

static int most(int a, int b) { return a > b ? a : b; }
static bool ld_ok(int rows, int ld) { return rows >= 0 && ld >= most(1, rows); }

static cusolverStatus_t size_of_work(cusolverDnHandle_t handle, bool good, int elements, int *lwork)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!good || !lwork)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *lwork = most(1, elements);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolver_solve(cusolverDnHandle_t handle, const char *name, bool good, void (*body)(const void *),
                                const problem *p)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!p->l) /* LAPACK is missing */
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    return good ? run(handle, name, body, p) : CUSOLVER_STATUS_INVALID_VALUE;
}

typedef cusolverDnHandle_t Handle;
typedef cusolverStatus_t Status;

/* What all problems have: LAPACK for the type X, and a matrix of n columns. */
#define MATRIX(X) .l = lapack_of(#X[0]), .n = n, .a = (void *)a, .lda = lda, .info = info

#define CHOLESKY(X, T)                                                                                                 \
    Status cusolverDn##X##potrf_bufferSize(Handle h, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork)          \
    {                                                                                                                  \
        return (void)uplo, (void)a, size_of_work(h, ld_ok(n, lda), n, lwork);                                          \
    }                                                                                                                  \
    Status cusolverDn##X##potrf(Handle h, cublasFillMode_t uplo, int n, T *a, int lda, T *work, int lwork, int *info)  \
    {                                                                                                                  \
        problem p = {MATRIX(X), .uplo = uplo_of(uplo)};                                                                \
        return (void)work, (void)lwork, cusolver_solve(h, "cusolverDn" #X "potrf", ld_ok(n, lda), cusolver_potrf, &p); \
    }                                                                                                                  \
    Status cusolverDn##X##potri_bufferSize(Handle h, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork)          \
    {                                                                                                                  \
        return (void)uplo, (void)a, size_of_work(h, ld_ok(n, lda), n, lwork);                                          \
    }                                                                                                                  \
    Status cusolverDn##X##potri(Handle h, cublasFillMode_t uplo, int n, T *a, int lda, T *work, int lwork, int *info)  \
    {                                                                                                                  \
        problem p = {MATRIX(X), .uplo = uplo_of(uplo)};                                                                \
        return (void)work, (void)lwork, cusolver_solve(h, "cusolverDn" #X "potri", ld_ok(n, lda), cusolver_potri, &p); \
    }                                                                                                                  \
    Status cusolverDn##X##potrs(Handle h, cublasFillMode_t uplo, int n, int nrhs, const T *a, int lda, T *b, int ldb,  \
                                int *info)                                                                             \
    {                                                                                                                  \
        problem p = {MATRIX(X), .uplo = uplo_of(uplo), .nrhs = nrhs, .b = b, .ldb = ldb};                              \
        return cusolver_solve(h, "cusolverDn" #X "potrs", nrhs >= 0 && ld_ok(n, lda) && ld_ok(n, ldb), cusolver_potrs, \
                              &p);                                                                                     \
    }                                                                                                                  \
    Status cusolverDn##X##potrfBatched(Handle h, cublasFillMode_t uplo, int n, T *a[], int lda, int *info, int batch)  \
    {                                                                                                                  \
        problem p = {MATRIX(X), .uplo = uplo_of(uplo), .batch = batch};                                                \
        return cusolver_solve(h, "cusolverDn" #X "potrfBatched", batch >= 0 && ld_ok(n, lda), cusolver_potrf_batched,  \
                              &p);                                                                                     \
    }                                                                                                                  \
    Status cusolverDn##X##potrsBatched(Handle h, cublasFillMode_t uplo, int n, int nrhs, T *a[], int lda, T *b[],      \
                                       int ldb, int *info, int batch)                                                  \
    {                                                                                                                  \
        problem p = {MATRIX(X), .uplo = uplo_of(uplo), .nrhs = nrhs, .b = (void *)b, .ldb = ldb, .batch = batch};      \
        return cusolver_solve(h, "cusolverDn" #X "potrsBatched",                                                       \
                              nrhs == 1 && batch >= 0 && ld_ok(n, lda) && ld_ok(n, ldb), cusolver_potrs_batched, &p);  \
    }

#define LU(X, T, R)                                                                                                    \
    Status cusolverDn##X##getrf_bufferSize(Handle h, int m, int n, T *a, int lda, int *lwork)                          \
    {                                                                                                                  \
        return (void)a, size_of_work(h, n >= 0 && ld_ok(m, lda), m, lwork);                                            \
    }                                                                                                                  \
    Status cusolverDn##X##getrf(Handle h, int m, int n, T *a, int lda, T *work, int *pivots, int *info)                \
    {                                                                                                                  \
        problem p = {MATRIX(X), .m = m, .pivots = pivots};                                                             \
        return (void)work, cusolver_solve(h, "cusolverDn" #X "getrf", n >= 0 && ld_ok(m, lda),                         \
                                          pivots ? cusolver_getrf : cusolver_lu_without_pivots, &p);                   \
    }                                                                                                                  \
    Status cusolverDn##X##getrs(Handle h, cublasOperation_t trans, int n, int nrhs, const T *a, int lda,               \
                                const int *pivots, T *b, int ldb, int *info)                                           \
    {                                                                                                                  \
        problem p = {MATRIX(X),    .trans = trans_of(trans, sizeof(T) != sizeof(R)),                                   \
                     .nrhs = nrhs, .pivots = (int *)pivots,                                                            \
                     .b = b,       .ldb = ldb};                                                                        \
        return cusolver_solve(h, "cusolverDn" #X "getrs", nrhs >= 0 && ld_ok(n, lda) && ld_ok(n, ldb), cusolver_getrs, \
                              &p);                                                                                     \
    }

#define QR(X, T, R, OR)                                                                                                \
    Status cusolverDn##X##geqrf_bufferSize(Handle h, int m, int n, T *a, int lda, int *lwork)                          \
    {                                                                                                                  \
        return (void)a, size_of_work(h, n >= 0 && ld_ok(m, lda), n, lwork);                                            \
    }                                                                                                                  \
    Status cusolverDn##X##geqrf(Handle h, int m, int n, T *a, int lda, T *tau, T *work, int lwork, int *info)          \
    {                                                                                                                  \
        problem p = {MATRIX(X), .m = m, .tau = tau};                                                                   \
        return (void)work, (void)lwork,                                                                                \
               cusolver_solve(h, "cusolverDn" #X "geqrf", n >= 0 && ld_ok(m, lda), cusolver_geqrf, &p);                \
    }                                                                                                                  \
    Status cusolverDn##X##OR##gqr_bufferSize(Handle h, int m, int n, int k, const T *a, int lda, const T *tau,         \
                                             int *lwork)                                                               \
    {                                                                                                                  \
        return (void)a, (void)tau, (void)k, size_of_work(h, n >= 0 && ld_ok(m, lda), n, lwork);                        \
    }                                                                                                                  \
    Status cusolverDn##X##OR##gqr(Handle h, int m, int n, int k, T *a, int lda, const T *tau, T *work, int lwork,      \
                                  int *info)                                                                           \
    {                                                                                                                  \
        problem p = {MATRIX(X), .m = m, .k = k, .tau = (T *)tau};                                                      \
        return (void)work, (void)lwork,                                                                                \
               cusolver_solve(h, "cusolverDn" #X #OR "gqr", k >= 0 && n >= k && m >= n && ld_ok(m, lda),               \
                              cusolver_orgqr, &p);                                                                     \
    }                                                                                                                  \
    Status cusolverDn##X##OR##mqr_bufferSize(Handle h, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
                                             int k, const T *a, int lda, const T *tau, const T *c, int ldc,            \
                                             int *lwork)                                                               \
    {                                                                                                                  \
        (void)trans, (void)k, (void)a, (void)lda, (void)tau, (void)c;                                                  \
        return size_of_work(h, n >= 0 && ld_ok(m, ldc), side == CUBLAS_SIDE_LEFT ? n : m, lwork);                      \
    }                                                                                                                  \
    Status cusolverDn##X##OR##mqr(Handle h, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,       \
                                  const T *a, int lda, const T *tau, T *c, int ldc, T *work, int lwork, int *info)     \
    {                                                                                                                  \
        const int order = side == CUBLAS_SIDE_LEFT ? m : n;                                                            \
        problem p = {MATRIX(X),                                                                                        \
                     .side = side == CUBLAS_SIDE_LEFT ? 'L' : 'R',                                                     \
                     .trans = trans_of(trans, sizeof(T) != sizeof(R)),                                                 \
                     .m = m,                                                                                           \
                     .k = k,                                                                                           \
                     .tau = (T *)tau,                                                                                  \
                     .c = c,                                                                                           \
                     .ldc = ldc};                                                                                      \
        return (void)work, (void)lwork,                                                                                \
               cusolver_solve(h, "cusolverDn" #X #OR "mqr",                                                            \
                              k >= 0 && order >= k && n >= 0 && ld_ok(order, lda) && ld_ok(m, ldc), cusolver_ormqr,    \
                              &p);                                                                                     \
    }

#define SINGULAR(X, T, R)                                                                                              \
    Status cusolverDn##X##gesvd_bufferSize(Handle h, int m, int n, int *lwork)                                         \
    {                                                                                                                  \
        return size_of_work(h, m >= n && n >= 0, 5 * n, lwork);                                                        \
    }                                                                                                                  \
    Status cusolverDn##X##gesvd(Handle h, signed char jobu, signed char jobvt, int m, int n, T *a, int lda, R *s,      \
                                T *u, int ldu, T *vt, int ldvt, T *work, int lwork, R *rwork, int *info)               \
    {                                                                                                                  \
        problem p = {                                                                                                  \
            MATRIX(X), .jobu = (char)jobu,  .jobvt = (char)jobvt, .m = m, .s = s, .b = u, .ldb = most(1, ldu),         \
            .c = vt,   .ldc = most(1, ldvt)};                                                                          \
        const bool jobs = jobu > 0 && jobvt > 0 && strchr("ASON", jobu) && strchr("ASON", jobvt);                      \
        const bool rooms = (jobu != 'A' && jobu != 'S') || ldu >= m;                                                   \
        return (void)work, (void)lwork, (void)rwork,                                                                   \
               cusolver_solve(h, "cusolverDn" #X "gesvd",                                                              \
                              jobs && rooms && m >= n && n >= 0 && ld_ok(m, lda) &&                                    \
                                  ((jobvt != 'A' && jobvt != 'S') || ldvt >= n),                                       \
                              cusolver_gesvd, &p);                                                                     \
    }                                                                                                                  \
    Status cusolverDn##X##gesvdj_bufferSize(Handle h, cusolverEigMode_t jobz, int econ, int m, int n, const T *a,      \
                                            int lda, const R *s, const T *u, int ldu, const T *v, int ldv, int *lwork, \
                                            gesvdjInfo_t params)                                                       \
    {                                                                                                                  \
        (void)jobz, (void)econ, (void)a, (void)s, (void)u, (void)ldu, (void)v, (void)ldv, (void)params;                \
        return size_of_work(h, n >= 0 && ld_ok(m, lda), 5 * most(m, n), lwork);                                        \
    }                                                                                                                  \
    Status cusolverDn##X##gesvdj(Handle h, cusolverEigMode_t jobz, int econ, int m, int n, T *a, int lda, R *s, T *u,  \
                                 int ldu, T *v, int ldv, T *work, int lwork, int *info, gesvdjInfo_t params)           \
    {                                                                                                                  \
        const char job = jobz == CUSOLVER_EIG_MODE_NOVECTOR ? 'N' : econ ? 'S' : 'A';                                  \
        problem p = {MATRIX(X), .jobu = job,         .jobvt = job, .transpose_v = true, .m = m, .s = s,                \
                     .b = u,    .ldb = most(1, ldu), .c = v,       .ldc = most(1, ldv)};                               \
        return (void)work, (void)lwork, (void)params,                                                                  \
               cusolver_solve(h, "cusolverDn" #X "gesvdj",                                                             \
                              n >= 0 && ld_ok(m, lda) && (job == 'N' || (ldu >= m && ldv >= n)), cusolver_gesvd, &p);  \
    }

#define EIGEN(X, T, R, SY)                                                                                             \
    Status cusolverDn##X##SY##evd_bufferSize(Handle h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
                                             const T *a, int lda, const R *w, int *lwork)                              \
    {                                                                                                                  \
        return (void)jobz, (void)uplo, (void)a, (void)w, size_of_work(h, ld_ok(n, lda), 3 * n, lwork);                 \
    }                                                                                                                  \
    Status cusolverDn##X##SY##gvd(Handle h, cusolverEigType_t type, cusolverEigMode_t jobz, cublasFillMode_t uplo,     \
                                  int n, T *a, int lda, T *b, int ldb, R *w, T *work, int lwork, int *info)            \
    {                                                                                                                  \
        problem p = {MATRIX(X),                                                                                        \
                     .type = (int)type,                                                                                \
                     .jobu = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N',                                             \
                     .uplo = uplo_of(uplo),                                                                            \
                     .b = b,                                                                                           \
                     .ldb = ldb,                                                                                       \
                     .s = w};                                                                                          \
        return (void)work, (void)lwork,                                                                                \
               cusolver_solve(h, "cusolverDn" #X #SY "gvd", type >= 1 && type <= 3 && ld_ok(n, lda) && ld_ok(n, ldb),  \
                              cusolver_eigen, &p);                                                                     \
    }                                                                                                                  \
    Status cusolverDn##X##SY##gvd_bufferSize(Handle h, cusolverEigType_t type, cusolverEigMode_t jobz,                 \
                                             cublasFillMode_t uplo, int n, const T *a, int lda, const T *b, int ldb,   \
                                             const R *w, int *lwork)                                                   \
    {                                                                                                                  \
        (void)type, (void)jobz, (void)uplo, (void)a, (void)b, (void)w;                                                 \
        return size_of_work(h, ld_ok(n, lda) && ld_ok(n, ldb), 3 * n, lwork);                                          \
    }                                                                                                                  \
    Status cusolverDn##X##SY##evd(Handle h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *a, int lda, R *w, \
                                  T *work, int lwork, int *info)                                                       \
    {                                                                                                                  \
        problem p = {MATRIX(X), .jobu = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N', .uplo = uplo_of(uplo), .s = w};  \
        return (void)work, (void)lwork,                                                                                \
               cusolver_solve(h, "cusolverDn" #X #SY "evd", ld_ok(n, lda), cusolver_eigen, &p);                        \
    }                                                                                                                  \
    Status cusolverDn##X##SY##evj_bufferSize(Handle h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
                                             const T *a, int lda, const R *w, int *lwork, syevjInfo_t params)          \
    {                                                                                                                  \
        return (void)params, cusolverDn##X##SY##evd_bufferSize(h, jobz, uplo, n, a, lda, w, lwork);                    \
    }                                                                                                                  \
    Status cusolverDn##X##SY##evj(Handle h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *a, int lda, R *w, \
                                  T *work, int lwork, int *info, syevjInfo_t params)                                   \
    {                                                                                                                  \
        return (void)params, cusolverDn##X##SY##evd(h, jobz, uplo, n, a, lda, w, work, lwork, info);                   \
    }

CHOLESKY(S, float)
CHOLESKY(D, double)
CHOLESKY(C, cuComplex)
CHOLESKY(Z, cuDoubleComplex)

LU(S, float, float)
LU(D, double, double)
LU(C, cuComplex, float)
LU(Z, cuDoubleComplex, double)

QR(S, float, float, or)
QR(D, double, double, or)
QR(C, cuComplex, float, un)
QR(Z, cuDoubleComplex, double, un)

SINGULAR(S, float, float)
SINGULAR(D, double, double)
SINGULAR(C, cuComplex, float)
SINGULAR(Z, cuDoubleComplex, double)

EIGEN(S, float, float, sy)
EIGEN(D, double, double, sy)
EIGEN(C, cuComplex, float, he)
EIGEN(Z, cuDoubleComplex, double, he)
