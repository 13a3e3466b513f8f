/*
 * cublasLt.h: cuBLASLt for the CPU device: descriptions of products and of matrices, each with its attributes (here), and
 * cublasLtMatmul() with its heuristic, which always has one algorithm (cublas_lt_matmul.h). C and host C++ have the
 * declarations only, as of cublas_v2.h. What a description asks for that is not there is refused with CUBLAS_STATUS_NOT_SUPPORTED and
 * a line on stderr that names it.
 *
 * Attributes are set and read by size: setting wants the attribute's own size, reading a buffer of at least as much.
 */
#ifndef CUBLASLT_H_
#define CUBLASLT_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cublas_v2.h"

typedef enum {
    CUBLASLT_ORDER_COL = 0,
    CUBLASLT_ORDER_ROW = 1,
    CUBLASLT_ORDER_COL32 = 2,
    CUBLASLT_ORDER_COL4_4R2_8C = 3,
    CUBLASLT_ORDER_COL32_2R_4R4 = 4
} cublasLtOrder_t;
typedef enum { CUBLASLT_BATCH_MODE_STRIDED = 0, CUBLASLT_BATCH_MODE_POINTER_ARRAY = 1 } cublasLtBatchMode_t;
typedef enum {
    CUBLASLT_POINTER_MODE_HOST = 0,
    CUBLASLT_POINTER_MODE_DEVICE = 1,
    CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} cublasLtPointerMode_t;
typedef enum {
    CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F = 0,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 = 1,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 = 2,
    CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F = 3,
    CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F = 4,
    CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F = 5
} cublasLtMatmulMatrixScale_t;
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_RELU_AUX = 130,
    CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
    CUBLASLT_EPILOGUE_DRELU = 136,
    CUBLASLT_EPILOGUE_DRELU_BGRAD = 152,
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
    CUBLASLT_EPILOGUE_BGRADA = 256,
    CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum { CUBLASLT_SEARCH_BEST_FIT = 0, CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID = 1 } cublasLtMatmulSearch_t;
typedef enum {
    CUBLASLT_REDUCTION_SCHEME_NONE = 0,
    CUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
    CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
    CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
    CUBLASLT_REDUCTION_SCHEME_MASK = 7
} cublasLtReductionScheme_t;

/* Descriptions, of NVIDIA's sizes, so that they may also lie in the program's own memory (the Init functions). */
typedef struct {
    cudaDataType_t type;
    int32_t order;
    uint64_t rows, columns;
    int64_t ld;
    int32_t batches, batch_mode;
    int64_t stride, plane;
    uint64_t unused;
} cublasLtMatrixLayoutOpaque_t;
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;

typedef struct {
    int32_t compute, scale, pointer_mode, op_a, op_b, op_c, fill, epilogue;
    void *bias, *aux;
    int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
    int32_t multiprocessors, aux_type, bias_type;
    int8_t fast_sums;
    int32_t mode_a, mode_b, mode_c, mode_d, mode_aux, mode_d_out;
    void *scale_a, *scale_b, *scale_c, *scale_d, *amax_d, *scale_aux, *amax_aux, *scale_d_out;
    uint64_t unused[9];
} cublasLtMatmulDescOpaque_t;
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;

typedef struct {
    uint64_t workspace, implementations;
    uint32_t search, reductions, align_a, align_b, align_c, align_d;
    float waves;
    uint32_t unused[5];
} cublasLtMatmulPreferenceOpaque_t;
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;

#ifdef __cplusplus
static_assert(sizeof(cublasLtMatrixLayoutOpaque_t) == 64 && sizeof(cublasLtMatmulDescOpaque_t) == 256 &&
                  sizeof(cublasLtMatmulPreferenceOpaque_t) == 64,
              "the sizes of cuBLASLt's descriptions");
#endif

/* Each attribute: its number, and its place in its description. */
#define CPUDEV_LT_LAYOUT(X)                                                                                            \
    X(MATRIX_LAYOUT_TYPE, 0, type)                                                                                     \
    X(MATRIX_LAYOUT_ORDER, 1, order)                                                                                   \
    X(MATRIX_LAYOUT_ROWS, 2, rows)                                                                                     \
    X(MATRIX_LAYOUT_COLS, 3, columns)                                                                                  \
    X(MATRIX_LAYOUT_LD, 4, ld)                                                                                         \
    X(MATRIX_LAYOUT_BATCH_COUNT, 5, batches)                                                                           \
    X(MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, 6, stride)                                                                   \
    X(MATRIX_LAYOUT_PLANE_OFFSET, 7, plane)                                                                            \
    X(MATRIX_LAYOUT_BATCH_MODE, 8, batch_mode)
#define CPUDEV_LT_MATMUL(X)                                                                                            \
    X(MATMUL_DESC_COMPUTE_TYPE, 0, compute)                                                                            \
    X(MATMUL_DESC_SCALE_TYPE, 1, scale)                                                                                \
    X(MATMUL_DESC_POINTER_MODE, 2, pointer_mode)                                                                       \
    X(MATMUL_DESC_TRANSA, 3, op_a)                                                                                     \
    X(MATMUL_DESC_TRANSB, 4, op_b)                                                                                     \
    X(MATMUL_DESC_TRANSC, 5, op_c)                                                                                     \
    X(MATMUL_DESC_FILL_MODE, 6, fill)                                                                                  \
    X(MATMUL_DESC_EPILOGUE, 7, epilogue)                                                                               \
    X(MATMUL_DESC_BIAS_POINTER, 8, bias)                                                                               \
    X(MATMUL_DESC_BIAS_BATCH_STRIDE, 10, bias_stride)                                                                  \
    X(MATMUL_DESC_EPILOGUE_AUX_POINTER, 11, aux)                                                                       \
    X(MATMUL_DESC_EPILOGUE_AUX_LD, 12, aux_ld)                                                                         \
    X(MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, 13, aux_stride)                                                           \
    X(MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, 14, alpha_stride)                                                         \
    X(MATMUL_DESC_SM_COUNT_TARGET, 15, multiprocessors)                                                                \
    X(MATMUL_DESC_A_SCALE_POINTER, 17, scale_a)                                                                        \
    X(MATMUL_DESC_B_SCALE_POINTER, 18, scale_b)                                                                        \
    X(MATMUL_DESC_C_SCALE_POINTER, 19, scale_c)                                                                        \
    X(MATMUL_DESC_D_SCALE_POINTER, 20, scale_d)                                                                        \
    X(MATMUL_DESC_AMAX_D_POINTER, 21, amax_d)                                                                          \
    X(MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, 22, aux_type)                                                                \
    X(MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, 23, scale_aux)                                                           \
    X(MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, 24, amax_aux)                                                             \
    X(MATMUL_DESC_FAST_ACCUM, 25, fast_sums)                                                                           \
    X(MATMUL_DESC_BIAS_DATA_TYPE, 26, bias_type)                                                                       \
    X(MATMUL_DESC_A_SCALE_MODE, 31, mode_a)                                                                            \
    X(MATMUL_DESC_B_SCALE_MODE, 32, mode_b)                                                                            \
    X(MATMUL_DESC_C_SCALE_MODE, 33, mode_c)                                                                            \
    X(MATMUL_DESC_D_SCALE_MODE, 34, mode_d)                                                                            \
    X(MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, 35, mode_aux)                                                               \
    X(MATMUL_DESC_D_OUT_SCALE_POINTER, 36, scale_d_out)                                                                \
    X(MATMUL_DESC_D_OUT_SCALE_MODE, 37, mode_d_out)
#define CPUDEV_LT_PREFERENCE(X)                                                                                        \
    X(MATMUL_PREF_SEARCH_MODE, 0, search)                                                                              \
    X(MATMUL_PREF_MAX_WORKSPACE_BYTES, 1, workspace)                                                                   \
    X(MATMUL_PREF_REDUCTION_SCHEME_MASK, 3, reductions)                                                                \
    X(MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, 5, align_a)                                                                   \
    X(MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, 6, align_b)                                                                   \
    X(MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, 7, align_c)                                                                   \
    X(MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, 8, align_d)                                                                   \
    X(MATMUL_PREF_MAX_WAVES_COUNT, 9, waves)                                                                           \
    X(MATMUL_PREF_IMPL_MASK, 12, implementations)

#define CPUDEV_LT_NUMBER(name, number, field) CUBLASLT_##name = number,
typedef enum { CPUDEV_LT_LAYOUT(CPUDEV_LT_NUMBER) } cublasLtMatrixLayoutAttribute_t;
typedef enum { CPUDEV_LT_MATMUL(CPUDEV_LT_NUMBER) } cublasLtMatmulDescAttributes_t;
typedef enum { CPUDEV_LT_PREFERENCE(CPUDEV_LT_NUMBER) } cublasLtMatmulPreferenceAttributes_t;
#undef CPUDEV_LT_NUMBER

typedef struct cublasLtContext {
    int unused;
} * cublasLtHandle_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;

#define CPUDEV_LT_DECLARATION(Name, Attribute)                                                                         \
    CPUDEV_BLAS cublasStatus_t cublasLt##Name##SetAttribute(cublasLt##Name##_t d, Attribute attribute,                 \
                                                            const void *buffer, size_t bytes);                         \
    CPUDEV_BLAS cublasStatus_t cublasLt##Name##GetAttribute(cublasLt##Name##_t d, Attribute attribute, void *buffer,   \
                                                            size_t bytes, size_t *written);                            \
    CPUDEV_BLAS cublasStatus_t cublasLt##Name##Destroy(cublasLt##Name##_t d);
CPUDEV_LT_DECLARATION(MatrixLayout, cublasLtMatrixLayoutAttribute_t)
CPUDEV_LT_DECLARATION(MatmulDesc, cublasLtMatmulDescAttributes_t)
CPUDEV_LT_DECLARATION(MatmulPreference, cublasLtMatmulPreferenceAttributes_t)
#undef CPUDEV_LT_DECLARATION
CPUDEV_BLAS cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t l, cudaDataType_t type, uint64_t rows,
                                                    uint64_t columns, int64_t ld);
CPUDEV_BLAS cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *l, cudaDataType_t type, uint64_t rows,
                                                      uint64_t columns, int64_t ld);
CPUDEV_BLAS cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t d, cublasComputeType_t compute,
                                                  cudaDataType_t scale);
CPUDEV_BLAS cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d, cublasComputeType_t compute,
                                                    cudaDataType_t scale);
CPUDEV_BLAS cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t p);
CPUDEV_BLAS cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p);
CPUDEV_BLAS cublasStatus_t cublasLtCreate(cublasLtHandle_t *h);
CPUDEV_BLAS cublasStatus_t cublasLtDestroy(cublasLtHandle_t h);
CPUDEV_BLAS size_t cublasLtGetVersion(void);
CPUDEV_BLAS const char *cublasLtGetStatusName(cublasStatus_t status);
CPUDEV_BLAS const char *cublasLtGetStatusString(cublasStatus_t status);
CPUDEV_BLAS cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void *alpha, const void *a,
                                          cublasLtMatrixLayout_t la, const void *b, cublasLtMatrixLayout_t lb,
                                          const void *beta, const void *c, cublasLtMatrixLayout_t lc, void *out,
                                          cublasLtMatrixLayout_t ld, const cublasLtMatmulAlgo_t *algo, void *workspace,
                                          size_t bytes, cudaStream_t stream);
CPUDEV_BLAS cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t d,
                                                          cublasLtMatrixLayout_t la, cublasLtMatrixLayout_t lb,
                                                          cublasLtMatrixLayout_t lc, cublasLtMatrixLayout_t ld,
                                                          cublasLtMatmulPreference_t preference, int wanted,
                                                          cublasLtMatmulHeuristicResult_t *results, int *found);
CPUDEV_BLAS cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t h, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t a,
                                                   cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                                   cublasLtMatrixLayout_t out, const cublasLtMatmulAlgo_t *algo,
                                                   cublasLtMatmulHeuristicResult_t *result);

#ifdef __CUDACC__
#include "cuda_fp8.h"

/* Copies between an attribute of `size` bytes and the caller's buffer. */
CPUDEV_BLAS cublasStatus_t cpudev_lt_set(void *attribute, size_t size, const void *buffer, size_t bytes)
{
    if (!attribute || !buffer || bytes != size)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(attribute, buffer, size);
    return CUBLAS_STATUS_SUCCESS;
}
/* A buffer of 0 bytes asks for the size alone. */
CPUDEV_BLAS cublasStatus_t cpudev_lt_get(const void *attribute, size_t size, void *buffer, size_t bytes,
                                         size_t *written)
{
    if (!attribute || (bytes == 0 && !written) || (bytes && (!buffer || bytes < size)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (written)
        *written = size;
    if (bytes)
        memcpy(buffer, attribute, size);
    return CUBLAS_STATUS_SUCCESS;
}

/* Set and Get of a description, and its end. */
#define CPUDEV_LT_PLACE(name, number, field)                                                                           \
    case CUBLASLT_##name:                                                                                              \
        place = &d->field, size = sizeof d->field;                                                                     \
        break;
#define CPUDEV_LT_DESCRIPTION(Name, Attribute, list)                                                                   \
    static inline void *cpudev_lt_place(cublasLt##Name##Opaque_t *d, Attribute attribute, size_t &size)                \
    {                                                                                                                  \
        void *place = NULL;                                                                                            \
        size = 0;                                                                                                      \
        if (d)                                                                                                         \
            switch (attribute) {                                                                                       \
                list(CPUDEV_LT_PLACE) default : break;                                                                 \
            }                                                                                                          \
        return place;                                                                                                  \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublasLt##Name##SetAttribute(cublasLt##Name##_t d, Attribute attribute,                 \
                                                            const void *buffer, size_t bytes)                          \
    {                                                                                                                  \
        size_t size;                                                                                                   \
        void *const place = cpudev_lt_place(d, attribute, size);                                                       \
        return cpudev_lt_set(place, size, buffer, bytes);                                                              \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublasLt##Name##GetAttribute(cublasLt##Name##Opaque_t *d, Attribute attribute,          \
                                                            void *buffer, size_t bytes, size_t *written)               \
    {                                                                                                                  \
        size_t size;                                                                                                   \
        void *const place = cpudev_lt_place(d, attribute, size);                                                       \
        return cpudev_lt_get(place, size, buffer, bytes, written);                                                     \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublasLt##Name##Destroy(cublasLt##Name##_t d)                                           \
    {                                                                                                                  \
        delete d;                                                                                                      \
        return CUBLAS_STATUS_SUCCESS;                                                                                  \
    }
CPUDEV_LT_DESCRIPTION(MatrixLayout, cublasLtMatrixLayoutAttribute_t, CPUDEV_LT_LAYOUT)
CPUDEV_LT_DESCRIPTION(MatmulDesc, cublasLtMatmulDescAttributes_t, CPUDEV_LT_MATMUL)
CPUDEV_LT_DESCRIPTION(MatmulPreference, cublasLtMatmulPreferenceAttributes_t, CPUDEV_LT_PREFERENCE)
#undef CPUDEV_LT_DESCRIPTION
#undef CPUDEV_LT_PLACE

CPUDEV_BLAS cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t l, cudaDataType_t type, uint64_t rows,
                                                    uint64_t columns, int64_t ld)
{
    *l = cublasLtMatrixLayoutOpaque_t();
    l->type = type, l->rows = rows, l->columns = columns, l->ld = ld, l->batches = 1;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *l, cudaDataType_t type, uint64_t rows,
                                                      uint64_t columns, int64_t ld)
{
    return cublasLtMatrixLayoutInit(*l = new cublasLtMatrixLayoutOpaque_t(), type, rows, columns, ld);
}
CPUDEV_BLAS cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t d, cublasComputeType_t compute,
                                                  cudaDataType_t scale)
{
    *d = cublasLtMatmulDescOpaque_t();
    d->compute = compute, d->scale = scale, d->fill = CUBLAS_FILL_MODE_FULL, d->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    d->aux_type = d->bias_type = -1;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d, cublasComputeType_t compute,
                                                    cudaDataType_t scale)
{
    return cublasLtMatmulDescInit(*d = new cublasLtMatmulDescOpaque_t(), compute, scale);
}
CPUDEV_BLAS cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t p)
{
    *p = cublasLtMatmulPreferenceOpaque_t();
    p->reductions = CUBLASLT_REDUCTION_SCHEME_MASK, p->implementations = ~UINT64_C(0);
    p->align_a = p->align_b = p->align_c = p->align_d = 256;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p)
{
    return cublasLtMatmulPreferenceInit(*p = new cublasLtMatmulPreferenceOpaque_t());
}

CPUDEV_BLAS cublasStatus_t cublasLtCreate(cublasLtHandle_t *h)
{
    *h = new cublasLtContext();
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasLtDestroy(cublasLtHandle_t h)
{
    delete h;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
CPUDEV_BLAS const char *cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
CPUDEV_BLAS const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

#include "cublas_lt_matmul.h"

#endif /* __CUDACC__ */
#endif
