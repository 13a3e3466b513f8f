/* vendor_fp8.c: e4m3 products by cuBLASLt as vendor_gemm_lt() does not ask for them: with fast sums, or with scales in
 * blocks. */
#include "vendor.h"

#include "error.h"
#include "skip.h"
#include "vendor_open.h"

#ifdef LAB_CPU

int vendor_gemm_fp8(const void *A, const void *B, void *C, const float *a_scales, const float *b_scales, size_t M,
                    size_t N, size_t K, cudaStream_t stream)
{
    (void)A, (void)B, (void)C, (void)a_scales, (void)b_scales, (void)M, (void)N, (void)K, (void)stream;
    lab_skip("no vendor library on the CPU device");
    return -1;
}

void vendor_fp8_close(void) {}

#else

#include <cublasLt.h>
#include <dlfcn.h>

/* The functions we call, with the types of NVIDIA's headers, filled in by dlsym. */
/* clang-format off */
#define FP8_FUNCTIONS(F) \
    F(cublasLtMatmul) \
    F(cublasLtMatmulDescCreate) \
    F(cublasLtMatmulDescDestroy) \
    F(cublasLtMatmulDescSetAttribute) \
    F(cublasLtMatrixLayoutCreate) \
    F(cublasLtMatrixLayoutDestroy) \
    F(cublasLtMatmulPreferenceCreate) \
    F(cublasLtMatmulPreferenceDestroy) \
    F(cublasLtMatmulPreferenceSetAttribute) \
    F(cublasLtMatmulAlgoGetHeuristic)
#define FP8_DECLARE(name) static __typeof__(&name) p_##name;
#define FP8_LOAD(name) \
    if (!(*(void **)&p_##name = dlsym(fp8_lt->library, #name))) \
        return 0;
FP8_FUNCTIONS(FP8_DECLARE)
/* clang-format on */

static const VendorLt *fp8_lt;

static int fp8_load(void)
{
    static int state; /* 0 not tried, 1 there, -1 not */
    if (state)
        return state > 0;
    state = -1;
    fp8_lt = vendor_load_lt();
    if (!fp8_lt)
        return 0;
    FP8_FUNCTIONS(FP8_LOAD)
    state = 1;
    return 1;
}

/* One problem is kept, with the fastest of the heuristics: labs time the same call many times over. */
typedef struct Fp8Kept {
    const void *A, *B;
    void *C;
    const float *a_scales, *b_scales; /* NULL: none, and fast sums */
    size_t M, N, K;
    cublasLtMatmulDesc_t description;
    cublasLtMatrixLayout_t first, second, result;
    cublasLtMatmulAlgo_t algorithm;
} Fp8Kept;
static Fp8Kept fp8_kept;

static int fp8_set(cublasLtMatmulDescAttributes_t name, const void *value, size_t bytes)
{
    return p_cublasLtMatmulDescSetAttribute(fp8_kept.description, name, value, bytes) == CUBLAS_STATUS_SUCCESS;
}

/* The library's A is our B, and the other way. */
static int fp8_set_scales(void)
{
#if CUDART_VERSION >= 12090
    const int32_t rows = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F, blocks = CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
    const Fp8Kept *k = &fp8_kept;
    return fp8_set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &blocks, sizeof blocks) &&
           fp8_set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, &rows, sizeof rows) &&
           fp8_set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &k->b_scales, sizeof k->b_scales) &&
           fp8_set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &k->a_scales, sizeof k->a_scales);
#else
    return 0;
#endif
}

static int fp8_make(void)
{
    Fp8Kept *k = &fp8_kept;
    const cublasOperation_t turned = CUBLAS_OP_T;
    const int8_t fast = 1;
    return p_cublasLtMatmulDescCreate(&k->description, CUBLAS_COMPUTE_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS &&
           fp8_set(CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned) &&
           (k->a_scales ? fp8_set_scales() : fp8_set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast)) &&
           p_cublasLtMatrixLayoutCreate(&k->first, CUDA_R_8F_E4M3, k->K, k->N, (int64_t)k->K) ==
               CUBLAS_STATUS_SUCCESS &&
           p_cublasLtMatrixLayoutCreate(&k->second, CUDA_R_8F_E4M3, k->K, k->M, (int64_t)k->K) ==
               CUBLAS_STATUS_SUCCESS &&
           p_cublasLtMatrixLayoutCreate(&k->result, CUDA_R_16BF, k->N, k->M, (int64_t)k->N) == CUBLAS_STATUS_SUCCESS;
}

static int fp8_run(const cublasLtMatmulAlgo_t *algorithm, cudaStream_t stream)
{
    const Fp8Kept *k = &fp8_kept;
    const float one = 1, zero = 0;
    return p_cublasLtMatmul(fp8_lt->handle, k->description, &one, k->B, k->first, k->A, k->second, &zero, k->C,
                            k->result, k->C, k->result, algorithm, fp8_lt->workspace, VENDOR_WORKSPACE_BYTES,
                            stream) == CUBLAS_STATUS_SUCCESS;
}

/* One of the heuristics, to be timed. */
typedef struct Fp8Trial {
    const cublasLtMatmulAlgo_t *algorithm;
    cudaStream_t stream;
} Fp8Trial;

static void fp8_trial(void *context)
{
    const Fp8Trial *t = context;
    fp8_run(t->algorithm, t->stream);
}

/* Asks for up to 8 heuristics and keeps the fastest. */
static int fp8_search(cudaStream_t stream)
{
    enum { HEURISTICS = 8 };
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t found[HEURISTICS];
    int count = 0, usable = 0;
    if (p_cublasLtMatmulPreferenceCreate(&preference) != CUBLAS_STATUS_SUCCESS)
        return 0;
    const size_t limit = VENDOR_WORKSPACE_BYTES;
    p_cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &limit, sizeof limit);
    const cublasStatus_t status =
        p_cublasLtMatmulAlgoGetHeuristic(fp8_lt->handle, fp8_kept.description, fp8_kept.first, fp8_kept.second,
                                         fp8_kept.result, fp8_kept.result, preference, HEURISTICS, found, &count);
    p_cublasLtMatmulPreferenceDestroy(preference);
    Fp8Trial trial[HEURISTICS];
    void *context[HEURISTICS];
    for (int i = 0; status == CUBLAS_STATUS_SUCCESS && i < count; i++)
        if (found[i].state == CUBLAS_STATUS_SUCCESS && fp8_run(&found[i].algo, stream)) {
            trial[usable] = (Fp8Trial){&found[i].algo, stream};
            context[usable] = &trial[usable];
            usable++;
        }
    if (usable == 0)
        return 0;
    fp8_kept.algorithm = *trial[vendor_fastest(fp8_trial, context, usable, stream)].algorithm;
    return 1;
}

static void fp8_forget(void)
{
    if (fp8_kept.description)
        p_cublasLtMatmulDescDestroy(fp8_kept.description);
    const cublasLtMatrixLayout_t layout[] = {fp8_kept.first, fp8_kept.second, fp8_kept.result};
    for (int i = 0; i < 3; i++)
        if (layout[i])
            p_cublasLtMatrixLayoutDestroy(layout[i]);
    fp8_kept = (Fp8Kept){0};
}

int vendor_gemm_fp8(const void *A, const void *B, void *C, const float *a_scales, const float *b_scales, size_t M,
                    size_t N, size_t K, cudaStream_t stream)
{
    Fp8Kept *k = &fp8_kept;
    if (!fp8_load()) {
        lab_skip("cuBLASLt was not found");
        return -1;
    }
    int ready = k->A == A && k->B == B && k->C == C && k->a_scales == a_scales && k->b_scales == b_scales &&
                k->M == M && k->N == N && k->K == K;
    if (!ready) {
        fp8_forget();
        k->A = A, k->B = B, k->C = C, k->a_scales = a_scales, k->b_scales = b_scales;
        k->M = M, k->N = N, k->K = K;
        ready = fp8_make() && fp8_search(stream);
    }
    if (!ready || !fp8_run(&k->algorithm, stream)) {
        lab_skip("cuBLASLt refuses this shape");
        return -1;
    }
    return 0;
}

void vendor_fp8_close(void) { fp8_forget(); }

#endif
