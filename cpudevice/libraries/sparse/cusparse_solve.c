/* cusparse_solve.c: triangular systems, and LU of the entries that are there (ILU(0)). */
#define _GNU_SOURCE
#include <stdlib.h>

#include "sparse/sparse.h"
#include "cpudev_must.h"

typedef cusparseStatus_t Status;

static const Status ok = CUSPARSE_STATUS_SUCCESS, invalid = CUSPARSE_STATUS_INVALID_VALUE;

/* ---- triangular systems ---- */

struct cusparseSpSVDescr {
    int unused;
};

Status cusparseSpSV_createDescr(cusparseSpSVDescr_t *d)
{
    if (!d)
        return invalid;
    *d = calloc(1, sizeof **d);
    return *d ? ok : CUSPARSE_STATUS_ALLOC_FAILED;
}
Status cusparseSpSV_destroyDescr(cusparseSpSVDescr_t d) { return free(d), ok; }

typedef struct triangular {
    struct cusparseSpMatDescr a;
    struct cusparseDnVecDescr x, y;
    cusparseOperation_t op;
    factor alpha;
} triangular;

/* By rows of A: row i gives y[i], or, of A transposed, y[i] goes to the rows that are left. The sums are kept in `y`,
 * in double, until each is done. */
static void solve(const void *arguments)
{
    const triangular *t = arguments;
    const struct cusparseSpMatDescr *a = &t->a;
    const bool turned = t->op != CUSPARSE_OPERATION_NON_TRANSPOSE, unit = a->diag == CUSPARSE_DIAG_TYPE_UNIT;
    const bool lower = a->fill == CUSPARSE_FILL_MODE_LOWER, upwards = lower == turned;
    const Number alpha = factor_now(t->alpha);
    const int64_t n = a->rows;
    Number *y = must(malloc(((size_t)n + 1) * sizeof *y));
    for (int64_t i = 0; i < n; i++)
        y[i] = alpha * get_value(t->x.values, t->x.type, i);
    for (int64_t step = 0; step < n; step++) {
        const int64_t i = upwards ? n - 1 - step : step;
        const int64_t first = get_index(a->offsets, a->offset_type, i) - a->base;
        const int64_t end = get_index(a->offsets, a->offset_type, i + 1) - a->base;
        Number pivot = unit ? 1 : 0;
        for (int pass = 0; pass < 2; pass++) { /* of A: sums, then the pivot; of its transpose the other way round */
            if (pass == (turned ? 1 : 0))
                for (int64_t k = first; k < end; k++) {
                    const int64_t j = get_index(a->indices, a->index_type, k) - a->base;
                    if (j == i || (j < i) != lower)
                        continue;
                    const Number x = get_value(a->values, a->type, k);
                    if (turned)
                        y[j] -= (t->op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conj(x) : x) * y[i];
                    else
                        y[i] -= x * y[j];
                }
            else {
                for (int64_t k = first; k < end && !unit; k++)
                    if (get_index(a->indices, a->index_type, k) - a->base == i)
                        pivot = get_value(a->values, a->type, k);
                y[i] /= t->op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conj(pivot) : pivot;
            }
        }
    }
    for (int64_t i = 0; i < n; i++)
        put_value(t->y.values, t->y.type, i, y[i]);
    free(y);
}

static Status may_solve(cusparseHandle_t handle, const void *alpha, cusparseConstSpMatDescr_t a,
                        cusparseConstDnVecDescr_t x, cusparseConstDnVecDescr_t y, cudaDataType compute)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !x || !y || a->rows != a->columns || x->size != a->rows || y->size != a->rows)
        return invalid;
    return a->format == CUSPARSE_FORMAT_CSR && a->type == compute && x->type == compute && y->type == compute &&
                   size_of_type(compute)
               ? ok
               : CUSPARSE_STATUS_NOT_SUPPORTED;
}

Status cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, const void *alpha,
                               cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                               cudaDataType compute, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t d, size_t *bytes)
{
    (void)op_a, (void)algorithm, (void)d;
    const Status s = may_solve(handle, alpha, a, x, y, compute);
    return s != ok ? s : no_buffer(handle, bytes);
}
Status cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op_a, const void *alpha,
                             cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                             cudaDataType compute, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t d, void *buffer)
{
    size_t none;
    return (void)buffer, cusparseSpSV_bufferSize(handle, op_a, alpha, a, x, y, compute, algorithm, d, &none);
}
Status cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op_a, const void *alpha,
                          cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                          cudaDataType compute, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t d)
{
    (void)algorithm, (void)d;
    const Status s = may_solve(handle, alpha, a, x, y, compute);
    if (s != ok)
        return s;
    const triangular t = {*a, *x, *y, op_a, factor_of(handle, alpha, compute)};
    return sparse_run(handle, "cusparseSpSV", solve, &t, sizeof t);
}

/* ---- the older interface's descriptors ---- */

struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    cusparseIndexBase_t base;
};
struct csrilu02Info {
    int *zero_pivot; /* the first row whose pivot is 0, from the base on; -1: none */
};

Status cusparseCreateMatDescr(cusparseMatDescr_t *d)
{
    if (!d)
        return invalid;
    *d = calloc(1, sizeof **d);
    return *d ? ok : CUSPARSE_STATUS_ALLOC_FAILED;
}
Status cusparseDestroyMatDescr(cusparseMatDescr_t d) { return free(d), ok; }

#define FIELD(NAME, type, field)                                                                                       \
    Status cusparseSetMat##NAME(cusparseMatDescr_t d, type value) { return d ? d->field = value, ok : invalid; }       \
    type cusparseGetMat##NAME(const cusparseMatDescr_t d) { return d->field; }
FIELD(Type, cusparseMatrixType_t, type)
FIELD(IndexBase, cusparseIndexBase_t, base)
FIELD(FillMode, cusparseFillMode_t, fill)
FIELD(DiagType, cusparseDiagType_t, diag)

/* ---- ILU(0) ---- */

Status cusparseCreateCsrilu02Info(csrilu02Info_t *info)
{
    if (!info)
        return invalid;
    *info = calloc(1, sizeof **info);
    if (!*info)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    (*info)->zero_pivot = must(malloc(sizeof(int)));
    *(*info)->zero_pivot = -1;
    return ok;
}
Status cusparseDestroyCsrilu02Info(csrilu02Info_t info)
{
    if (info)
        free(info->zero_pivot);
    return free(info), ok;
}

typedef struct factorization {
    struct cusparseSpMatDescr a;
    int *zero_pivot;
} factorization;

/* Row by row, in the order of Gaussian elimination, at the entries that A has. */
static void ilu(const void *arguments)
{
    const factorization *f = arguments;
    const struct cusparseSpMatDescr *a = &f->a;
    int64_t *place = must(malloc(((size_t)a->rows + 1) * sizeof *place)); /* of a column in the row that is worked on */
    *f->zero_pivot = -1;
    for (int64_t i = 0; i < a->rows; i++)
        place[i] = -1;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t first = get_index(a->offsets, CUSPARSE_INDEX_32I, i) - a->base;
        const int64_t end = get_index(a->offsets, CUSPARSE_INDEX_32I, i + 1) - a->base;
        for (int64_t k = first; k < end; k++)
            place[get_index(a->indices, CUSPARSE_INDEX_32I, k) - a->base] = k;
        for (int64_t k = first; k < end; k++) {
            const int64_t row = get_index(a->indices, CUSPARSE_INDEX_32I, k) - a->base;
            if (row >= i)
                break; /* columns come in order */
            const int64_t end_row = get_index(a->offsets, CUSPARSE_INDEX_32I, row + 1) - a->base;
            int64_t q = get_index(a->offsets, CUSPARSE_INDEX_32I, row) - a->base;
            while (q < end_row && get_index(a->indices, CUSPARSE_INDEX_32I, q) - a->base < row)
                q++;
            const Number pivot = q < end_row ? get_value(a->values, a->type, q) : 0;
            const Number l = get_value(a->values, a->type, k) / pivot;
            put_value(a->values, a->type, k, l);
            for (q++; q < end_row; q++) {
                const int64_t to = place[get_index(a->indices, CUSPARSE_INDEX_32I, q) - a->base];
                if (to >= 0)
                    put_value(a->values, a->type, to,
                              get_value(a->values, a->type, to) - l * get_value(a->values, a->type, q));
            }
        }
        if ((place[i] < 0 || get_value(a->values, a->type, place[i]) == 0) && *f->zero_pivot < 0)
            *f->zero_pivot = (int)i + a->base;
        for (int64_t k = first; k < end; k++)
            place[get_index(a->indices, CUSPARSE_INDEX_32I, k) - a->base] = -1;
    }
    free(place);
}

static Status start_ilu(cusparseHandle_t handle, const char *name, int m, int nnz, const cusparseMatDescr_t d,
                        void *values, cudaDataType type, const int *row_offsets, const int *columns,
                        csrilu02Info_t info)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || nnz < 0 || !d || !info)
        return invalid;
    const factorization f = {.a = {.format = CUSPARSE_FORMAT_CSR,
                                   .rows = m,
                                   .columns = m,
                                   .nnz = nnz,
                                   .offsets = (void *)row_offsets,
                                   .indices = (void *)columns,
                                   .values = values,
                                   .offset_type = CUSPARSE_INDEX_32I,
                                   .index_type = CUSPARSE_INDEX_32I,
                                   .base = (int)d->base,
                                   .type = type},
                             .zero_pivot = info->zero_pivot};
    return sparse_run(handle, name, ilu, &f, sizeof f);
}

Status cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position)
{
    if (!handle || !info || !position)
        return handle ? invalid : CUSPARSE_STATUS_NOT_INITIALIZED;
    if (cudaStreamSynchronize(handle->stream))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    *position = *info->zero_pivot;
    return *position < 0 ? ok : CUSPARSE_STATUS_ZERO_PIVOT;
}

#define ILU(X, T, type)                                                                                                \
    Status cusparse##X##csrilu02_bufferSize(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t d,       \
                                            T *values, const int *row_offsets, const int *columns,                     \
                                            csrilu02Info_t info, int *bytes)                                           \
    {                                                                                                                  \
        size_t size = 0;                                                                                               \
        (void)m, (void)nnz, (void)d, (void)values, (void)row_offsets, (void)columns, (void)info;                       \
        const Status s = no_buffer(handle, bytes ? &size : NULL);                                                      \
        if (s == ok)                                                                                                   \
            *bytes = (int)size;                                                                                        \
        return s;                                                                                                      \
    }                                                                                                                  \
    Status cusparse##X##csrilu02_analysis(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t d,         \
                                          const T *values, const int *row_offsets, const int *columns,                 \
                                          csrilu02Info_t info, cusparseSolvePolicy_t policy, void *buffer)             \
    {                                                                                                                  \
        (void)m, (void)nnz, (void)d, (void)values, (void)row_offsets, (void)columns, (void)policy, (void)buffer;       \
        return handle && info ? ok : invalid;                                                                          \
    }                                                                                                                  \
    Status cusparse##X##csrilu02(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t d, T *values,       \
                                 const int *row_offsets, const int *columns, csrilu02Info_t info,                      \
                                 cusparseSolvePolicy_t policy, void *buffer)                                           \
    {                                                                                                                  \
        (void)policy, (void)buffer;                                                                                    \
        return start_ilu(handle, "cusparse" #X "csrilu02", m, nnz, d, values, type, row_offsets, columns, info);       \
    }
ILU(S, float, CUDA_R_32F)
ILU(D, double, CUDA_R_64F)
