/* cusparse_products.c: products with sparse matrices: SpMV, SpMM, SDDMM, SpGEMM. Sums are kept in double. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "sparse/sparse.h"
#include "cpudev_must.h"

typedef cusparseStatus_t Status;

/* Of a call: is there a handle, and are the types there? */
static Status may_run(cusparseHandle_t handle, const void *alpha, const void *beta, cudaDataType compute,
                      cudaDataType a, cudaDataType b, cudaDataType c)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !beta)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return size_of_type(compute) && size_of_type(a) && size_of_type(b) && size_of_type(c)
               ? CUSPARSE_STATUS_SUCCESS
               : CUSPARSE_STATUS_NOT_SUPPORTED;
}

static Number conjugate_if(bool conjugate, Number x) { return conjugate ? conj(x) : x; }

/* ---- sparse matrix and dense matrix; a vector is a matrix of one column ---- */

typedef struct product {
    struct cusparseSpMatDescr a;
    struct cusparseDnMatDescr b, c;
    cusparseOperation_t op_a, op_b;
    factor alpha, beta;
} product;

/* The usual case at full speed: y = alpha A x + beta y in CSR with indices of 32 bits. */
#define FAST(NAME, T)                                                                                                  \
    static void NAME(const product *p, double alpha, double beta)                                                      \
    {                                                                                                                  \
        const int *offsets = p->a.offsets, *indices = p->a.indices;                                                    \
        const T *values = p->a.values, *x = p->b.values;                                                               \
        T *y = p->c.values;                                                                                            \
        for (int64_t i = 0; i < p->a.rows; i++) {                                                                      \
            double sum = 0;                                                                                            \
            for (int64_t k = offsets[i] - p->a.base; k < offsets[i + 1] - p->a.base; k++)                              \
                sum += (double)values[k] * (double)x[indices[k] - p->a.base];                                          \
            y[i] = (T)(alpha * sum + (beta == 0 ? 0 : beta * (double)y[i]));                                           \
        }                                                                                                              \
    }
FAST(fast_float, float)
FAST(fast_double, double)

static bool is_fast(const product *p)
{
    return !library_checked() && p->c.columns == 1 && p->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE &&
           p->op_b == CUSPARSE_OPERATION_NON_TRANSPOSE && p->a.format == CUSPARSE_FORMAT_CSR &&
           p->a.offset_type == CUSPARSE_INDEX_32I && p->a.index_type == CUSPARSE_INDEX_32I && p->a.type == p->b.type &&
           p->a.type == p->c.type && (p->a.type == CUDA_R_32F || p->a.type == CUDA_R_64F) &&
           p->b.order == CUSPARSE_ORDER_COL && p->c.order == CUSPARSE_ORDER_COL;
}

static void multiply(const void *arguments)
{
    const product *p = arguments;
    const Number alpha = factor_now(p->alpha), beta = factor_now(p->beta);
    if (is_fast(p)) {
        (p->a.type == CUDA_R_32F ? fast_float : fast_double)(p, creal(alpha), creal(beta));
        return;
    }
    const bool turned = p->op_a != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool turned_b = p->op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    Number *sums = must(calloc((size_t)(p->c.rows * p->c.columns) + 1, sizeof *sums));
    for (walk w = walk_over(&p->a); walk_next(&w);) {
        const Number x =
            conjugate_if(p->op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, get_value(p->a.values, p->a.type, w.k));
        const int64_t row = turned ? w.column : w.row, inner = turned ? w.row : w.column;
        for (int64_t j = 0; j < p->c.columns; j++) {
            const Number y =
                get_value(p->b.values, p->b.type, turned_b ? place_in(&p->b, j, inner) : place_in(&p->b, inner, j));
            sums[row * p->c.columns + j] += x * conjugate_if(p->op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, y);
        }
    }
    for (int64_t i = 0; i < p->c.rows; i++)
        for (int64_t j = 0; j < p->c.columns; j++) {
            const int64_t at = place_in(&p->c, i, j);
            const Number old = beta == 0 ? 0 : beta * get_value(p->c.values, p->c.type, at);
            put_value(p->c.values, p->c.type, at, alpha * sums[i * p->c.columns + j] + old);
        }
    free(sums);
}

static Status start(cusparseHandle_t handle, const char *name, const product *p)
{
    const bool turned = p->op_a != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool turned_b = p->op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int64_t rows = turned ? p->a.columns : p->a.rows, inner = turned ? p->a.rows : p->a.columns;
    if (p->c.rows != rows || (turned_b ? p->b.columns : p->b.rows) != inner ||
        (turned_b ? p->b.rows : p->b.columns) != p->c.columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return sparse_run(handle, name, multiply, p, sizeof *p);
}

static struct cusparseDnMatDescr column_of(const struct cusparseDnVecDescr *v)
{
    return (struct cusparseDnMatDescr){v->size, 1, v->size, v->values, v->type, CUSPARSE_ORDER_COL};
}

Status cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op_a, const void *alpha, cusparseConstSpMatDescr_t a,
                    cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                    cusparseSpMVAlg_t algorithm, void *buffer)
{
    (void)algorithm, (void)buffer;
    if (!a || !x || !y)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const Status s = may_run(handle, alpha, beta, compute, a->type, x->type, y->type);
    if (s != CUSPARSE_STATUS_SUCCESS)
        return s;
    const product p = {.a = *a,
                       .b = column_of(x),
                       .c = column_of(y),
                       .op_a = op_a,
                       .alpha = factor_of(handle, alpha, compute),
                       .beta = factor_of(handle, beta, compute)};
    return start(handle, "cusparseSpMV", &p);
}

Status cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                    cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
                    cudaDataType compute, cusparseSpMMAlg_t algorithm, void *buffer)
{
    (void)algorithm, (void)buffer;
    if (!a || !b || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const Status s = may_run(handle, alpha, beta, compute, a->type, b->type, c->type);
    if (s != CUSPARSE_STATUS_SUCCESS)
        return s;
    const product p = {.a = *a,
                       .b = *b,
                       .c = *c,
                       .op_a = op_a,
                       .op_b = op_b,
                       .alpha = factor_of(handle, alpha, compute),
                       .beta = factor_of(handle, beta, compute)};
    return start(handle, "cusparseSpMM", &p);
}

/* ---- dense times dense, where a sparse matrix has entries ---- */

typedef struct sampled {
    struct cusparseDnMatDescr a, b;
    struct cusparseSpMatDescr c;
    cusparseOperation_t op_a, op_b;
    factor alpha, beta;
} sampled;

static Number dense_at(const struct cusparseDnMatDescr *m, cusparseOperation_t op, int64_t row, int64_t column)
{
    const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const Number x = get_value(m->values, m->type, turned ? place_in(m, column, row) : place_in(m, row, column));
    return conjugate_if(op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, x);
}

static void sample(const void *arguments)
{
    const sampled *p = arguments;
    const Number alpha = factor_now(p->alpha), beta = factor_now(p->beta);
    const int64_t inner = p->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE ? p->a.columns : p->a.rows;
    for (walk w = walk_over(&p->c); walk_next(&w);) {
        Number sum = 0;
        for (int64_t k = 0; k < inner; k++)
            sum += dense_at(&p->a, p->op_a, w.row, k) * dense_at(&p->b, p->op_b, k, w.column);
        const Number old = beta == 0 ? 0 : beta * get_value(p->c.values, p->c.type, w.k);
        put_value(p->c.values, p->c.type, w.k, alpha * sum + old);
    }
}

Status cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                     cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                     cudaDataType compute, cusparseSDDMMAlg_t algorithm, void *buffer)
{
    (void)algorithm, (void)buffer;
    if (!a || !b || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const Status s = may_run(handle, alpha, beta, compute, a->type, b->type, c->type);
    if (s != CUSPARSE_STATUS_SUCCESS)
        return s;
    const bool turned = op_a != CUSPARSE_OPERATION_NON_TRANSPOSE, turned_b = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    if ((turned ? a->columns : a->rows) != c->rows || (turned_b ? b->rows : b->columns) != c->columns ||
        (turned ? a->rows : a->columns) != (turned_b ? b->columns : b->rows))
        return CUSPARSE_STATUS_INVALID_VALUE;
    const sampled p = {*a, *b, *c, op_a, op_b, factor_of(handle, alpha, compute), factor_of(handle, beta, compute)};
    return sparse_run(handle, "cusparseSDDMM", sample, &p, sizeof p);
}

/* ---- sparse times sparse ---- */

struct cusparseSpGEMMDescr { /* the product, until it is copied into C */
    int64_t rows, *offsets, *columns, room;
    Number *values;
    bool failed;
};

Status cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *d)
{
    if (!d)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *d = calloc(1, sizeof **d);
    return *d ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
static void forget(cusparseSpGEMMDescr_t d)
{
    free(d->offsets), free(d->columns), free(d->values);
    *d = (struct cusparseSpGEMMDescr){0};
}
Status cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t d)
{
    if (d)
        forget(d);
    free(d);
    return CUSPARSE_STATUS_SUCCESS;
}

typedef struct sparse_product {
    struct cusparseSpMatDescr a, b, c;
    factor alpha, beta;
    cusparseSpGEMMDescr_t d;
} sparse_product;

static int by_column(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static bool room_for(cusparseSpGEMMDescr_t d, int64_t entries)
{
    if (entries <= d->room)
        return true;
    const int64_t room = entries * 2 + 64;
    int64_t *columns = realloc(d->columns, (size_t)room * sizeof *columns);
    if (columns)
        d->columns = columns;
    Number *values = columns ? realloc(d->values, (size_t)room * sizeof *values) : NULL;
    if (!values)
        return false;
    d->values = values;
    d->room = room;
    return true;
}

/* Gustavson's algorithm: a row of the product is a sum of rows of B, collected in a dense row. */
static void collect(const void *arguments)
{
    const sparse_product *p = arguments;
    cusparseSpGEMMDescr_t d = p->d;
    const Number alpha = factor_now(p->alpha);
    const int64_t n = p->b.columns;
    Number *row = malloc(((size_t)n + 1) * sizeof *row);
    int64_t *last = calloc((size_t)n + 1, sizeof *last); /* 1 + the row that was last here */
    d->rows = p->a.rows;
    d->offsets = calloc((size_t)d->rows + 1, sizeof *d->offsets);
    d->failed = !row || !last || !d->offsets;
    for (int64_t i = 0; i < d->rows && !d->failed; i++) {
        int64_t count = d->offsets[i];
        const int64_t end = get_index(p->a.offsets, p->a.offset_type, i + 1) - p->a.base;
        for (int64_t k = get_index(p->a.offsets, p->a.offset_type, i) - p->a.base; k < end && !d->failed; k++) {
            const Number x = alpha * get_value(p->a.values, p->a.type, k);
            const int64_t j = get_index(p->a.indices, p->a.index_type, k) - p->a.base;
            const int64_t end_b = get_index(p->b.offsets, p->b.offset_type, j + 1) - p->b.base;
            for (int64_t q = get_index(p->b.offsets, p->b.offset_type, j) - p->b.base; q < end_b; q++) {
                const int64_t column = get_index(p->b.indices, p->b.index_type, q) - p->b.base;
                if (last[column] != i + 1) {
                    if ((d->failed = !room_for(d, count + 1)))
                        break;
                    last[column] = i + 1;
                    row[column] = 0;
                    d->columns[count++] = column;
                }
                row[column] += x * get_value(p->b.values, p->b.type, q);
            }
        }
        if (d->failed)
            break;
        qsort(d->columns + d->offsets[i], (size_t)(count - d->offsets[i]), sizeof *d->columns, by_column);
        for (int64_t k = d->offsets[i]; k < count; k++)
            d->values[k] = row[d->columns[k]];
        d->offsets[i + 1] = count;
    }
    free(row), free(last);
}

static void copy_product(const void *arguments)
{
    const sparse_product *p = arguments;
    const Number beta = factor_now(p->beta);
    for (int64_t i = 0; i <= p->d->rows; i++)
        put_index(p->c.offsets, p->c.offset_type, i, p->d->offsets[i] + p->c.base);
    for (int64_t k = 0; k < p->d->offsets[p->d->rows]; k++) {
        const Number old = beta == 0 ? 0 : beta * get_value(p->c.values, p->c.type, k);
        put_index(p->c.indices, p->c.index_type, k, p->d->columns[k] + p->c.base);
        put_value(p->c.values, p->c.type, k, p->d->values[k] + old);
    }
}

static Status may_multiply(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                           const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                           const void *beta, cusparseConstSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMDescr_t d)
{
    if (!a || !b || !c || !d || a->columns != b->rows || c->rows != a->rows || c->columns != b->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (a->format != CUSPARSE_FORMAT_CSR || b->format != CUSPARSE_FORMAT_CSR || c->format != CUSPARSE_FORMAT_CSR ||
        op_a != CUSPARSE_OPERATION_NON_TRANSPOSE || op_b != CUSPARSE_OPERATION_NON_TRANSPOSE)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return may_run(handle, alpha, beta, compute, a->type, b->type, c->type);
}

Status cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                     const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                     cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d, size_t *bytes,
                                     void *buffer)
{
    (void)algorithm, (void)buffer;
    const Status s = may_multiply(handle, op_a, op_b, alpha, a, b, beta, c, compute, d);
    return s != CUSPARSE_STATUS_SUCCESS ? s : no_buffer(handle, bytes);
}

Status cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                              const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                              cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d, size_t *bytes, void *buffer)
{
    (void)algorithm;
    Status s = may_multiply(handle, op_a, op_b, alpha, a, b, beta, c, compute, d);
    if (s != CUSPARSE_STATUS_SUCCESS)
        return s;
    if (!buffer)
        return no_buffer(handle, bytes);
    forget(d);
    const sparse_product p = {*a, *b, *c, factor_of(handle, alpha, compute), factor_of(handle, beta, compute), d};
    s = sparse_run(handle, "cusparseSpGEMM_compute", collect, &p, sizeof p);
    if (s == CUSPARSE_STATUS_SUCCESS && cudaStreamSynchronize(handle->stream))
        s = CUSPARSE_STATUS_EXECUTION_FAILED;
    if (s == CUSPARSE_STATUS_SUCCESS && d->failed)
        s = CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
    if (s == CUSPARSE_STATUS_SUCCESS)
        c->nnz = d->offsets[d->rows];
    return s;
}

Status cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                           const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                           const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                           cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t d)
{
    (void)algorithm;
    const Status s = may_multiply(handle, op_a, op_b, alpha, a, b, beta, c, compute, d);
    if (s != CUSPARSE_STATUS_SUCCESS)
        return s;
    if (!d->offsets)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const sparse_product p = {*a, *b, *c, factor_of(handle, alpha, compute), factor_of(handle, beta, compute), d};
    return sparse_run(handle, "cusparseSpGEMM_copy", copy_product, &p, sizeof p);
}

/* ---- buffers, which no product wants ---- */

Status cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, const void *alpha,
                               cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, size_t *bytes)
{
    (void)op_a, (void)alpha, (void)a, (void)x, (void)beta, (void)y, (void)compute, (void)algorithm;
    return no_buffer(handle, bytes);
}
Status cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, const void *alpha,
                               cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, void *buffer)
{
    size_t none;
    return (void)buffer, cusparseSpMV_bufferSize(handle, op_a, alpha, a, x, beta, y, compute, algorithm, &none);
}

#define NO_BUFFER(NAME, A, B, C)                                                                                       \
    Status cusparse##NAME##_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,    \
                                       const void *alpha, A a, B b, const void *beta, C c, cudaDataType compute,       \
                                       cusparse##NAME##Alg_t algorithm, size_t *bytes)                                 \
    {                                                                                                                  \
        (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c, (void)compute, (void)algorithm;    \
        return no_buffer(handle, bytes);                                                                               \
    }                                                                                                                  \
    Status cusparse##NAME##_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,    \
                                       const void *alpha, A a, B b, const void *beta, C c, cudaDataType compute,       \
                                       cusparse##NAME##Alg_t algorithm, void *buffer)                                  \
    {                                                                                                                  \
        size_t none;                                                                                                   \
        (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c, (void)compute, (void)algorithm;    \
        return (void)buffer, no_buffer(handle, &none);                                                                 \
    }
NO_BUFFER(SpMM, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, cusparseDnMatDescr_t)
NO_BUFFER(SDDMM, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t, cusparseSpMatDescr_t)
