#include "vendor.h"

#include "error.h"
#include "skip.h"

#ifdef LAB_CPU

/* One sentence for every call: the CPU device has no vendor library to compare with. */
static int none(void)
{
    lab_skip("no vendor library on the CPU device");
    return -1;
}

int vendor_gemm_f32(const float *A, const float *B, float *C, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)stream;
    return none();
}

int vendor_spmm_csr(const int *row_start, const int *column, const void *value, size_t nonzeros, const void *B, void *C,
                    LabType type, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    (void)row_start, (void)column, (void)value, (void)nonzeros, (void)B, (void)C, (void)type, (void)M, (void)N, (void)K,
        (void)stream;
    return none();
}

const char *vendor_versions(void) { return "none"; }
void vendor_close(void) {}
void vendor_fastest_by(VendorFastest *fastest) { (void)fastest; }

#else

#define DISABLE_CUSPARSE_DEPRECATED /* the header warns of its own types otherwise */
#include <cublas_v2.h>
#include <cusparse.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "vendor_open.h"

void *vendor_open(const char *const *names)
{
    static const char *const places[] = {"", "/usr/local/cuda/lib64/", NULL};
    for (; *names; names++)
        for (const char *const *p = places; *p; p++) {
            char path[512];
            snprintf(path, sizeof path, "%s%s", *p, *names);
            void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (library)
                return library;
        }
    return NULL;
}

static VendorFastest *fastest_of; /* NULL: the first will do */

void vendor_fastest_by(VendorFastest *fastest) { fastest_of = fastest; }

int vendor_fastest(void (*run)(void *context), void *const *context, int count, cudaStream_t stream)
{
    return fastest_of ? fastest_of(run, context, count, stream) : 0;
}

/* The functions we call, with the types of NVIDIA's headers, filled in by dlsym. */
/* clang-format off */
#define CUBLAS_FUNCTIONS(F) \
    F(cublasCreate_v2) \
    F(cublasDestroy_v2) \
    F(cublasSetStream_v2) \
    F(cublasSgemm_v2) \
    F(cublasGetVersion_v2)
#define SPARSE_FUNCTIONS(F) \
    F(cusparseCreate) \
    F(cusparseDestroy) \
    F(cusparseSetStream) \
    F(cusparseCreateCsr) \
    F(cusparseCreateDnMat) \
    F(cusparseSpMM_bufferSize) \
    F(cusparseSpMM_preprocess) \
    F(cusparseSpMM) \
    F(cusparseDestroySpMat) \
    F(cusparseDestroyDnMat) \
    F(cusparseGetVersion)
#define DECLARE(name) static __typeof__(&name) p_##name;
#define LOAD(name) \
    if (!(*(void **)&p_##name = dlsym(library, #name))) \
        return 0;
CUBLAS_FUNCTIONS(DECLARE)
SPARSE_FUNCTIONS(DECLARE)
/* clang-format on */

static cublasHandle_t blas;
static cusparseHandle_t sparse;

static int load_blas(void)
{
    static int state; /* 0 not tried, 1 there, -1 not */
    if (state)
        return state > 0;
    state = -1;
    void *library = vendor_open((const char *const[]){"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL});
    if (!library)
        return 0;
    CUBLAS_FUNCTIONS(LOAD)
    if (p_cublasCreate_v2(&blas) != CUBLAS_STATUS_SUCCESS)
        return 0;
    state = 1;
    return 1;
}

static int load_sparse(void)
{
    static int state;
    if (state)
        return state > 0;
    state = -1;
    void *library =
        vendor_open((const char *const[]){"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so", NULL});
    if (!library)
        return 0;
    SPARSE_FUNCTIONS(LOAD)
    if (p_cusparseCreate(&sparse) != CUSPARSE_STATUS_SUCCESS)
        return 0;
    state = 1;
    return 1;
}

const char *vendor_versions(void)
{
    static char line[96];
    int version = 0;
    if (!load_blas())
        return "no cuBLAS";
    p_cublasGetVersion_v2(blas, &version);
    snprintf(line, sizeof line, "cuBLAS %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
    return line;
}

/* Row-major C = A B is column-major C^T = B^T A^T: B goes first, as an N x K matrix. */
int vendor_gemm_f32(const float *A, const float *B, float *C, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    const float one = 1, zero = 0;
    if (!load_blas()) {
        lab_skip("cuBLAS was not found");
        return -1;
    }
    p_cublasSetStream_v2(blas, stream);
    if (p_cublasSgemm_v2(blas, CUBLAS_OP_N, CUBLAS_OP_N, (int)N, (int)M, (int)K, &one, B, (int)N, A, (int)K, &zero, C,
                         (int)N) != CUBLAS_STATUS_SUCCESS) {
        lab_skip("cuBLAS refuses this shape");
        return -1;
    }
    return 0;
}

/* The products that are kept prepared, for each algorithm a copy of its own: labs time the same call many times over. */
enum { SPMM_WAYS = 3 };
typedef struct Spmm {
    cusparseSpMMAlg_t algorithm;
    cudaDataType type;
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t b, c;
    void *buffer;
} Spmm;
static struct {
    const void *value, *B;
    void *C;
    LabType type;
    size_t M, N, K, nonzeros;
    Spmm way[SPMM_WAYS];
    Spmm *fastest; /* NULL: refused */
} kept;

static void spmm_free(Spmm *s)
{
    if (s->a)
        p_cusparseDestroySpMat(s->a);
    if (s->b)
        p_cusparseDestroyDnMat(s->b);
    if (s->c)
        p_cusparseDestroyDnMat(s->c);
    CUDA_CHECK(cudaFree(s->buffer));
    *s = (Spmm){0};
}

static void forget_kept(void)
{
    for (int i = 0; i < SPMM_WAYS; i++)
        spmm_free(&kept.way[i]);
    kept.fastest = NULL;
    kept.value = NULL;
}

static int spmm_run(const Spmm *s)
{
    const float one = 1, zero = 0;
    return p_cusparseSpMM(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, s->a, s->b,
                          &zero, s->c, CUDA_R_32F, s->algorithm, s->buffer) == CUSPARSE_STATUS_SUCCESS;
}

static void spmm_trial(void *context) { spmm_run((const Spmm *)context); }

/* Prepares kept's product for one algorithm and runs it once. Returns 0 where the library refuses. */
static int spmm_make(Spmm *s, cusparseSpMMAlg_t algorithm, const int *row_start, const int *column)
{
    const float one = 1, zero = 0;
    const int64_t M = (int64_t)kept.M, N = (int64_t)kept.N, K = (int64_t)kept.K;
    size_t bytes = 0;
    *s = (Spmm){.algorithm = algorithm, .type = kept.type == LAB_BF16 ? CUDA_R_16BF : CUDA_R_32F};
    if (p_cusparseCreateCsr(&s->a, M, K, (int64_t)kept.nonzeros, (void *)row_start, (void *)column, (void *)kept.value,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                            s->type) != CUSPARSE_STATUS_SUCCESS ||
        p_cusparseCreateDnMat(&s->b, K, N, N, (void *)kept.B, s->type, CUSPARSE_ORDER_ROW) != CUSPARSE_STATUS_SUCCESS ||
        p_cusparseCreateDnMat(&s->c, M, N, N, kept.C, s->type, CUSPARSE_ORDER_ROW) != CUSPARSE_STATUS_SUCCESS ||
        p_cusparseSpMM_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                  s->a, s->b, &zero, s->c, CUDA_R_32F, algorithm, &bytes) != CUSPARSE_STATUS_SUCCESS)
        return 0;
    CUDA_CHECK(cudaMalloc(&s->buffer, bytes ? bytes : 1));
    p_cusparseSpMM_preprocess(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, s->a,
                              s->b, &zero, s->c, CUDA_R_32F, algorithm, s->buffer);
    return spmm_run(s);
}

/* kept's product by the fastest of the algorithms. In bf16 only the last adds up in fp32: the others' results are off by
 * more than one rounding. */
static void spmm_search(const int *row_start, const int *column, cudaStream_t stream)
{
    static const cusparseSpMMAlg_t algorithms[SPMM_WAYS] = {CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG1,
                                                            CUSPARSE_SPMM_CSR_ALG3};
    void *usable[SPMM_WAYS];
    int count = 0;
    for (int i = kept.type == LAB_BF16 ? SPMM_WAYS - 1 : 0; i < SPMM_WAYS; i++)
        if (spmm_make(&kept.way[i], algorithms[i], row_start, column))
            usable[count++] = &kept.way[i];
    if (count)
        kept.fastest = (Spmm *)usable[vendor_fastest(spmm_trial, usable, count, stream)];
}

int vendor_spmm_csr(const int *row_start, const int *column, const void *value, size_t nonzeros, const void *B, void *C,
                    LabType type, size_t M, size_t N, size_t K, cudaStream_t stream)
{
    if (!load_sparse()) {
        lab_skip("cuSPARSE was not found");
        return -1;
    }
    p_cusparseSetStream(sparse, stream);
    if (kept.value != value || kept.B != B || kept.C != C || kept.type != type || kept.M != M || kept.N != N ||
        kept.K != K || kept.nonzeros != nonzeros) {
        forget_kept();
        kept.value = value, kept.B = B, kept.C = C, kept.type = type;
        kept.M = M, kept.N = N, kept.K = K, kept.nonzeros = nonzeros;
        spmm_search(row_start, column, stream);
    }
    if (!kept.fastest || !spmm_run(kept.fastest)) {
        lab_skip("cuSPARSE refuses this type or shape");
        return -1;
    }
    return 0;
}

void vendor_close(void)
{
    forget_kept();
    if (sparse)
        p_cusparseDestroy(sparse);
    if (blas)
        p_cublasDestroy_v2(blas);
    vendor_lt_close();
    sparse = NULL, blas = NULL;
}

#endif
