/* cusparse_convert.c: sparse matrices to others and to dense ones, and operations on sparse vectors. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "sparse/sparse.h"
#include "cpudev_must.h"

typedef cusparseStatus_t Status;

static const Status ok = CUSPARSE_STATUS_SUCCESS, invalid = CUSPARSE_STATUS_INVALID_VALUE;

/* ---- sparse to dense ---- */

typedef struct pair {
    struct cusparseSpMatDescr sparse;
    struct cusparseDnMatDescr dense;
    int64_t *count; /* host memory: the entries that there are */
} pair;

static void to_dense(const void *arguments)
{
    const pair *p = arguments;
    for (int64_t i = 0; i < p->dense.rows; i++)
        for (int64_t j = 0; j < p->dense.columns; j++)
            put_value(p->dense.values, p->dense.type, place_in(&p->dense, i, j), 0);
    for (walk w = walk_over(&p->sparse); walk_next(&w);)
        put_value(p->dense.values, p->dense.type, place_in(&p->dense, w.row, w.column),
                  get_value(p->sparse.values, p->sparse.type, w.k));
}

static Status may_convert(cusparseHandle_t handle, cusparseConstSpMatDescr_t s, cusparseConstDnMatDescr_t d)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!s || !d || s->rows != d->rows || s->columns != d->columns)
        return invalid;
    return s->type == d->type && size_of_type(s->type) ? ok : CUSPARSE_STATUS_NOT_SUPPORTED;
}

Status cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                        cusparseSparseToDenseAlg_t algorithm, size_t *bytes)
{
    (void)algorithm;
    const Status s = may_convert(handle, a, b);
    return s != ok ? s : no_buffer(handle, bytes);
}

Status cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                             cusparseSparseToDenseAlg_t algorithm, void *buffer)
{
    (void)algorithm, (void)buffer;
    const Status s = may_convert(handle, a, b);
    if (s != ok)
        return s;
    const pair p = {*a, *b, NULL};
    return sparse_run(handle, "cusparseSparseToDense", to_dense, &p, sizeof p);
}

/* ---- dense to sparse ---- */

/* The entries that are not 0, in the order of the sparse format. With `written` they are put there as well. */
static int64_t scan(const pair *p, bool offsets, bool written)
{
    const struct cusparseSpMatDescr *s = &p->sparse;
    const bool by_columns = s->format == CUSPARSE_FORMAT_CSC, coo = s->format == CUSPARSE_FORMAT_COO;
    const int64_t majors = by_columns ? p->dense.columns : p->dense.rows;
    const int64_t minors = by_columns ? p->dense.rows : p->dense.columns;
    int64_t k = 0;
    if (offsets && !coo)
        put_index(s->offsets, s->offset_type, 0, s->base);
    for (int64_t i = 0; i < majors; i++) {
        for (int64_t j = 0; j < minors; j++) {
            const int64_t at = by_columns ? place_in(&p->dense, j, i) : place_in(&p->dense, i, j);
            const Number x = get_value(p->dense.values, p->dense.type, at);
            if (x == 0)
                continue;
            if (written) {
                if (coo)
                    put_index(s->offsets, s->index_type, k, i + s->base);
                put_index(s->indices, s->index_type, k, j + s->base);
                put_value(s->values, s->type, k, x);
            }
            k++;
        }
        if (offsets && !coo)
            put_index(s->offsets, s->offset_type, i + 1, k + s->base);
    }
    return k;
}

static void count_entries(const void *arguments)
{
    const pair *p = arguments;
    *p->count = scan(p, true, false);
}
static void to_sparse(const void *arguments) { scan(arguments, false, true); }

Status cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                        cusparseDenseToSparseAlg_t algorithm, size_t *bytes)
{
    (void)algorithm;
    const Status s = may_convert(handle, b, a);
    return s != ok ? s : no_buffer(handle, bytes);
}

Status cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                      cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    (void)algorithm, (void)buffer;
    Status s = may_convert(handle, b, a);
    if (s != ok)
        return s;
    int64_t count = 0;
    const pair p = {*b, *a, &count};
    s = sparse_run(handle, "cusparseDenseToSparse_analysis", count_entries, &p, sizeof p);
    if (s == ok && cudaStreamSynchronize(handle->stream))
        s = CUSPARSE_STATUS_EXECUTION_FAILED;
    b->nnz = count;
    return s;
}

Status cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                     cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    (void)algorithm, (void)buffer;
    const Status s = may_convert(handle, b, a);
    if (s != ok)
        return s;
    const pair p = {*b, *a, NULL};
    return sparse_run(handle, "cusparseDenseToSparse_convert", to_sparse, &p, sizeof p);
}

/* ---- the older conversions ---- */

typedef struct transposition {
    struct cusparseSpMatDescr from, to;
    bool numeric;
} transposition;

static void transpose(const void *arguments)
{
    const transposition *t = arguments;
    const int64_t n = t->from.columns;
    int64_t *next = must(calloc((size_t)n + 2, sizeof *next));
    for (walk w = walk_over(&t->from); walk_next(&w);)
        next[w.column + 1]++;
    for (int64_t i = 0; i <= n; i++) {
        next[i + 1] += i ? next[i] : 0;
        put_index(t->to.offsets, CUSPARSE_INDEX_32I, i, (i ? next[i] : 0) + t->from.base);
    }
    for (walk w = walk_over(&t->from); walk_next(&w);) {
        const int64_t at = next[w.column]++;
        put_index(t->to.indices, CUSPARSE_INDEX_32I, at, w.row + t->from.base);
        if (t->numeric)
            put_value(t->to.values, t->to.type, at, get_value(t->from.values, t->from.type, w.k));
    }
    free(next);
}

Status cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void *values,
                                     const int *row_offsets, const int *columns, void *csc_values, int *column_offsets,
                                     int *rows, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
                                     cusparseCsr2CscAlg_t algorithm, size_t *bytes)
{
    (void)m, (void)n, (void)nnz, (void)values, (void)row_offsets, (void)columns, (void)csc_values;
    (void)column_offsets, (void)rows, (void)type, (void)action, (void)base, (void)algorithm;
    return no_buffer(handle, bytes);
}

Status cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void *values, const int *row_offsets,
                          const int *columns, void *csc_values, int *column_offsets, int *rows, cudaDataType type,
                          cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm,
                          void *buffer)
{
    (void)algorithm, (void)buffer;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || nnz < 0)
        return invalid;
    if (!size_of_type(type))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    transposition t = {.from = {.format = CUSPARSE_FORMAT_CSR,
                                .rows = m,
                                .columns = n,
                                .nnz = nnz,
                                .offsets = (void *)row_offsets,
                                .indices = (void *)columns,
                                .values = (void *)values,
                                .offset_type = CUSPARSE_INDEX_32I,
                                .index_type = CUSPARSE_INDEX_32I,
                                .base = (int)base,
                                .type = type},
                       .numeric = action == CUSPARSE_ACTION_NUMERIC};
    t.to = t.from;
    t.to.offsets = column_offsets, t.to.indices = rows, t.to.values = csc_values;
    return sparse_run(handle, "cusparseCsr2cscEx2", transpose, &t, sizeof t);
}

typedef struct row_numbers {
    const int *from;
    int *to, nnz, m, base;
} row_numbers;

static void compress(const void *arguments)
{
    const row_numbers *r = arguments;
    int k = 0;
    for (int i = 0; i <= r->m; i++) {
        while (k < r->nnz && get_index(r->from, CUSPARSE_INDEX_32I, k) - r->base < i)
            k++;
        put_index(r->to, CUSPARSE_INDEX_32I, i, k + r->base);
    }
}
static void expand(const void *arguments)
{
    const row_numbers *r = arguments;
    for (int i = 0; i < r->m; i++) {
        const int64_t end = get_index(r->from, CUSPARSE_INDEX_32I, i + 1) - r->base;
        for (int64_t k = get_index(r->from, CUSPARSE_INDEX_32I, i) - r->base; k < end; k++)
            put_index(r->to, CUSPARSE_INDEX_32I, k, i + r->base);
    }
}

Status cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m, int *row_offsets,
                        cusparseIndexBase_t base)
{
    const row_numbers r = {rows, row_offsets, nnz, m, (int)base};
    return handle ? sparse_run(handle, "cusparseXcoo2csr", compress, &r, sizeof r) : CUSPARSE_STATUS_NOT_INITIALIZED;
}
Status cusparseXcsr2coo(cusparseHandle_t handle, const int *row_offsets, int nnz, int m, int *rows,
                        cusparseIndexBase_t base)
{
    const row_numbers r = {row_offsets, rows, nnz, m, (int)base};
    return handle ? sparse_run(handle, "cusparseXcsr2coo", expand, &r, sizeof r) : CUSPARSE_STATUS_NOT_INITIALIZED;
}

/* ---- sparse vectors ---- */

typedef struct vectors {
    struct cusparseSpVecDescr x;
    struct cusparseDnVecDescr y;
    factor alpha, beta;
} vectors;

static void scatter(const void *arguments)
{
    const vectors *v = arguments;
    for (int64_t k = 0; k < v->x.nnz; k++)
        put_value(v->y.values, v->y.type, get_index(v->x.indices, v->x.index_type, k) - v->x.base,
                  get_value(v->x.values, v->x.type, k));
}
static void gather(const void *arguments)
{
    const vectors *v = arguments;
    for (int64_t k = 0; k < v->x.nnz; k++)
        put_value(v->x.values, v->x.type, k,
                  get_value(v->y.values, v->y.type, get_index(v->x.indices, v->x.index_type, k) - v->x.base));
}
static void axpby(const void *arguments)
{
    const vectors *v = arguments;
    const Number alpha = factor_now(v->alpha), beta = factor_now(v->beta);
    for (int64_t i = 0; i < v->y.size; i++)
        put_value(v->y.values, v->y.type, i, beta == 0 ? 0 : beta * get_value(v->y.values, v->y.type, i));
    for (int64_t k = 0; k < v->x.nnz; k++) {
        const int64_t i = get_index(v->x.indices, v->x.index_type, k) - v->x.base;
        put_value(v->y.values, v->y.type, i,
                  alpha * get_value(v->x.values, v->x.type, k) + get_value(v->y.values, v->y.type, i));
    }
}

static Status with_vectors(cusparseHandle_t handle, const char *name, void (*body)(const void *),
                           cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, const void *alpha,
                           const void *beta)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!x || !y || x->size != y->size || x->type != y->type)
        return invalid;
    if (!size_of_type(x->type))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    vectors v = {.x = *x, .y = *y};
    if (alpha && beta)
        v.alpha = factor_of(handle, alpha, x->type), v.beta = factor_of(handle, beta, x->type);
    return sparse_run(handle, name, body, &v, sizeof v);
}

Status cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    return with_vectors(handle, "cusparseScatter", scatter, x, y, NULL, NULL);
}
Status cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x)
{
    return with_vectors(handle, "cusparseGather", gather, x, y, NULL, NULL);
}
Status cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x, const void *beta,
                     cusparseDnVecDescr_t y)
{
    return alpha && beta ? with_vectors(handle, "cusparseAxpby", axpby, x, y, alpha, beta) : invalid;
}
