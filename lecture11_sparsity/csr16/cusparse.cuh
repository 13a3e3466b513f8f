/* cusparse.cuh: C (M x N) = A (M x K, CSR) B (K x N), all bf16, by cuSPARSE, opened at run time: the yardstick of csr16. */
#ifndef CSR16_CUSPARSE_CUH
#define CSR16_CUSPARSE_CUH

#include "lab.h"
#include "skip.h"

#ifdef LAB_CPU

static void csr16_cusparse(const int *, const int *, const void *, size_t, const void *, void *, size_t, size_t, size_t,
                           cudaStream_t)
{
    lab_skip("no vendor library on the CPU device");
}

#else

#define DISABLE_CUSPARSE_DEPRECATED /* the header warns of its own types otherwise */
#include <cusparse.h>
#include <dlfcn.h>

#include "error.h"
extern "C" {
#include "vendor_open.h"
}

/* The functions we call, with the types of NVIDIA's headers, filled in by dlsym. */
/* clang-format off */
#define CSR16_FUNCTIONS(F) \
    F(cusparseCreate) \
    F(cusparseSetStream) \
    F(cusparseCreateCsr) \
    F(cusparseCreateDnMat) \
    F(cusparseSpMM_bufferSize) \
    F(cusparseSpMM_preprocess) \
    F(cusparseSpMM) \
    F(cusparseDestroySpMat) \
    F(cusparseDestroyDnMat)
#define CSR16_DECLARE(name) static __typeof__(&name) p_##name;
#define CSR16_LOAD(name) \
    if (!(*(void **)&p_##name = dlsym(library, #name))) \
        return false;
CSR16_FUNCTIONS(CSR16_DECLARE)
/* clang-format on */

static cusparseHandle_t csr16_handle;

static bool csr16_load()
{
    static const char *const names[] = {"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so", NULL};
    static int state; /* 0 not tried, 1 there, -1 not */
    if (state)
        return state > 0;
    state = -1;
    void *library = vendor_open(names);
    if (!library)
        return false;
    CSR16_FUNCTIONS(CSR16_LOAD)
    if (p_cusparseCreate(&csr16_handle) != CUSPARSE_STATUS_SUCCESS)
        return false;
    state = 1;
    return true;
}

/* One problem is kept prepared: labs time the same call many times over. */
static struct Csr16Kept {
    const void *value, *B;
    void *C, *buffer;
    size_t M, N, K, nonzeros;
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t b, c;
} csr16_kept;

/* Of the library's three algorithms for CSR only this one adds up in fp32: the others' results are off by more than one
 * rounding to bf16. */
static const cusparseSpMMAlg_t CSR16_ALGORITHM = CUSPARSE_SPMM_CSR_ALG3;

static bool csr16_prepare(const int *row_start, const int *column)
{
    Csr16Kept *k = &csr16_kept;
    const int64_t M = (int64_t)k->M, N = (int64_t)k->N, K = (int64_t)k->K;
    const float one = 1, zero = 0;
    size_t bytes = 0;
    if (p_cusparseCreateCsr(&k->a, M, K, (int64_t)k->nonzeros, (void *)row_start, (void *)column, (void *)k->value,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                            CUDA_R_16BF) != CUSPARSE_STATUS_SUCCESS ||
        p_cusparseCreateDnMat(&k->b, K, N, N, (void *)k->B, CUDA_R_16BF, CUSPARSE_ORDER_ROW) !=
            CUSPARSE_STATUS_SUCCESS ||
        p_cusparseCreateDnMat(&k->c, M, N, N, k->C, CUDA_R_16BF, CUSPARSE_ORDER_ROW) != CUSPARSE_STATUS_SUCCESS ||
        p_cusparseSpMM_bufferSize(csr16_handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                  &one, k->a, k->b, &zero, k->c, CUDA_R_32F, CSR16_ALGORITHM,
                                  &bytes) != CUSPARSE_STATUS_SUCCESS)
        return false;
    CUDA_CHECK(cudaMalloc(&k->buffer, bytes ? bytes : 1));
    p_cusparseSpMM_preprocess(csr16_handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                              k->a, k->b, &zero, k->c, CUDA_R_32F, CSR16_ALGORITHM, k->buffer);
    return true;
}

static void csr16_forget()
{
    Csr16Kept *k = &csr16_kept;
    if (k->a)
        p_cusparseDestroySpMat(k->a);
    if (k->b)
        p_cusparseDestroyDnMat(k->b);
    if (k->c)
        p_cusparseDestroyDnMat(k->c);
    CUDA_CHECK(cudaFree(k->buffer));
    *k = Csr16Kept();
}

/* row_start, column, value: device arrays of M + 1, `nonzeros` and `nonzeros` elements. */
static void csr16_cusparse(const int *row_start, const int *column, const void *value, size_t nonzeros, const void *B,
                           void *C, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    Csr16Kept *k = &csr16_kept;
    if (!csr16_load()) {
        lab_skip("cuSPARSE was not found");
        return;
    }
    p_cusparseSetStream(csr16_handle, stream);
    bool ready =
        k->value == value && k->B == B && k->C == C && k->M == M && k->N == N && k->K == K && k->nonzeros == nonzeros;
    if (!ready) {
        csr16_forget();
        k->value = value, k->B = B, k->C = C, k->M = M, k->N = N, k->K = K, k->nonzeros = nonzeros;
        ready = csr16_prepare(row_start, column);
    }
    const float one = 1, zero = 0;
    if (!ready ||
        p_cusparseSpMM(csr16_handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, k->a,
                       k->b, &zero, k->c, CUDA_R_32F, CSR16_ALGORITHM, k->buffer) != CUSPARSE_STATUS_SUCCESS)
        lab_skip("cuSPARSE refuses this shape");
}

#endif
#endif
