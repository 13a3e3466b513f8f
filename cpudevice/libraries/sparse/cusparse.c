/* cusparse.c: cuSPARSE's handles and descriptors. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "sparse/sparse.h"

static const cusparseStatus_t ok = CUSPARSE_STATUS_SUCCESS, invalid = CUSPARSE_STATUS_INVALID_VALUE;

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    if (!handle)
        return invalid;
    *handle = calloc(1, sizeof **handle);
    return *handle ? ok : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) { return free(handle), ok; }

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return ok;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream)
{
    if (!handle || !stream)
        return handle ? invalid : CUSPARSE_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return ok;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    handle->mode = mode;
    return ok;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
{
    if (!handle || !mode)
        return handle ? invalid : CUSPARSE_STATUS_NOT_INITIALIZED;
    *mode = handle->mode;
    return ok;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    if (!handle || !version)
        return handle ? invalid : CUSPARSE_STATUS_NOT_INITIALIZED;
    *version = CUSPARSE_VERSION;
    return ok;
}

static const struct {
    const char *name, *text;
} statuses[] = {{"CUSPARSE_STATUS_SUCCESS", "success"},
                {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
                {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
                {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
                {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
                {"CUSPARSE_STATUS_MAPPING_ERROR", "mapping error"},
                {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
                {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
                {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
                {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
                {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
                {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"}};
const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return (size_t)status < sizeof statuses / sizeof *statuses ? statuses[status].name : "unknown error";
}
const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return (size_t)status < sizeof statuses / sizeof *statuses ? statuses[status].text : "unknown error";
}

/* ---- vectors and dense matrices ---- */

#define MADE(place, type, ...)                                                                                         \
    do {                                                                                                               \
        struct type *made = malloc(sizeof *made);                                                                      \
        if (!made)                                                                                                     \
            return CUSPARSE_STATUS_ALLOC_FAILED;                                                                       \
        *made = (struct type){__VA_ARGS__};                                                                            \
        *(place) = made;                                                                                               \
        return ok;                                                                                                     \
    } while (0)

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *v, int64_t size, void *values, cudaDataType type)
{
    if (!v || size < 0 || (!values && size))
        return invalid;
    MADE(v, cusparseDnVecDescr, size, values, type);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t v) { return free((void *)v), ok; }
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t v, int64_t *size, void **values, cudaDataType *type)
{
    return v ? *size = v->size, *values = v->values, *type = v->type, ok : invalid;
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t v, void **values)
{
    return v && values ? *values = v->values, ok : invalid;
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t v, void *values)
{
    return v ? v->values = values, ok : invalid;
}

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *v, int64_t size, int64_t nnz, void *indices, void *values,
                                     cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    if (!v || size < 0 || nnz < 0 || nnz > size || (nnz && (!indices || !values)))
        return invalid;
    MADE(v, cusparseSpVecDescr, size, nnz, indices, values, index_type, (int)base, type);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t v) { return free((void *)v), ok; }

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *m, int64_t rows, int64_t columns, int64_t ld, void *values,
                                     cudaDataType type, cusparseOrder_t order)
{
    if (!m || rows < 0 || columns < 0 || ld < (order == CUSPARSE_ORDER_ROW ? columns : rows) ||
        (!values && rows && columns))
        return invalid;
    MADE(m, cusparseDnMatDescr, rows, columns, ld, values, type, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t m) { return free((void *)m), ok; }
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t m, void **values)
{
    return m && values ? *values = m->values, ok : invalid;
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t m, void *values)
{
    return m ? m->values = values, ok : invalid;
}

/* ---- sparse matrices ---- */

static cusparseStatus_t make(cusparseSpMatDescr_t *m, cusparseFormat_t format, int64_t rows, int64_t columns,
                             int64_t nnz, void *offsets, void *indices, void *values, cusparseIndexType_t offset_type,
                             cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    if (!m || rows < 0 || columns < 0 || nnz < 0)
        return invalid;
    if (offset_type == CUSPARSE_INDEX_16U || index_type == CUSPARSE_INDEX_16U)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    MADE(m, cusparseSpMatDescr, format, rows, columns, nnz, offsets, indices, values, offset_type, index_type,
         (int)base, type, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT);
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *m, int64_t rows, int64_t columns, int64_t nnz,
                                   void *row_offsets, void *columns_of, void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    return make(m, CUSPARSE_FORMAT_CSR, rows, columns, nnz, row_offsets, columns_of, values, offset_type, index_type,
                base, type);
}
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *m, int64_t rows, int64_t columns, int64_t nnz,
                                        const void *row_offsets, const void *columns_of, const void *values,
                                        cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                        cusparseIndexBase_t base, cudaDataType type)
{
    return make((cusparseSpMatDescr_t *)m, CUSPARSE_FORMAT_CSR, rows, columns, nnz, (void *)row_offsets,
                (void *)columns_of, (void *)values, offset_type, index_type, base, type);
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *m, int64_t rows, int64_t columns, int64_t nnz,
                                   void *column_offsets, void *rows_of, void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    return make(m, CUSPARSE_FORMAT_CSC, rows, columns, nnz, column_offsets, rows_of, values, offset_type, index_type,
                base, type);
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *m, int64_t rows, int64_t columns, int64_t nnz, void *rows_of,
                                   void *columns_of, void *values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type)
{
    return make(m, CUSPARSE_FORMAT_COO, rows, columns, nnz, rows_of, columns_of, values, index_type, index_type, base,
                type);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t m) { return free((void *)m), ok; }

static cusparseStatus_t set_pointers(cusparseSpMatDescr_t m, cusparseFormat_t format, void *offsets, void *indices,
                                     void *values)
{
    if (!m || m->format != format)
        return invalid;
    m->offsets = offsets, m->indices = indices, m->values = values;
    return ok;
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t m, void *row_offsets, void *columns_of, void *values)
{
    return set_pointers(m, CUSPARSE_FORMAT_CSR, row_offsets, columns_of, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t m, void *column_offsets, void *rows_of, void *values)
{
    return set_pointers(m, CUSPARSE_FORMAT_CSC, column_offsets, rows_of, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t m, void *rows_of, void *columns_of, void *values)
{
    return set_pointers(m, CUSPARSE_FORMAT_COO, rows_of, columns_of, values);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *columns, int64_t *nnz)
{
    return m ? *rows = m->rows, *columns = m->columns, *nnz = m->nnz, ok : invalid;
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t m, void **values)
{
    return m && values ? *values = m->values, ok : invalid;
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t m, void *values)
{
    return m ? m->values = values, ok : invalid;
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t m, cusparseFormat_t *format)
{
    return m && format ? *format = m->format, ok : invalid;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t m, cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes)
{
    if (!m || !data || bytes != sizeof(int))
        return invalid;
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        m->fill = *(const cusparseFillMode_t *)data;
    else
        m->diag = *(const cusparseDiagType_t *)data;
    return ok;
}
