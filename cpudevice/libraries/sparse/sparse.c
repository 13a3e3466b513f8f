/* sparse.c: cuSPARSE's vectors and matrices, and the walk over a sparse matrix's entries. */
#define _GNU_SOURCE
#include "sparse/sparse.h"

size_t size_of_type(cudaDataType type)
{
    return type == CUDA_R_32F ? 4 : type == CUDA_R_64F || type == CUDA_C_32F ? 8 : type == CUDA_C_64F ? 16 : 0;
}

static void told_read(const void *p, size_t bytes)
{
    if (library_checked())
        library_reads(p, bytes);
}
static void told_write(void *p, size_t bytes)
{
    if (library_checked())
        library_writes(p, bytes);
}

Number get_value(const void *values, cudaDataType type, int64_t i)
{
    const size_t size = size_of_type(type);
    told_read((const char *)values + (size_t)i * size, size);
    switch (type) {
    case CUDA_R_32F: return ((const float *)values)[i];
    case CUDA_R_64F: return ((const double *)values)[i];
    case CUDA_C_32F: return ((const float _Complex *)values)[i];
    default: return ((const double _Complex *)values)[i];
    }
}

void put_value(void *values, cudaDataType type, int64_t i, Number x)
{
    const size_t size = size_of_type(type);
    switch (type) {
    case CUDA_R_32F: ((float *)values)[i] = (float)creal(x); break;
    case CUDA_R_64F: ((double *)values)[i] = creal(x); break;
    case CUDA_C_32F: ((float _Complex *)values)[i] = (float _Complex)x; break;
    default: ((double _Complex *)values)[i] = x;
    }
    told_write((char *)values + (size_t)i * size, size);
}

int64_t get_index(const void *indices, cusparseIndexType_t type, int64_t i)
{
    if (type == CUSPARSE_INDEX_64I) {
        told_read((const int64_t *)indices + i, 8);
        return ((const int64_t *)indices)[i];
    }
    told_read((const int *)indices + i, 4);
    return ((const int *)indices)[i];
}

void put_index(void *indices, cusparseIndexType_t type, int64_t i, int64_t value)
{
    if (type == CUSPARSE_INDEX_64I) {
        ((int64_t *)indices)[i] = value;
        told_write((int64_t *)indices + i, 8);
    } else {
        ((int *)indices)[i] = (int)value;
        told_write((int *)indices + i, 4);
    }
}

int64_t place_in(const struct cusparseDnMatDescr *m, int64_t row, int64_t column)
{
    return m->order == CUSPARSE_ORDER_ROW ? row * m->ld + column : column * m->ld + row;
}

factor factor_of(cusparseHandle_t handle, const void *p, cudaDataType type)
{
    factor f = {.type = type};
    if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE)
        f.device = p;
    else
        switch (type) { /* in host memory, of which the checker is not told */
        case CUDA_R_32F: f.value = *(const float *)p; break;
        case CUDA_R_64F: f.value = *(const double *)p; break;
        case CUDA_C_32F: f.value = *(const float _Complex *)p; break;
        default: f.value = *(const double _Complex *)p;
        }
    return f;
}

Number factor_now(factor f) { return f.device ? get_value(f.device, f.type, 0) : f.value; }

walk walk_over(const struct cusparseSpMatDescr *m) { return (walk){.m = m, .k = -1, .major = -1, .end = 0}; }

bool walk_next(walk *w)
{
    const struct cusparseSpMatDescr *m = w->m;
    w->k++;
    if (m->format == CUSPARSE_FORMAT_COO) {
        if (w->k >= m->nnz)
            return false;
        w->row = get_index(m->offsets, m->index_type, w->k) - m->base;
        w->column = get_index(m->indices, m->index_type, w->k) - m->base;
        return true;
    }
    const int64_t majors = m->format == CUSPARSE_FORMAT_CSR ? m->rows : m->columns;
    while (w->k >= w->end) {
        if (++w->major >= majors)
            return false;
        w->k = get_index(m->offsets, m->offset_type, w->major) - m->base;
        w->end = get_index(m->offsets, m->offset_type, w->major + 1) - m->base;
    }
    const int64_t minor = get_index(m->indices, m->index_type, w->k) - m->base;
    w->row = m->format == CUSPARSE_FORMAT_CSR ? w->major : minor;
    w->column = m->format == CUSPARSE_FORMAT_CSR ? minor : w->major;
    return true;
}

cusparseStatus_t sparse_run(cusparseHandle_t handle, const char *name, void (*body)(const void *),
                            const void *arguments, size_t bytes)
{
    return library_launch(handle->stream, name, body, arguments, bytes) ? CUSPARSE_STATUS_EXECUTION_FAILED
                                                                        : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t no_buffer(cusparseHandle_t handle, size_t *bytes)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!bytes)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *bytes = 8; /* not 0: some programs take a failed cudaMalloc of nothing for an error */
    return CUSPARSE_STATUS_SUCCESS;
}
