/* lt_open.cuh: cuBLASLt's product on each of several GPUs, as a yardstick, opened at run time. Its context belongs to one
 * device, so that each has its own (common/vendor.h has one device). */
#ifndef LT_OPEN_CUH
#define LT_OPEN_CUH

#include "../allreduce/ranks.cuh"

#ifdef LAB_CPU

static inline const char *lt_begin(void) { return "no vendor library on the CPU device"; }
static inline const char *lt_multiply(int device, const void *A, int lda, const void *B, int ldb, void *C, int ldc,
                                      int M, int N, int K, cudaStream_t stream)
{
    (void)device, (void)A, (void)lda, (void)B, (void)ldb, (void)C, (void)ldc, (void)M, (void)N, (void)K, (void)stream;
    return "no vendor library on the CPU device";
}

#else

#include <cublasLt.h>
#include <dlfcn.h>

enum { LT_WORKSPACE = 64 << 20, LT_TRIED = 8, LT_KEPT = 16 };

/* A product of one shape on one device, and the fastest of the library's suggestions for it. */
typedef struct LtKept {
    int device, M, N, K, lda, ldb, ldc;
    cublasLtMatmulDesc_t description;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm;
} LtKept;

static struct {
    void *library;
    cublasLtHandle_t handle[MAX_RANKS];
    void *workspace[MAX_RANKS];
    LtKept kept[LT_KEPT];
    int count;
    __typeof__(&cublasLtCreate) create;
    __typeof__(&cublasLtMatmul) matmul;
    __typeof__(&cublasLtMatmulDescCreate) desc_create;
    __typeof__(&cublasLtMatmulDescSetAttribute) desc_set;
    __typeof__(&cublasLtMatrixLayoutCreate) layout;
    __typeof__(&cublasLtMatmulPreferenceCreate) preference;
    __typeof__(&cublasLtMatmulPreferenceSetAttribute) preference_set;
    __typeof__(&cublasLtMatmulAlgoGetHeuristic) heuristic;
} lt;

/* NULL if it can be used now, else the reason why not. */
static inline const char *lt_begin(void)
{
    static const char *const places[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so",
                                         "/usr/local/cuda/lib64/libcublasLt.so"};
    for (size_t i = 0; i < sizeof places / sizeof *places && !lt.library; i++)
        lt.library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
    if (!lt.library)
        return "cuBLASLt was not found";
    *(void **)&lt.create = dlsym(lt.library, "cublasLtCreate");
    *(void **)&lt.matmul = dlsym(lt.library, "cublasLtMatmul");
    *(void **)&lt.desc_create = dlsym(lt.library, "cublasLtMatmulDescCreate");
    *(void **)&lt.desc_set = dlsym(lt.library, "cublasLtMatmulDescSetAttribute");
    *(void **)&lt.layout = dlsym(lt.library, "cublasLtMatrixLayoutCreate");
    *(void **)&lt.preference = dlsym(lt.library, "cublasLtMatmulPreferenceCreate");
    *(void **)&lt.preference_set = dlsym(lt.library, "cublasLtMatmulPreferenceSetAttribute");
    *(void **)&lt.heuristic = dlsym(lt.library, "cublasLtMatmulAlgoGetHeuristic");
    return lt.create && lt.matmul && lt.desc_create && lt.desc_set && lt.layout && lt.preference && lt.preference_set &&
                   lt.heuristic
               ? NULL
               : "cuBLASLt lacks a function";
}

static inline int lt_run(const LtKept *k, const cublasLtMatmulAlgo_t *algorithm, const void *A, const void *B, void *C,
                         cudaStream_t stream)
{
    const float one = 1, zero = 0;
    return lt.matmul(lt.handle[k->device], k->description, &one, B, k->b, A, k->a, &zero, C, k->c, C, k->c, algorithm,
                     lt.workspace[k->device], LT_WORKSPACE, stream) == CUBLAS_STATUS_SUCCESS;
}

/* The fastest of the suggestions, each timed over a few runs. */
static inline int lt_choose(LtKept *k, const void *A, const void *B, void *C, cudaStream_t stream)
{
    cublasLtMatmulPreference_t preference;
    const size_t limit = LT_WORKSPACE;
    cublasLtMatmulHeuristicResult_t found[LT_TRIED];
    int count = 0;
    float best = INFINITY;
    cudaEvent_t begin, end;
    if (lt.preference(&preference) ||
        lt.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &limit, sizeof limit) ||
        lt.heuristic(lt.handle[k->device], k->description, k->b, k->a, k->c, k->c, preference, LT_TRIED, found, &count))
        return 0;
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    for (int i = 0; i < count; i++) {
        float ms = INFINITY;
        if (found[i].state || !lt_run(k, &found[i].algo, A, B, C, stream))
            continue;
        CUDA_CHECK(cudaEventRecord(begin, stream));
        for (int n = 0; n < 8; n++)
            lt_run(k, &found[i].algo, A, B, C, stream);
        CUDA_CHECK(cudaEventRecord(end, stream));
        CUDA_CHECK(cudaEventSynchronize(end));
        CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (ms < best) {
            best = ms;
            k->algorithm = found[i].algo;
        }
    }
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    return best < INFINITY;
}

/* C (M x N) = A (M x K) times the transpose of B (N x K), bf16, row-major, on the current device, which is `device`.
 * NULL, or why not. */
static inline const char *lt_multiply(int device, const void *A, int lda, const void *B, int ldb, void *C, int ldc,
                                      int M, int N, int K, cudaStream_t stream)
{
    LtKept *k = lt.kept;
    while (k < lt.kept + lt.count && !(k->device == device && k->M == M && k->N == N && k->K == K && k->lda == lda &&
                                       k->ldb == ldb && k->ldc == ldc))
        k++;
    if (k == lt.kept + lt.count) {
        const cublasOperation_t turned = CUBLAS_OP_T;
        if (lt.count == LT_KEPT)
            return "too many shapes";
        if (!lt.handle[device] && (lt.create(&lt.handle[device]) || cudaMalloc(&lt.workspace[device], LT_WORKSPACE)))
            return "cuBLASLt does not start";
        *k = (LtKept){device, M, N, K, lda, ldb, ldc};
        if (lt.desc_create(&k->description, CUBLAS_COMPUTE_32F, CUDA_R_32F) ||
            lt.desc_set(k->description, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned) ||
            lt.layout(&k->b, CUDA_R_16BF, (uint64_t)K, (uint64_t)N, ldb) ||
            lt.layout(&k->a, CUDA_R_16BF, (uint64_t)K, (uint64_t)M, lda) ||
            lt.layout(&k->c, CUDA_R_16BF, (uint64_t)N, (uint64_t)M, ldc) || !lt_choose(k, A, B, C, stream))
            return "cuBLASLt refuses this product";
        lt.count++;
    }
    return lt_run(k, &k->algorithm, A, B, C, stream) ? NULL : "cuBLASLt failed";
}

#endif
#endif
