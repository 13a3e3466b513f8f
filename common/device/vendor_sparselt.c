/* vendor_sparselt.c: the 2:4 sparse product by cuSPARSELt, opened at run time. The library is no part of the CUDA
 * Toolkit: it is looked for on the loader's path, in the toolkit, and among the packages of python3 (where PyTorch
 * brings it along); CUSPARSELT_LIBRARY=FILE names it outright.
 *
 * The toolkit has no header for it. The few declarations below follow its documentation ("cuSPARSELt: A
 * High-Performance CUDA Library for Sparse Matrix-Matrix Multiplication", the chapters on types and functions), version
 * 0.6 and later. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* popen, glob */
#endif
#include "vendor.h"

#include "error.h"
#include "skip.h"

#ifdef LAB_CPU

int vendor_gemm_sparse24(const void *A, const void *B, void *C, int type, LabType c_type, int b_transposed, size_t M,
                         size_t N, size_t K, int search, cudaStream_t stream)
{
    (void)A, (void)B, (void)C, (void)type, (void)c_type, (void)b_transposed, (void)M, (void)N, (void)K, (void)search;
    (void)stream;
    lab_skip("no vendor library on the CPU device");
    return -1;
}

void vendor_sparselt_close(void) {}

#else

#include <dlfcn.h>
#include <glob.h>
#include <library_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vendor_open.h"

/* The library's descriptors are opaque bytes, 512 in 0.10 and 11024 in 0.5; all are given more than any needs. */
typedef struct {
    _Alignas(64) unsigned char data[16384];
} Opaque;
enum {
    SPARSITY_50 = 0,
    COMPUTE_32I = 0,
    COMPUTE_32F = 2,
    ALG_DEFAULT = 0,
    ORDER_ROW = 2,
    NOT_TRANSPOSED = 0,
    TRANSPOSED = 1
};
/* cusparseStatus_t, cusparseOrder_t, cusparseOperation_t and the like are ints; status 0 is success. */

static int (*p_init)(Opaque *handle);
static int (*p_dense)(const Opaque *, Opaque *matrix, int64_t rows, int64_t cols, int64_t ld, uint32_t alignment,
                      cudaDataType type, int order);
static int (*p_structured)(const Opaque *, Opaque *matrix, int64_t rows, int64_t cols, int64_t ld, uint32_t alignment,
                           cudaDataType type, int order, int sparsity);
static int (*p_description)(const Opaque *, Opaque *matmul, int a, int b, const Opaque *mat_a, const Opaque *mat_b,
                            const Opaque *mat_c, const Opaque *mat_d, int compute);
static int (*p_selection)(const Opaque *, Opaque *selection, const Opaque *matmul, int algorithm);
static int (*p_plan)(const Opaque *, Opaque *plan, const Opaque *matmul, const Opaque *selection);
static int (*p_workspace)(const Opaque *, const Opaque *plan, size_t *bytes);
static int (*p_size)(const Opaque *, const Opaque *plan, size_t *bytes, size_t *buffer_bytes);
static int (*p_compress)(const Opaque *, const Opaque *plan, const void *dense, void *compressed, void *buffer,
                         cudaStream_t stream);
typedef int Run(const Opaque *, const Opaque *plan, const void *alpha, const void *A, const void *B, const void *beta,
                const void *C, void *D, void *workspace, cudaStream_t *streams, int32_t stream_count);
static Run *p_matmul, *p_search;
static int (*p_version)(const Opaque *, int *version);
static int (*p_destroy_plan)(const Opaque *plan);
static Opaque handle;

static void *open_library(void)
{
    const char *named = getenv("CUSPARSELT_LIBRARY");
    if (named)
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    void *library = vendor_open((const char *const[]){"libcusparseLt.so.0", "libcusparseLt.so", NULL});
    if (library)
        return library;
    FILE *python = popen("python3 -c 'import nvidia; print(list(nvidia.__path__)[0])' 2>/dev/null", "r");
    if (!python)
        return NULL;
    char pattern[1024] = "";
    char *line = fgets(pattern, 900, python);
    pclose(python);
    if (!line)
        return NULL;
    pattern[strcspn(pattern, "\n")] = 0;
    strcat(pattern, "/*/lib/libcusparseLt.so.0");
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc)
        library = dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_LOCAL);
    globfree(&found);
    return library;
}

int vendor_load_sparselt(void)
{
    static int state; /* 0 not tried, 1 there, -1 not */
    if (state)
        return state > 0;
    state = -1;
    void *library = open_library();
    if (!library)
        return 0;
    const struct {
        void *to;
        const char *name;
    } functions[] = {
        {&p_init, "cusparseLtInit"},
        {&p_dense, "cusparseLtDenseDescriptorInit"},
        {&p_structured, "cusparseLtStructuredDescriptorInit"},
        {&p_description, "cusparseLtMatmulDescriptorInit"},
        {&p_selection, "cusparseLtMatmulAlgSelectionInit"},
        {&p_plan, "cusparseLtMatmulPlanInit"},
        {&p_workspace, "cusparseLtMatmulGetWorkspace"},
        {&p_size, "cusparseLtSpMMACompressedSize"},
        {&p_compress, "cusparseLtSpMMACompress"},
        {&p_matmul, "cusparseLtMatmul"},
        {&p_search, "cusparseLtMatmulSearch"},
        {&p_version, "cusparseLtGetVersion"},
        {&p_destroy_plan, "cusparseLtMatmulPlanDestroy"},
    };
    for (int i = 0; i < (int)(sizeof functions / sizeof *functions); i++) {
        void *f = dlsym(library, functions[i].name);
        if (!f)
            return 0;
        memcpy(functions[i].to, &f, sizeof f);
    }
    int version = 0;
    if (p_init(&handle) || p_version(&handle, &version))
        return 0;
    vendor_add_version("cuSPARSELt", version, 1000);
    state = 1;
    return 1;
}

/* A problem that has been prepared. The descriptors point at one another, so a plan never moves. */
typedef struct Plan {
    struct Plan *next;
    const void *A;
    int type, c_type, b_transposed, search;
    size_t M, N, K;
    Opaque a, b, c, matmul, selection, plan;
    void *compressed;
    const char *refused;
    int has_plan;
    unsigned compressed_in; /* vendor_inputs, when A was compressed */
} Plan;
static Plan *plans;
static void *workspace; /* of all plans: one product runs at a time */

static cudaDataType data_type(int type)
{
    return type == LAB_BF16      ? CUDA_R_16BF
           : type == LAB_F16     ? CUDA_R_16F
           : type == LAB_S8      ? CUDA_R_8I
           : type == VENDOR_E4M3 ? CUDA_R_8F_E4M3
           : type == LAB_S32     ? CUDA_R_32I
                                 : CUDA_R_32F;
}

static const char *compress(Plan *p, cudaStream_t stream)
{
    enum { SLACK = 64 << 10 }; /* its kernels read past the size that it asks for */
    size_t bytes, buffer_bytes;
    void *buffer = NULL;
    if (p_size(&handle, &p->plan, &bytes, &buffer_bytes) ||
        (!p->compressed && cudaMalloc(&p->compressed, bytes + SLACK) != cudaSuccess) ||
        cudaMalloc(&buffer, buffer_bytes ? buffer_bytes : 1) != cudaSuccess)
        return "no memory for cuSPARSELt's compressed matrix";
    const int failed =
        p_compress(&handle, &p->plan, p->A, p->compressed, buffer, stream) || cudaStreamSynchronize(stream);
    cudaFree(buffer);
    p->compressed_in = vendor_inputs;
    return failed ? "cuSPARSELt could not compress the matrix" : NULL;
}

static const char *prepare(Plan *p, const void *B, void *C, cudaStream_t stream)
{
    const float one = 1, zero = 0;
    const cudaDataType in = data_type(p->type), out = data_type(p->c_type);
    const int64_t M = (int64_t)p->M, N = (int64_t)p->N, K = (int64_t)p->K;
    if (p_structured(&handle, &p->a, M, K, K, 16, in, ORDER_ROW, SPARSITY_50) ||
        p_dense(&handle, &p->b, p->b_transposed ? N : K, p->b_transposed ? K : N, p->b_transposed ? K : N, 16, in,
                ORDER_ROW) ||
        p_dense(&handle, &p->c, M, N, N, 16, out, ORDER_ROW) ||
        p_description(&handle, &p->matmul, NOT_TRANSPOSED, p->b_transposed ? TRANSPOSED : NOT_TRANSPOSED, &p->a, &p->b,
                      &p->c, &p->c, p->type == LAB_S8 ? COMPUTE_32I : COMPUTE_32F) ||
        p_selection(&handle, &p->selection, &p->matmul, ALG_DEFAULT) ||
        p_plan(&handle, &p->plan, &p->matmul, &p->selection))
        return "cuSPARSELt refuses this type or shape";
    p->has_plan = 1;
    const char *why = compress(p, stream);
    if (why)
        return why;
    /* The search tries algorithms whose workspace differs: give it room, then ask what the winner needs. */
    enum { ROOM = 256 << 20 };
    size_t workspace_bytes;
    if (!workspace && cudaMalloc(&workspace, ROOM) != cudaSuccess)
        return "no memory for cuSPARSELt's workspace";
    if (p->search && p_search(&handle, &p->plan, &one, p->compressed, B, &zero, C, C, workspace, &stream, 1))
        return "cuSPARSELt's algorithm search failed";
    if (p_workspace(&handle, &p->plan, &workspace_bytes) || workspace_bytes > ROOM)
        return "cuSPARSELt needs more workspace than was set aside";
    return NULL;
}

int vendor_gemm_sparse24(const void *A, const void *B, void *C, int type, LabType c_type, int b_transposed, size_t M,
                         size_t N, size_t K, int search, cudaStream_t stream)
{
    const float one = 1, zero = 0; /* the scales are floats for every type, integers included */
    if (!vendor_load_sparselt()) {
        lab_skip("cuSPARSELt was not found (CUSPARSELT_LIBRARY=FILE names it)");
        return -1;
    }
    Plan *p = plans;
    while (p && !(p->A == A && p->type == type && p->c_type == (int)c_type && p->b_transposed == b_transposed &&
                  p->search == !!search && p->M == M && p->N == N && p->K == K))
        p = p->next;
    if (!p) {
        p = (Plan *)aligned_alloc(64, (sizeof *p + 63) / 64 * 64);
        memset(p, 0, sizeof *p);
        p->A = A, p->type = type, p->c_type = (int)c_type, p->b_transposed = b_transposed, p->search = !!search;
        p->M = M, p->N = N, p->K = K;
        p->refused = prepare(p, B, C, stream);
        p->next = plans;
        plans = p;
    }
    if (!p->refused && p->compressed_in != vendor_inputs)
        p->refused = compress(p, stream);
    if (p->refused || p_matmul(&handle, &p->plan, &one, p->compressed, B, &zero, C, C, workspace, &stream, 1)) {
        lab_skip("%s", p->refused ? p->refused : "cuSPARSELt failed");
        return -1;
    }
    return 0;
}

void vendor_sparselt_close(void)
{
    while (plans) {
        Plan *next = plans->next;
        if (plans->has_plan)
            p_destroy_plan(&plans->plan);
        CUDA_CHECK(cudaFree(plans->compressed));
        free(plans);
        plans = next;
    }
    CUDA_CHECK(cudaFree(workspace));
    workspace = NULL;
}

#endif
