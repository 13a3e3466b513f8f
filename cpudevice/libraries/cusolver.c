/* cusolver.c: cuSOLVER's dense interface on LAPACK.
 *
 * Each routine is a body that a stream runs (library.h). It gets a `problem`: what the caller said, in LAPACK's words. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cusolverDn.h"
#include "lapack.h"
#include "library.h"

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

typedef struct problem {
    const lapack *l;
    char side, trans, uplo, jobu, jobvt;
    bool transpose_v; /* the caller wants V, not its transpose */
    int m, n, k, nrhs, lda, ldb, ldc, type, batch;
    void *a, *b, *c, *tau, *s; /* matrices, and vectors */
    int *pivots, *info;
    long long *pivots64;
} problem;

static cusolverStatus_t run(cusolverDnHandle_t handle, const char *name, void (*body)(const void *), const problem *p)
{
    const cudaError_t e = library_launch(handle->stream, name, body, p, sizeof *p);
    return e ? CUSOLVER_STATUS_EXECUTION_FAILED : CUSOLVER_STATUS_SUCCESS;
}

static void reads(const problem *p, const void *a, int rows, int columns, int ld)
{
    library_matrix(false, a, p->l->size, rows, columns, ld);
}
static void writes(const problem *p, const void *a, int rows, int columns, int ld)
{
    library_matrix(true, a, p->l->size, rows, columns, ld);
}

/* Of a symmetric matrix only one triangle is there. */
static void triangle(const problem *p, const void *a, int ld, bool written)
{
    for (int i = 0; i < p->n; i++) {
        const int first = p->uplo == 'L' ? i : 0, rows = p->uplo == 'L' ? p->n - i : i + 1;
        library_matrix(written, (const char *)a + ((size_t)i * (size_t)ld + (size_t)first) * p->l->size, p->l->size,
                       rows, 1, ld);
    }
}

static void set_info(int *info, int value)
{
    if (!info)
        return;
    *info = value;
    library_writes(info, sizeof *info);
}

/* ---- Cholesky ---- */

static void on_triangle(const problem *p, lapack_on_triangle *routine)
{
    int info = 0;
    triangle(p, p->a, p->lda, false);
    routine(&p->uplo, &p->n, p->a, &p->lda, &info, 1);
    triangle(p, p->a, p->lda, true);
    set_info(p->info, info);
}

static void potrf_body(const void *arguments)
{
    const problem *p = arguments;
    on_triangle(p, p->l->potrf);
}

static void potri_body(const void *arguments)
{
    const problem *p = arguments;
    on_triangle(p, p->l->potri);
}

static void potrs_body(const void *arguments)
{
    const problem *p = arguments;
    int info = 0;
    triangle(p, p->a, p->lda, false);
    reads(p, p->b, p->n, p->nrhs, p->ldb);
    p->l->potrs(&p->uplo, &p->n, &p->nrhs, p->a, &p->lda, p->b, &p->ldb, &info, 1);
    writes(p, p->b, p->n, p->nrhs, p->ldb);
    set_info(p->info, info);
}

/* a and b are arrays of pointers, in device memory. */
static void potrf_batched_body(const void *arguments)
{
    const problem *p = arguments;
    library_reads(p->a, (size_t)p->batch * sizeof(void *));
    for (int i = 0; i < p->batch; i++) {
        problem one = *p;
        one.a = ((void **)p->a)[i];
        one.info = p->info + i;
        potrf_body(&one);
    }
}

static void potrs_batched_body(const void *arguments)
{
    const problem *p = arguments;
    library_reads(p->a, (size_t)p->batch * sizeof(void *));
    library_reads(p->b, (size_t)p->batch * sizeof(void *));
    for (int i = 0; i < p->batch; i++) {
        problem one = *p;
        one.a = ((void **)p->a)[i];
        one.b = ((void **)p->b)[i];
        one.info = i == 0 ? p->info : NULL; /* one for all, as cuSOLVER has it */
        potrs_body(&one);
    }
}

/* ---- LU ---- */

static void getrf_body(const void *arguments)
{
    const problem *p = arguments;
    int info = 0, *pivots = p->pivots;
    const int count = p->m < p->n ? p->m : p->n;
    if (p->pivots64)
        pivots = malloc(((size_t)count + 1) * sizeof *pivots);
    reads(p, p->a, p->m, p->n, p->lda);
    p->l->getrf(&p->m, &p->n, p->a, &p->lda, pivots, &info);
    writes(p, p->a, p->m, p->n, p->lda);
    for (int i = 0; p->pivots64 && i < count; i++)
        p->pivots64[i] = pivots[i];
    if (p->pivots64) {
        library_writes(p->pivots64, (size_t)count * sizeof *p->pivots64);
        free(pivots);
    } else
        library_writes(pivots, (size_t)count * sizeof *pivots);
    set_info(p->info, info);
}

/* Without pivots, which LAPACK has not: column by column, in the matrix's own arithmetic. */
#define EXACT_LU(NAME, T)                                                                                              \
    static int NAME(int m, int n, T *a, size_t lda)                                                                    \
    {                                                                                                                  \
        int info = 0;                                                                                                  \
        for (int k = 0; k < m && k < n; k++) {                                                                         \
            const T pivot = a[(size_t)k * lda + (size_t)k];                                                            \
            if (pivot == 0 && !info)                                                                                   \
                info = k + 1;                                                                                          \
            for (int i = k + 1; i < m; i++)                                                                            \
                a[(size_t)k * lda + (size_t)i] /= pivot;                                                               \
            for (int j = k + 1; j < n; j++)                                                                            \
                for (int i = k + 1; i < m; i++)                                                                        \
                    a[(size_t)j * lda + (size_t)i] -= a[(size_t)k * lda + (size_t)i] * a[(size_t)j * lda + (size_t)k]; \
        }                                                                                                              \
        return info;                                                                                                   \
    }
EXACT_LU(lu_s, float)
EXACT_LU(lu_d, double)
EXACT_LU(lu_c, float _Complex)
EXACT_LU(lu_z, double _Complex)

static void lu_without_pivots_body(const void *arguments)
{
    const problem *p = arguments;
    const size_t lda = (size_t)p->lda;
    reads(p, p->a, p->m, p->n, p->lda);
    const int info = p->l->letter == 'S'   ? lu_s(p->m, p->n, p->a, lda)
                     : p->l->letter == 'D' ? lu_d(p->m, p->n, p->a, lda)
                     : p->l->letter == 'C' ? lu_c(p->m, p->n, p->a, lda)
                                           : lu_z(p->m, p->n, p->a, lda);
    writes(p, p->a, p->m, p->n, p->lda);
    set_info(p->info, info);
}

static void getrs_body(const void *arguments)
{
    const problem *p = arguments;
    int info = 0, *pivots = p->pivots;
    if (p->pivots64 || !pivots) {
        pivots = malloc(((size_t)p->n + 1) * sizeof *pivots);
        for (int i = 0; i < p->n; i++)
            pivots[i] = p->pivots64 ? (int)p->pivots64[i] : i + 1;
    }
    library_reads(p->pivots64 ? (void *)p->pivots64 : p->pivots,
                  p->pivots64 || p->pivots ? (size_t)p->n * (p->pivots64 ? 8 : 4) : 0);
    reads(p, p->a, p->n, p->n, p->lda);
    reads(p, p->b, p->n, p->nrhs, p->ldb);
    p->l->getrs(&p->trans, &p->n, &p->nrhs, p->a, &p->lda, pivots, p->b, &p->ldb, &info, 1);
    writes(p, p->b, p->n, p->nrhs, p->ldb);
    if (pivots != p->pivots)
        free(pivots);
    set_info(p->info, info);
}

/* ---- working memory, which LAPACK names as the first number of it ---- */

static int named_size(const problem *p, const void *work)
{
    const double size = p->l->real_size == 4 ? (double)*(const float *)work : *(const double *)work;
    return size < 1 ? 1 : (int)(size * 1.01) + 1;
}

/* ---- QR ---- */

static void geqrf_body(const void *arguments)
{
    const problem *p = arguments;
    const int ask = -1, taus = p->m < p->n ? p->m : p->n;
    double first[2] = {0};
    int info = 0;
    reads(p, p->a, p->m, p->n, p->lda);
    p->l->geqrf(&p->m, &p->n, p->a, &p->lda, p->tau, first, &ask, &info);
    const int lwork = named_size(p, first);
    void *work = malloc((size_t)lwork * p->l->size);
    p->l->geqrf(&p->m, &p->n, p->a, &p->lda, p->tau, work, &lwork, &info);
    writes(p, p->a, p->m, p->n, p->lda);
    writes(p, p->tau, taus, 1, taus);
    free(work);
    set_info(p->info, info);
}

static void orgqr_body(const void *arguments)
{
    const problem *p = arguments;
    const int ask = -1;
    double first[2] = {0};
    int info = 0;
    reads(p, p->a, p->m, p->k, p->lda);
    reads(p, p->tau, p->k, 1, p->k);
    p->l->orgqr(&p->m, &p->n, &p->k, p->a, &p->lda, p->tau, first, &ask, &info);
    const int lwork = named_size(p, first);
    void *work = malloc((size_t)lwork * p->l->size);
    p->l->orgqr(&p->m, &p->n, &p->k, p->a, &p->lda, p->tau, work, &lwork, &info);
    writes(p, p->a, p->m, p->n, p->lda);
    free(work);
    set_info(p->info, info);
}

static void ormqr_body(const void *arguments)
{
    const problem *p = arguments;
    const int ask = -1;
    double first[2] = {0};
    int info = 0;
    reads(p, p->a, p->side == 'L' ? p->m : p->n, p->k, p->lda);
    reads(p, p->tau, p->k, 1, p->k);
    reads(p, p->c, p->m, p->n, p->ldc);
    p->l->ormqr(&p->side, &p->trans, &p->m, &p->n, &p->k, p->a, &p->lda, p->tau, p->c, &p->ldc, first, &ask, &info, 1,
                1);
    const int lwork = named_size(p, first);
    void *work = malloc((size_t)lwork * p->l->size);
    p->l->ormqr(&p->side, &p->trans, &p->m, &p->n, &p->k, p->a, &p->lda, p->tau, p->c, &p->ldc, work, &lwork, &info, 1,
                1);
    writes(p, p->c, p->m, p->n, p->ldc);
    free(work);
    set_info(p->info, info);
}

/* ---- singular values ---- */

static void gesvd_call(const problem *p, void *vt, int ldvt, void *work, int lwork, void *rwork, int *info)
{
    if (p->l->size == p->l->real_size)
        p->l->gesvd.real(&p->jobu, &p->jobvt, &p->m, &p->n, p->a, &p->lda, p->s, p->b, &p->ldb, vt, &ldvt, work, &lwork,
                         info, 1, 1);
    else
        p->l->gesvd.complex(&p->jobu, &p->jobvt, &p->m, &p->n, p->a, &p->lda, p->s, p->b, &p->ldb, vt, &ldvt, work,
                            &lwork, rwork, info, 1, 1);
}

/* V, n x k, is the conjugate transpose of vt, k x n. */
static void transpose_v(const problem *p, const void *vt, int k)
{
    const size_t real = p->l->real_size, size = p->l->size;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < p->n; j++) {
            const char *from = (const char *)vt + ((size_t)j * (size_t)k + (size_t)i) * size;
            char *to = (char *)p->c + ((size_t)i * (size_t)p->ldc + (size_t)j) * size;
            memcpy(to, from, size);
            if (size != real && real == 4)
                ((float *)to)[1] = -((float *)to)[1];
            else if (size != real)
                ((double *)to)[1] = -((double *)to)[1];
        }
}

static void gesvd_body(const void *arguments)
{
    const problem *p = arguments;
    const int k = p->m < p->n ? p->m : p->n;
    const int u_columns = p->jobu == 'A' ? p->m : p->jobu == 'S' ? k : 0;
    const int v_rows = p->jobvt == 'A' ? p->n : p->jobvt == 'S' ? k : 0;
    double first[2] = {0};
    int info = 0, ldvt = p->ldc < 1 ? 1 : p->ldc;
    void *vt = p->c, *rwork = malloc((size_t)(5 * k + 1) * p->l->real_size);
    if (p->transpose_v) {
        ldvt = v_rows ? v_rows : 1;
        vt = malloc(((size_t)ldvt * (size_t)p->n + 1) * p->l->size);
    }
    reads(p, p->a, p->m, p->n, p->lda);
    gesvd_call(p, vt, ldvt, first, -1, rwork, &info);
    const int lwork = named_size(p, first);
    void *work = malloc((size_t)lwork * p->l->size);
    gesvd_call(p, vt, ldvt, work, lwork, rwork, &info);
    if (p->transpose_v && v_rows)
        transpose_v(p, vt, v_rows);
    writes(p, p->a, p->m, p->n, p->lda);
    writes(p, p->b, p->m, u_columns, p->ldb);
    if (p->transpose_v)
        writes(p, p->c, p->n, v_rows, p->ldc);
    else
        writes(p, p->c, v_rows, v_rows ? p->n : 0, p->ldc);
    library_writes(p->s, (size_t)k * p->l->real_size);
    if (p->transpose_v)
        free(vt);
    free(work);
    free(rwork);
    set_info(p->info, info);
}

/* ---- symmetric eigenvalues; with type > 0 of A x = w B x and its like ---- */

static void eigen_call(const problem *p, void *work, int lwork, void *rwork, int lrwork, int *iwork, int liwork,
                       int *info)
{
    const lapack *l = p->l;
    if (p->type && l->size == l->real_size)
        l->sygvd.real(&p->type, &p->jobu, &p->uplo, &p->n, p->a, &p->lda, p->b, &p->ldb, p->s, work, &lwork, iwork,
                      &liwork, info, 1, 1);
    else if (p->type)
        l->sygvd.complex(&p->type, &p->jobu, &p->uplo, &p->n, p->a, &p->lda, p->b, &p->ldb, p->s, work, &lwork, rwork,
                         &lrwork, iwork, &liwork, info, 1, 1);
    else if (l->size == l->real_size)
        l->syevd.real(&p->jobu, &p->uplo, &p->n, p->a, &p->lda, p->s, work, &lwork, iwork, &liwork, info, 1, 1);
    else
        l->syevd.complex(&p->jobu, &p->uplo, &p->n, p->a, &p->lda, p->s, work, &lwork, rwork, &lrwork, iwork, &liwork,
                         info, 1, 1);
}

static void eigen_body(const void *arguments)
{
    const problem *p = arguments;
    double first[2] = {0}, rfirst[2] = {0};
    int info = 0, ifirst = 0;
    triangle(p, p->a, p->lda, false);
    if (p->type)
        triangle(p, p->b, p->ldb, false);
    eigen_call(p, first, -1, rfirst, -1, &ifirst, -1, &info);
    const int lwork = named_size(p, first), lrwork = named_size(p, rfirst), liwork = ifirst + 1;
    void *work = malloc((size_t)lwork * p->l->size), *rwork = malloc((size_t)lrwork * p->l->real_size);
    int *iwork = malloc((size_t)liwork * sizeof *iwork);
    eigen_call(p, work, lwork, rwork, lrwork, iwork, liwork, &info);
    if (p->jobu == 'V')
        writes(p, p->a, p->n, p->n, p->lda);
    else
        triangle(p, p->a, p->lda, true);
    if (p->type)
        triangle(p, p->b, p->ldb, true);
    library_writes(p->s, (size_t)p->n * p->l->real_size);
    free(work), free(rwork), free(iwork);
    set_info(p->info, info);
}

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

/* ---- what the interface's functions check, and how they say it in LAPACK's words ---- */

static char uplo_of(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U'; }
static char trans_of(cublasOperation_t trans, bool complex)
{
    return trans == CUBLAS_OP_N ? 'N' : trans == CUBLAS_OP_C && complex ? 'C' : 'T';
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

static cusolverStatus_t solve(cusolverDnHandle_t handle, const char *name, bool good, void (*body)(const void *),
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

#define SOLVER(X, T, R, SY, OR)                                                                                        \
    Status cusolverDn##X##potrf_bufferSize(Handle h, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork)          \
    {                                                                                                                  \
        return (void)uplo, (void)a, size_of_work(h, ld_ok(n, lda), n, lwork);                                          \
    }                                                                                                                  \
    Status cusolverDn##X##potrf(Handle h, cublasFillMode_t uplo, int n, T *a, int lda, T *work, int lwork, int *info)  \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]), .uplo = uplo_of(uplo), .n = n, .a = a, .lda = lda, .info = info};          \
        return (void)work, (void)lwork, solve(h, "cusolverDn" #X "potrf", ld_ok(n, lda), potrf_body, &p);              \
    }                                                                                                                  \
    Status cusolverDn##X##potri_bufferSize(Handle h, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork)          \
    {                                                                                                                  \
        return (void)uplo, (void)a, size_of_work(h, ld_ok(n, lda), n, lwork);                                          \
    }                                                                                                                  \
    Status cusolverDn##X##potri(Handle h, cublasFillMode_t uplo, int n, T *a, int lda, T *work, int lwork, int *info)  \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]), .uplo = uplo_of(uplo), .n = n, .a = a, .lda = lda, .info = info};          \
        return (void)work, (void)lwork, solve(h, "cusolverDn" #X "potri", ld_ok(n, lda), potri_body, &p);              \
    }                                                                                                                  \
    Status cusolverDn##X##potrs(Handle h, cublasFillMode_t uplo, int n, int nrhs, const T *a, int lda, T *b, int ldb,  \
                                int *info)                                                                             \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]),                                                                            \
                     .uplo = uplo_of(uplo),                                                                            \
                     .n = n,                                                                                           \
                     .nrhs = nrhs,                                                                                     \
                     .a = (T *)a,                                                                                      \
                     .lda = lda,                                                                                       \
                     .b = b,                                                                                           \
                     .ldb = ldb,                                                                                       \
                     .info = info};                                                                                    \
        return solve(h, "cusolverDn" #X "potrs", nrhs >= 0 && ld_ok(n, lda) && ld_ok(n, ldb), potrs_body, &p);         \
    }                                                                                                                  \
    Status cusolverDn##X##potrfBatched(Handle h, cublasFillMode_t uplo, int n, T *a[], int lda, int *info, int batch)  \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]),                                                                            \
                     .uplo = uplo_of(uplo),                                                                            \
                     .n = n,                                                                                           \
                     .a = (void *)a,                                                                                   \
                     .lda = lda,                                                                                       \
                     .info = info,                                                                                     \
                     .batch = batch};                                                                                  \
        return solve(h, "cusolverDn" #X "potrfBatched", batch >= 0 && ld_ok(n, lda), potrf_batched_body, &p);          \
    }                                                                                                                  \
    Status cusolverDn##X##potrsBatched(Handle h, cublasFillMode_t uplo, int n, int nrhs, T *a[], int lda, T *b[],      \
                                       int ldb, int *info, int batch)                                                  \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]),                                                                            \
                     .uplo = uplo_of(uplo),                                                                            \
                     .n = n,                                                                                           \
                     .nrhs = nrhs,                                                                                     \
                     .a = (void *)a,                                                                                   \
                     .lda = lda,                                                                                       \
                     .b = (void *)b,                                                                                   \
                     .ldb = ldb,                                                                                       \
                     .info = info,                                                                                     \
                     .batch = batch};                                                                                  \
        return solve(h, "cusolverDn" #X "potrsBatched", nrhs == 1 && batch >= 0 && ld_ok(n, lda) && ld_ok(n, ldb),     \
                     potrs_batched_body, &p);                                                                          \
    }                                                                                                                  \
    Status cusolverDn##X##getrf_bufferSize(Handle h, int m, int n, T *a, int lda, int *lwork)                          \
    {                                                                                                                  \
        return (void)a, size_of_work(h, n >= 0 && ld_ok(m, lda), m, lwork);                                            \
    }                                                                                                                  \
    Status cusolverDn##X##getrf(Handle h, int m, int n, T *a, int lda, T *work, int *pivots, int *info)                \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]), .m = m, .n = n, .a = a, .lda = lda, .pivots = pivots, .info = info};       \
        return (void)work, solve(h, "cusolverDn" #X "getrf", n >= 0 && ld_ok(m, lda),                                  \
                                 pivots ? getrf_body : lu_without_pivots_body, &p);                                    \
    }                                                                                                                  \
    Status cusolverDn##X##getrs(Handle h, cublasOperation_t trans, int n, int nrhs, const T *a, int lda,               \
                                const int *pivots, T *b, int ldb, int *info)                                           \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]),                                                                            \
                     .trans = trans_of(trans, sizeof(T) != sizeof(R)),                                                 \
                     .n = n,                                                                                           \
                     .nrhs = nrhs,                                                                                     \
                     .a = (T *)a,                                                                                      \
                     .lda = lda,                                                                                       \
                     .pivots = (int *)pivots,                                                                          \
                     .b = b,                                                                                           \
                     .ldb = ldb,                                                                                       \
                     .info = info};                                                                                    \
        return solve(h, "cusolverDn" #X "getrs", nrhs >= 0 && ld_ok(n, lda) && ld_ok(n, ldb), getrs_body, &p);         \
    }                                                                                                                  \
    Status cusolverDn##X##geqrf_bufferSize(Handle h, int m, int n, T *a, int lda, int *lwork)                          \
    {                                                                                                                  \
        return (void)a, size_of_work(h, n >= 0 && ld_ok(m, lda), n, lwork);                                            \
    }                                                                                                                  \
    Status cusolverDn##X##geqrf(Handle h, int m, int n, T *a, int lda, T *tau, T *work, int lwork, int *info)          \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]), .m = m, .n = n, .a = a, .lda = lda, .tau = tau, .info = info};             \
        return (void)work, (void)lwork, solve(h, "cusolverDn" #X "geqrf", n >= 0 && ld_ok(m, lda), geqrf_body, &p);    \
    }                                                                                                                  \
    Status cusolverDn##X##OR##gqr_bufferSize(Handle h, int m, int n, int k, const T *a, int lda, const T *tau,         \
                                             int *lwork)                                                               \
    {                                                                                                                  \
        return (void)a, (void)tau, (void)k, size_of_work(h, n >= 0 && ld_ok(m, lda), n, lwork);                        \
    }                                                                                                                  \
    Status cusolverDn##X##OR##gqr(Handle h, int m, int n, int k, T *a, int lda, const T *tau, T *work, int lwork,      \
                                  int *info)                                                                           \
    {                                                                                                                  \
        problem p = {                                                                                                  \
            .l = lapack_of(#X[0]), .m = m, .n = n, .k = k, .a = a, .lda = lda, .tau = (T *)tau, .info = info};         \
        return (void)work, (void)lwork,                                                                                \
               solve(h, "cusolverDn" #X #OR "gqr", k >= 0 && n >= k && m >= n && ld_ok(m, lda), orgqr_body, &p);       \
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
        problem p = {.l = lapack_of(#X[0]),                                                                            \
                     .side = side == CUBLAS_SIDE_LEFT ? 'L' : 'R',                                                     \
                     .trans = trans_of(trans, sizeof(T) != sizeof(R)),                                                 \
                     .m = m,                                                                                           \
                     .n = n,                                                                                           \
                     .k = k,                                                                                           \
                     .a = (T *)a,                                                                                      \
                     .lda = lda,                                                                                       \
                     .tau = (T *)tau,                                                                                  \
                     .c = c,                                                                                           \
                     .ldc = ldc,                                                                                       \
                     .info = info};                                                                                    \
        return (void)work, (void)lwork,                                                                                \
               solve(h, "cusolverDn" #X #OR "mqr",                                                                     \
                     k >= 0 && order >= k && n >= 0 && ld_ok(order, lda) && ld_ok(m, ldc), ormqr_body, &p);            \
    }                                                                                                                  \
    Status cusolverDn##X##gesvd_bufferSize(Handle h, int m, int n, int *lwork)                                         \
    {                                                                                                                  \
        return size_of_work(h, m >= n && n >= 0, 5 * n, lwork);                                                        \
    }                                                                                                                  \
    Status cusolverDn##X##gesvd(Handle h, signed char jobu, signed char jobvt, int m, int n, T *a, int lda, R *s,      \
                                T *u, int ldu, T *vt, int ldvt, T *work, int lwork, R *rwork, int *info)               \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]),                                                                            \
                     .jobu = (char)jobu,                                                                               \
                     .jobvt = (char)jobvt,                                                                             \
                     .m = m,                                                                                           \
                     .n = n,                                                                                           \
                     .a = a,                                                                                           \
                     .lda = lda,                                                                                       \
                     .s = s,                                                                                           \
                     .b = u,                                                                                           \
                     .ldb = most(1, ldu),                                                                              \
                     .c = vt,                                                                                          \
                     .ldc = most(1, ldvt),                                                                             \
                     .info = info};                                                                                    \
        const bool jobs = jobu > 0 && jobvt > 0 && strchr("ASON", jobu) && strchr("ASON", jobvt);                      \
        const bool rooms = (jobu != 'A' && jobu != 'S') || ldu >= m;                                                   \
        return (void)work, (void)lwork, (void)rwork,                                                                   \
               solve(h, "cusolverDn" #X "gesvd",                                                                       \
                     jobs && rooms && m >= n && n >= 0 && ld_ok(m, lda) &&                                             \
                         ((jobvt != 'A' && jobvt != 'S') || ldvt >= n),                                                \
                     gesvd_body, &p);                                                                                  \
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
        problem p = {.l = lapack_of(#X[0]),                                                                            \
                     .jobu = job,                                                                                      \
                     .jobvt = job,                                                                                     \
                     .transpose_v = true,                                                                              \
                     .m = m,                                                                                           \
                     .n = n,                                                                                           \
                     .a = a,                                                                                           \
                     .lda = lda,                                                                                       \
                     .s = s,                                                                                           \
                     .b = u,                                                                                           \
                     .ldb = most(1, ldu),                                                                              \
                     .c = v,                                                                                           \
                     .ldc = most(1, ldv),                                                                              \
                     .info = info};                                                                                    \
        return (void)work, (void)lwork, (void)params,                                                                  \
               solve(h, "cusolverDn" #X "gesvdj", n >= 0 && ld_ok(m, lda) && (job == 'N' || (ldu >= m && ldv >= n)),   \
                     gesvd_body, &p);                                                                                  \
    }                                                                                                                  \
    Status cusolverDn##X##SY##evd_bufferSize(Handle h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
                                             const T *a, int lda, const R *w, int *lwork)                              \
    {                                                                                                                  \
        return (void)jobz, (void)uplo, (void)a, (void)w, size_of_work(h, ld_ok(n, lda), 3 * n, lwork);                 \
    }                                                                                                                  \
    Status cusolverDn##X##SY##gvd(Handle h, cusolverEigType_t type, cusolverEigMode_t jobz, cublasFillMode_t uplo,     \
                                  int n, T *a, int lda, T *b, int ldb, R *w, T *work, int lwork, int *info)            \
    {                                                                                                                  \
        problem p = {.l = lapack_of(#X[0]),                                                                            \
                     .type = (int)type,                                                                                \
                     .jobu = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N',                                             \
                     .uplo = uplo_of(uplo),                                                                            \
                     .n = n,                                                                                           \
                     .a = a,                                                                                           \
                     .lda = lda,                                                                                       \
                     .b = b,                                                                                           \
                     .ldb = ldb,                                                                                       \
                     .s = w,                                                                                           \
                     .info = info};                                                                                    \
        return (void)work, (void)lwork,                                                                                \
               solve(h, "cusolverDn" #X #SY "gvd", type >= 1 && type <= 3 && ld_ok(n, lda) && ld_ok(n, ldb),           \
                     eigen_body, &p);                                                                                  \
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
        problem p = {.l = lapack_of(#X[0]),                                                                            \
                     .jobu = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N',                                             \
                     .uplo = uplo_of(uplo),                                                                            \
                     .n = n,                                                                                           \
                     .a = a,                                                                                           \
                     .lda = lda,                                                                                       \
                     .s = w,                                                                                           \
                     .info = info};                                                                                    \
        return (void)work, (void)lwork, solve(h, "cusolverDn" #X #SY "evd", ld_ok(n, lda), eigen_body, &p);            \
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
SOLVER(S, float, float, sy, or)
SOLVER(D, double, double, sy, or)
SOLVER(C, cuComplex, float, he, un)
SOLVER(Z, cuDoubleComplex, double, he, un)

/* ---- of 64 bits ---- */

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
    return solve(h, "cusolverDnXpotrf", true, potrf_body, &p);
}

Status cusolverDnXgetrf(Handle h, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type_a, void *a,
                        int64_t lda, int64_t *pivots, cudaDataType compute, void *device, size_t device_bytes,
                        void *host, size_t host_bytes, int *info)
{
    problem p = {.a = a, .pivots64 = (long long *)pivots, .info = info};
    (void)params, (void)device, (void)device_bytes, (void)host, (void)host_bytes;
    if (!fits(&p, type_a, m, n, 0, lda, 1) || compute != type_a)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return solve(h, "cusolverDnXgetrf", true, pivots ? getrf_body : lu_without_pivots_body, &p);
}

Status cusolverDnXpotrs(Handle h, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                        cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_b, void *b, int64_t ldb,
                        int *info)
{
    problem p = {.uplo = uplo_of(uplo), .a = (void *)a, .b = b, .info = info};
    (void)params;
    if (!fits(&p, type_a, n, n, nrhs, lda, ldb) || type_b != type_a || ldb < n)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return solve(h, "cusolverDnXpotrs", true, potrs_body, &p);
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
    return solve(h, "cusolverDnXgetrs", true, getrs_body, &p);
}
