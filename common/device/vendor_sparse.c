/* vendor_sparse.c: sparse times dense by cuSPARSE, opened at run time: CSR in fp32 and in bf16, block CSR in bf16. */
#include "vendor.h"

#include "error.h"
#include "skip.h"
#include "vendor_open.h"

#ifdef LAB_CPU

static int none(void)
{
    lab_skip("no vendor library on the CPU device");
    return -1;
}

int vendor_spmm_csr(const int *row_start, const int *column, const float *value, size_t nonzeros, const float *B,
                    float *C, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    (void)row_start, (void)column, (void)value, (void)nonzeros, (void)B, (void)C, (void)M, (void)N, (void)K;
    (void)stream;
    return none();
}

int vendor_spmm_csr_bf16(const int *row_start, const int *column, const void *value, size_t nonzeros, const void *B,
                         void *C, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    (void)row_start, (void)column, (void)value, (void)nonzeros, (void)B, (void)C, (void)M, (void)N, (void)K;
    (void)stream;
    return none();
}

int vendor_spmm_bsr_bf16(const int *row_start, const int *column, const void *value, size_t blocks, size_t block,
                         const void *B, void *C, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    (void)row_start, (void)column, (void)value, (void)blocks, (void)block, (void)B, (void)C, (void)M, (void)N, (void)K;
    (void)stream;
    return none();
}

void vendor_sparse_close(void) {}

#else

#define DISABLE_CUSPARSE_DEPRECATED /* the header warns of its own types otherwise */
#include <cusparse.h>
#include <dlfcn.h>

/* The functions we call, with the types of NVIDIA's headers, filled in by dlsym. */
/* clang-format off */
#define SPARSE_FUNCTIONS(F) \
    F(cusparseCreate) \
    F(cusparseGetVersion) \
    F(cusparseDestroy) \
    F(cusparseSetStream) \
    F(cusparseCreateCsr) \
    F(cusparseCreateDnMat) \
    F(cusparseSpMM_bufferSize) \
    F(cusparseSpMM_preprocess) \
    F(cusparseSpMM) \
    F(cusparseDestroySpMat) \
    F(cusparseDestroyDnMat)
#define DECLARE(name) static __typeof__(&name) p_##name;
#define LOAD(name) \
    if (!(*(void **)&p_##name = dlsym(library, #name))) \
        return 0;
SPARSE_FUNCTIONS(DECLARE)
static __typeof__(&cusparseCreateBsr) p_cusparseCreateBsr; /* not in every version: may be NULL */
/* clang-format on */

static cusparseHandle_t sparse;

int vendor_load_sparse(void)
{
    static int state; /* 0 not tried, 1 there, -1 not */
    if (state)
        return state > 0;
    state = -1;
    void *library =
        vendor_open((const char *const[]){"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so", NULL});
    if (!library)
        return 0;
    SPARSE_FUNCTIONS(LOAD)
    *(void **)&p_cusparseCreateBsr = dlsym(library, "cusparseCreateBsr");
    int version = 0;
    if (p_cusparseCreate(&sparse) != CUSPARSE_STATUS_SUCCESS)
        return 0;
    if (p_cusparseGetVersion(sparse, &version) == CUSPARSE_STATUS_SUCCESS)
        vendor_add_version("cuSPARSE", version, 1000);
    state = 1;
    return 1;
}

/* C = A B, B and C row-major. `block` 0: A is CSR with `count` values; else BSR with `count` blocks, each row-major. */
typedef struct Problem {
    const int *row_start, *column;
    const void *value, *B;
    void *C;
    size_t M, N, K, count, block;
    cudaDataType type; /* of A, B and C; sums are fp32 */
    cusparseSpMMAlg_t algorithm;
} Problem;

/* One problem is kept prepared: labs time the same call many times over. */
static struct {
    Problem p;
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t b, c;
    void *buffer;
} kept;

static void forget_kept(void)
{
    if (kept.a)
        p_cusparseDestroySpMat(kept.a);
    if (kept.b)
        p_cusparseDestroyDnMat(kept.b);
    if (kept.c)
        p_cusparseDestroyDnMat(kept.c);
    CUDA_CHECK(cudaFree(kept.buffer));
    kept.a = NULL, kept.b = NULL, kept.c = NULL, kept.buffer = NULL;
    kept.p = (Problem){0};
}

static int same(const Problem *p, const Problem *q)
{
    return p->value == q->value && p->B == q->B && p->C == q->C && p->M == q->M && p->N == q->N && p->K == q->K &&
           p->count == q->count && p->block == q->block && p->type == q->type;
}

static cusparseStatus_t make_sparse(const Problem *p)
{
    const int64_t M = (int64_t)p->M, K = (int64_t)p->K, count = (int64_t)p->count, block = (int64_t)p->block;
    if (!block)
        return p_cusparseCreateCsr(&kept.a, M, K, count, (void *)p->row_start, (void *)p->column, (void *)p->value,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, p->type);
    return p_cusparseCreateBsr
               ? p_cusparseCreateBsr(&kept.a, M / block, K / block, count, block, block, (void *)p->row_start,
                                     (void *)p->column, (void *)p->value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, p->type, CUSPARSE_ORDER_ROW)
               : CUSPARSE_STATUS_NOT_SUPPORTED;
}

static int prepare(const Problem *p)
{
    const int64_t M = (int64_t)p->M, N = (int64_t)p->N, K = (int64_t)p->K;
    const float one = 1, zero = 0;
    size_t bytes = 0;
    if (make_sparse(p) != CUSPARSE_STATUS_SUCCESS ||
        p_cusparseCreateDnMat(&kept.b, K, N, N, (void *)p->B, p->type, CUSPARSE_ORDER_ROW) != CUSPARSE_STATUS_SUCCESS ||
        p_cusparseCreateDnMat(&kept.c, M, N, N, p->C, p->type, CUSPARSE_ORDER_ROW) != CUSPARSE_STATUS_SUCCESS ||
        p_cusparseSpMM_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                  kept.a, kept.b, &zero, kept.c, CUDA_R_32F, p->algorithm,
                                  &bytes) != CUSPARSE_STATUS_SUCCESS)
        return 0;
    CUDA_CHECK(cudaMalloc(&kept.buffer, bytes ? bytes : 1));
    p_cusparseSpMM_preprocess(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, kept.a,
                              kept.b, &zero, kept.c, CUDA_R_32F, p->algorithm, kept.buffer);
    return 1;
}

static int spmm(const Problem *p, cudaStream_t stream)
{
    const float one = 1, zero = 0;
    if (!vendor_load_sparse()) {
        lab_skip("cuSPARSE was not found");
        return -1;
    }
    p_cusparseSetStream(sparse, stream);
    int ready = same(p, &kept.p);
    if (!ready) {
        forget_kept();
        ready = prepare(p);
        if (ready)
            kept.p = *p;
    }
    if (!ready ||
        p_cusparseSpMM(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, kept.a, kept.b,
                       &zero, kept.c, CUDA_R_32F, p->algorithm, kept.buffer) != CUSPARSE_STATUS_SUCCESS) {
        lab_skip("cuSPARSE refuses this type or shape");
        return -1;
    }
    return 0;
}

/* ALG2 is the one for row-major dense operands. */
int vendor_spmm_csr(const int *row_start, const int *column, const float *value, size_t nonzeros, const float *B,
                    float *C, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    const Problem p = {row_start, column, value, B, C, M, N, K, nonzeros, 0, CUDA_R_32F, CUSPARSE_SPMM_CSR_ALG2};
    return spmm(&p, stream);
}

/* Of the library's three algorithms for CSR only ALG3 adds up in fp32: the others' results are off by more than one
 * rounding to bf16. */
int vendor_spmm_csr_bf16(const int *row_start, const int *column, const void *value, size_t nonzeros, const void *B,
                         void *C, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    const Problem p = {row_start, column, value, B, C, M, N, K, nonzeros, 0, CUDA_R_16BF, CUSPARSE_SPMM_CSR_ALG3};
    return spmm(&p, stream);
}

int vendor_spmm_bsr_bf16(const int *row_start, const int *column, const void *value, size_t blocks, size_t block,
                         const void *B, void *C, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    const Problem p = {row_start, column, value, B, C, M, N, K, blocks, block, CUDA_R_16BF, CUSPARSE_SPMM_BSR_ALG1};
    return spmm(&p, stream);
}

void vendor_sparse_close(void)
{
    if (!sparse)
        return;
    forget_kept();
    p_cusparseDestroy(sparse);
    sparse = NULL;
}

#endif
