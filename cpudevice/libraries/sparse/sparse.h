/* sparse.h: cuSPARSE's vectors and matrices, and the walk over a sparse matrix's entries. */
#ifndef SPARSE_H
#define SPARSE_H

#include <complex.h>
#include <stdbool.h>

#include "cusparse.h"
#include "library.h"

struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t mode;
};
struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};
struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index_type;
    int base;
    cudaDataType type;
};
struct cusparseDnMatDescr {
    int64_t rows, columns, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
};
/* Entries in order of `offsets` (CSR: rows, CSC: columns), or each with both indices (COO: rows in `offsets`). */
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, columns, nnz;
    void *offsets, *indices, *values;
    cusparseIndexType_t offset_type, index_type;
    int base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
};

typedef double _Complex Number; /* what is computed with */

size_t size_of_type(cudaDataType type); /* 0: values of this type are not there */

/* For bodies: one value, one index; reported to the checker. */
Number get_value(const void *values, cudaDataType type, int64_t i);
void put_value(void *values, cudaDataType type, int64_t i, Number x);
int64_t get_index(const void *indices, cusparseIndexType_t type, int64_t i);
void put_index(void *indices, cusparseIndexType_t type, int64_t i, int64_t value);
int64_t place_in(const struct cusparseDnMatDescr *m, int64_t row, int64_t column); /* of a dense matrix */

/* A factor, which lies in host or device memory. */
typedef struct factor {
    Number value;
    const void *device; /* NULL: it is `value` */
    cudaDataType type;
} factor;
factor factor_of(cusparseHandle_t handle, const void *p, cudaDataType type);
Number factor_now(factor f);

/* Over all entries: for (walk w = walk_over(m); walk_next(&w);) ... */
typedef struct walk {
    const struct cusparseSpMatDescr *m;
    int64_t k, major, end; /* the entry; in CSR its row, in CSC its column; where that ends */
    int64_t row, column;   /* of the entry, from 0 */
} walk;
walk walk_over(const struct cusparseSpMatDescr *m);
bool walk_next(walk *w);

cusparseStatus_t sparse_run(cusparseHandle_t handle, const char *name, void (*body)(const void *),
                            const void *arguments, size_t bytes);
cusparseStatus_t no_buffer(cusparseHandle_t handle, size_t *bytes); /* for every ..._bufferSize */

#endif
