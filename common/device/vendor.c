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

int vendor_gemm_lt(const void *A, const void *B, void *C, int type, LabType c_type, int form, size_t M, size_t N,
                   size_t K, cudaStream_t stream)
{
    (void)A, (void)B, (void)C, (void)type, (void)c_type, (void)form, (void)M, (void)N, (void)K, (void)stream;
    return none();
}

const char *vendor_versions(void) { return "none"; }
void vendor_add_version(const char *name, int number, int major_unit) { (void)name, (void)number, (void)major_unit; }
void vendor_inputs_changed(void) {}
void vendor_close(void) {}
void vendor_fastest_by(VendorFastest *fastest) { (void)fastest; }

#else

#include <cublasLt.h>
#include <cublas_v2.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vendor_open.h"

/* The linker takes vendor_sparse.c and the others from the library for the programs that call them. Only those have these. */
#pragma weak vendor_load_sparse
#pragma weak vendor_load_sparselt
#pragma weak vendor_sparse_close
#pragma weak vendor_sparselt_close
#pragma weak vendor_fp8_close

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

/* The functions we call, with the types of NVIDIA's headers, filled in by dlsym. */
/* clang-format off */
#define CUBLAS_FUNCTIONS(F) \
    F(cublasCreate_v2) \
    F(cublasDestroy_v2) \
    F(cublasSetStream_v2) \
    F(cublasSgemm_v2) \
    F(cublasGetVersion_v2)
#define LT_FUNCTIONS(F) \
    F(cublasLtCreate) \
    F(cublasLtDestroy) \
    F(cublasLtMatmul) \
    F(cublasLtMatmulDescCreate) \
    F(cublasLtMatmulDescSetAttribute) \
    F(cublasLtMatrixLayoutCreate) \
    F(cublasLtMatmulPreferenceCreate) \
    F(cublasLtMatmulPreferenceSetAttribute) \
    F(cublasLtMatmulAlgoGetHeuristic)
#define DECLARE(name) static __typeof__(&name) p_##name;
#define LOAD(name) \
    if (!(*(void **)&p_##name = dlsym(library, #name))) \
        return 0;
CUBLAS_FUNCTIONS(DECLARE)
LT_FUNCTIONS(DECLARE)
/* clang-format on */

static cublasHandle_t blas;
static VendorLt lt;

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
    int version = 0;
    p_cublasGetVersion_v2(blas, &version);
    vendor_add_version("cuBLAS", version, 10000);
    state = 1;
    return 1;
}

static int load_lt(void)
{
    void *library = lt.library =
        vendor_open((const char *const[]){"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so", NULL});
    if (!library)
        return 0;
    LT_FUNCTIONS(LOAD)
    return p_cublasLtCreate((cublasLtHandle_t *)&lt.handle) == CUBLAS_STATUS_SUCCESS &&
           cudaMalloc(&lt.workspace, VENDOR_WORKSPACE_BYTES) == cudaSuccess;
}

const VendorLt *vendor_load_lt(void)
{
    static int state; /* as above */
    if (!state)
        state = load_lt() ? 1 : -1;
    return state > 0 ? &lt : NULL;
}

unsigned vendor_inputs;

void vendor_inputs_changed(void) { vendor_inputs++; }

static char versions[256];

void vendor_add_version(const char *name, int number, int major_unit)
{
    const size_t used = strlen(versions);
    snprintf(versions + used, sizeof versions - used, "%s%s %d.%d.%d", used ? ", " : "", name, number / major_unit,
             number % major_unit / 100, number % 100);
}

const char *vendor_versions(void)
{
    load_blas();
    if (vendor_load_sparse)
        vendor_load_sparse();
    if (vendor_load_sparselt)
        vendor_load_sparselt();
    return *versions ? versions : "none";
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

/* A shape whose algorithm has been chosen; a short list, searched in order. */
struct LtPlan;
typedef struct LtPlan {
    struct LtPlan *next;
    int type, c_type, form;
    size_t M, N, K;
    cublasLtMatmulDesc_t description;
    cublasLtMatrixLayout_t first, second, result;
    cublasLtMatmulAlgo_t algorithm;
    int usable;
} LtPlan;
static LtPlan *lt_plans;

static int lt_run(const LtPlan *p, const cublasLtMatmulAlgo_t *algorithm, const void *A, const void *B, void *C,
                  cudaStream_t stream)
{
    const float one_f = 1, zero_f = 0;
    const int one_i = 1, zero_i = 0;
    int integer = p->type == LAB_S8;
    return p_cublasLtMatmul(lt.handle, p->description, integer ? (const void *)&one_i : &one_f, B, p->first, A,
                            p->second, integer ? (const void *)&zero_i : &zero_f, C, p->result, C, p->result, algorithm,
                            lt.workspace, VENDOR_WORKSPACE_BYTES, stream) == CUBLAS_STATUS_SUCCESS;
}

static int lt_make(LtPlan *p)
{
    cudaDataType in = p->type == LAB_BF16      ? CUDA_R_16BF
                      : p->type == LAB_F16     ? CUDA_R_16F
                      : p->type == LAB_S8      ? CUDA_R_8I
                      : p->type == VENDOR_E4M3 ? CUDA_R_8F_E4M3
                                               : CUDA_R_32F;
    cudaDataType out = p->c_type == LAB_BF16 ? CUDA_R_16BF : p->c_type == LAB_S32 ? CUDA_R_32I : CUDA_R_32F;
    cublasComputeType_t compute = p->type == LAB_S8 ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F;
    cudaDataType scale = p->type == LAB_S8 ? CUDA_R_32I : CUDA_R_32F;
    const int b_turned = p->form & VENDOR_B_TURNED, a_turned = p->form & VENDOR_A_TURNED;
    cublasOperation_t op = b_turned ? CUBLAS_OP_T : CUBLAS_OP_N, op_a = a_turned ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasLtEpilogue_t last = p->form & VENDOR_RELU ? CUBLASLT_EPILOGUE_RELU : CUBLASLT_EPILOGUE_DEFAULT;
    return p_cublasLtMatmulDescCreate(&p->description, compute, scale) == CUBLAS_STATUS_SUCCESS &&
           p_cublasLtMatmulDescSetAttribute(p->description, CUBLASLT_MATMUL_DESC_TRANSA, &op, sizeof op) ==
               CUBLAS_STATUS_SUCCESS &&
           p_cublasLtMatmulDescSetAttribute(p->description, CUBLASLT_MATMUL_DESC_TRANSB, &op_a, sizeof op_a) ==
               CUBLAS_STATUS_SUCCESS &&
           p_cublasLtMatmulDescSetAttribute(p->description, CUBLASLT_MATMUL_DESC_EPILOGUE, &last, sizeof last) ==
               CUBLAS_STATUS_SUCCESS &&
           (b_turned
                ? p_cublasLtMatrixLayoutCreate(&p->first, in, p->K, p->N, (int64_t)p->K)
                : p_cublasLtMatrixLayoutCreate(&p->first, in, p->N, p->K, (int64_t)p->N)) == CUBLAS_STATUS_SUCCESS &&
           (a_turned
                ? p_cublasLtMatrixLayoutCreate(&p->second, in, p->M, p->K, (int64_t)p->M)
                : p_cublasLtMatrixLayoutCreate(&p->second, in, p->K, p->M, (int64_t)p->K)) == CUBLAS_STATUS_SUCCESS &&
           p_cublasLtMatrixLayoutCreate(&p->result, out, p->N, p->M, (int64_t)p->N) == CUBLAS_STATUS_SUCCESS;
}

static VendorFastest *fastest_of; /* NULL: the first will do */

void vendor_fastest_by(VendorFastest *fastest) { fastest_of = fastest; }

int vendor_fastest(void (*run)(void *context), void *const *context, int count, cudaStream_t stream)
{
    return fastest_of ? fastest_of(run, context, count, stream) : 0;
}

/* One of the heuristics on one problem, to be timed. */
typedef struct LtTrial {
    const LtPlan *plan;
    const cublasLtMatmulAlgo_t *algorithm;
    const void *A, *B;
    void *C;
    cudaStream_t stream;
} LtTrial;

static void lt_trial(void *context)
{
    const LtTrial *t = context;
    lt_run(t->plan, t->algorithm, t->A, t->B, t->C, t->stream);
}

/* Asks for up to 8 heuristics and keeps the fastest. */
static int lt_search(LtPlan *p, const void *A, const void *B, void *C, cudaStream_t stream)
{
    enum { HEURISTICS = 8 };
    cublasLtMatmulPreference_t preference;
    size_t limit = VENDOR_WORKSPACE_BYTES;
    cublasLtMatmulHeuristicResult_t found[HEURISTICS];
    int count = 0, usable = 0;
    if (p_cublasLtMatmulPreferenceCreate(&preference) != CUBLAS_STATUS_SUCCESS)
        return 0;
    p_cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &limit, sizeof limit);
    if (p_cublasLtMatmulAlgoGetHeuristic(lt.handle, p->description, p->first, p->second, p->result, p->result,
                                         preference, HEURISTICS, found, &count) != CUBLAS_STATUS_SUCCESS)
        return 0;
    LtTrial trial[HEURISTICS];
    void *context[HEURISTICS];
    for (int i = 0; i < count; i++)
        if (found[i].state == CUBLAS_STATUS_SUCCESS && lt_run(p, &found[i].algo, A, B, C, stream)) {
            trial[usable] = (LtTrial){p, &found[i].algo, A, B, C, stream};
            context[usable] = &trial[usable];
            usable++;
        }
    if (usable == 0)
        return 0;
    p->algorithm = *trial[vendor_fastest(lt_trial, context, usable, stream)].algorithm;
    return 1;
}

int vendor_gemm_lt(const void *A, const void *B, void *C, int type, LabType c_type, int form, size_t M, size_t N,
                   size_t K, cudaStream_t stream)
{
    if (!vendor_load_lt()) {
        lab_skip("cuBLASLt was not found");
        return -1;
    }
    LtPlan *p = lt_plans;
    while (p &&
           !(p->type == type && p->c_type == (int)c_type && p->form == form && p->M == M && p->N == N && p->K == K))
        p = p->next;
    if (!p) {
        p = (LtPlan *)calloc(1, sizeof *p);
        p->type = type, p->c_type = (int)c_type, p->form = form;
        p->M = M, p->N = N, p->K = K;
        p->usable = lt_make(p) && lt_search(p, A, B, C, stream);
        p->next = lt_plans;
        lt_plans = p;
    }
    if (!p->usable || !lt_run(p, &p->algorithm, A, B, C, stream)) {
        lab_skip("cuBLASLt refuses this type or shape");
        return -1;
    }
    return 0;
}

void vendor_close(void)
{
    if (vendor_sparse_close)
        vendor_sparse_close();
    if (vendor_sparselt_close)
        vendor_sparselt_close();
    if (vendor_fp8_close)
        vendor_fp8_close();
    if (blas)
        p_cublasDestroy_v2(blas);
    if (lt.handle)
        p_cublasLtDestroy(lt.handle);
    CUDA_CHECK(cudaFree(lt.workspace));
    while (lt_plans) {
        LtPlan *next = lt_plans->next;
        free(lt_plans);
        lt_plans = next;
    }
    blas = NULL, lt.handle = lt.workspace = NULL;
}

#endif
