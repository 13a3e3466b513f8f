/*
 * cublas_lt_matmul.h: cublasLtMatmul() and its heuristic: what a product's descriptions ask for is checked and becomes
 * one CpudevLtProduct, which a kernel of cublas_lt_kernels.h computes on the stream. Comes with cublasLt.h.
 *
 * Types of A and B: float, half, bf16 and fp8 (e4m3 and e5m2, not e5m2 twice) with sums in float, half with sums of type
 * 16F, double, int8 with sums in int. D: A's type or float; half, bf16 or float for fp8; int for int8.
 */
#ifndef CUBLAS_LT_MATMUL_H_
#define CUBLAS_LT_MATMUL_H_

#include <limits.h>

#include "cublas_lt_kernels.h"

#define CPUDEV_LT_ALGO UINT64_C(0x6370756465760001) /* an algorithm's first word: there is one algorithm */

CPUDEV_BLAS cublasStatus_t cpudev_lt_refuse(const char *what)
{
    fprintf(stderr, "cublasLtMatmul: %s: the CPU device does not have it\n", what);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

CPUDEV_BLAS bool cpudev_lt_fp8(int type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

/* The kernel for these types of A, B and D, of the sums and of alpha; NULL: none. */
typedef void (*CpudevLtKernel)(CpudevLtProduct);
CPUDEV_BLAS CpudevLtKernel cpudev_lt_kernel(int compute, int scale, int a, int b, int d)
{
    const bool pedantic = compute == CUBLAS_COMPUTE_16F_PEDANTIC || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                          compute == CUBLAS_COMPUTE_64F_PEDANTIC || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    switch (pedantic ? compute - 1 : compute) {
    case CUBLAS_COMPUTE_64F:
        return scale == CUDA_R_64F && a == scale && b == a && d == a ? cpudev_lt_matmul<double, double, double, double>
                                                                     : NULL;
    case CUBLAS_COMPUTE_16F:
        return scale == CUDA_R_16F && a == scale && b == a && d == a ? cpudev_lt_matmul<__half, __half, float, float>
                                                                     : NULL;
    case CUBLAS_COMPUTE_32I:
        return scale == CUDA_R_32I && a == CUDA_R_8I && b == a && d == CUDA_R_32I
                   ? cpudev_lt_matmul<signed char, signed char, int, int>
                   : NULL;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: break;
    default: return NULL;
    }
    const bool fp8 = cpudev_lt_fp8(a) && cpudev_lt_fp8(b);
    if (scale != CUDA_R_32F || (d != CUDA_R_32F && (fp8 ? d != CUDA_R_16F && d != CUDA_R_16BF : d != a)))
        return NULL;
    if (fp8 && a == CUDA_R_8F_E4M3)
        return b == a ? cpudev_lt_matmul<__nv_fp8_e4m3, __nv_fp8_e4m3, float, float>
                      : cpudev_lt_matmul<__nv_fp8_e4m3, __nv_fp8_e5m2, float, float>;
    if (fp8)
        return b == CUDA_R_8F_E4M3 ? cpudev_lt_matmul<__nv_fp8_e5m2, __nv_fp8_e4m3, float, float> : NULL;
    if (a != b)
        return NULL;
    return a == CUDA_R_32F    ? cpudev_lt_matmul<float, float, float, float>
           : a == CUDA_R_16F  ? cpudev_lt_matmul<__half, __half, float, float>
           : a == CUDA_R_16BF ? cpudev_lt_matmul<__nv_bfloat16, __nv_bfloat16, float, float>
                              : NULL;
}

/* op(x): where its elements lie. False: a leading dimension that is too small, or negative sizes. */
CPUDEV_BLAS bool cpudev_lt_matrix(const cublasLtMatrixLayoutOpaque_t *l, bool transposed, const void *p,
                                  CpudevLtMatrix *x)
{
    const bool by_rows = l->order == CUBLASLT_ORDER_ROW;
    if (l->ld < (int64_t)(by_rows ? l->columns : l->rows) || l->batches < 1)
        return false;
    const bool swapped = by_rows != transposed;
    *x = CpudevLtMatrix{(void *)p, l->type, swapped ? l->ld : 1, swapped ? 1 : l->ld, l->stride};
    return true;
}

/* What no kernel has. */
CPUDEV_BLAS const char *cpudev_lt_missing(const cublasLtMatmulDescOpaque_t *d,
                                          const cublasLtMatrixLayoutOpaque_t *const l[4])
{
    for (int i = 0; i < 4; i++) {
        if (l[i]->order != CUBLASLT_ORDER_COL && l[i]->order != CUBLASLT_ORDER_ROW)
            return "a matrix's order but COL and ROW";
        if (l[i]->batch_mode != CUBLASLT_BATCH_MODE_STRIDED || l[i]->plane)
            return "batches by pointers, and planes";
    }
    if (d->op_c != CUBLAS_OP_N || d->fill != CUBLAS_FILL_MODE_FULL)
        return "TRANSC, and FILL_MODE but FULL";
    if (d->mode_a || d->mode_b || d->mode_c || d->mode_d || d->mode_aux || d->scale_c || d->scale_d || d->scale_d_out ||
        d->scale_aux || d->amax_d || d->amax_aux)
        return "a scale mode but SCALAR_32F, a scale but A's and B's, and AMAX";
    if ((d->scale_a && !cpudev_lt_fp8(l[0]->type)) || (d->scale_b && !cpudev_lt_fp8(l[1]->type)))
        return "a scale of a matrix that is not fp8";
    switch (d->epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_BIAS: break;
    default: return "this epilogue";
    }
    return d->pointer_mode == CUBLASLT_POINTER_MODE_HOST || d->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE
               ? NULL
               : "a pointer mode but HOST and DEVICE";
}

/* The bias, whose type defaults to D's (fp8 with D in float: bf16), and fp8's scales. */
CPUDEV_BLAS void cpudev_lt_extras(const cublasLtMatmulDescOpaque_t *d, const cublasLtMatrixLayoutOpaque_t *const l[4],
                                  CpudevLtProduct *q)
{
    const int out = l[3]->type, usual = cpudev_lt_fp8(l[0]->type) && out == CUDA_R_32F ? CUDA_R_16BF : out;
    q->bias = CpudevLtMatrix{d->bias, d->bias_type < 0 ? usual : d->bias_type, 1, 0, d->bias_stride};
    q->epilogue = d->epilogue;
    q->scale_a = (const float *)d->scale_a, q->scale_b = (const float *)d->scale_b;
}

/* Checks everything but the pointers. */
CPUDEV_BLAS cublasStatus_t cpudev_lt_plan(const cublasLtMatmulDescOpaque_t *d,
                                          const cublasLtMatrixLayoutOpaque_t *const l[4], const void *const p[4],
                                          CpudevLtProduct *q, CpudevLtKernel *kernel)
{
    if (!d || !l[0] || !l[1] || !l[2] || !l[3])
        return CUBLAS_STATUS_INVALID_VALUE;
    *q = CpudevLtProduct();
    const char *const missing = cpudev_lt_missing(d, l);
    if (missing)
        return cpudev_lt_refuse(missing);
    const int out = l[3]->type;
    *kernel = cpudev_lt_kernel(d->compute, d->scale, l[0]->type, l[1]->type, out);
    if (!*kernel || l[2]->type != out) {
        char text[160];
        snprintf(text, sizeof text, "types %d, %d, %d, %d of A, B, C, D, compute type %d, scale type %d", l[0]->type,
                 l[1]->type, l[2]->type, out, d->compute, d->scale);
        return cpudev_lt_refuse(text);
    }
    const bool ta = d->op_a != CUBLAS_OP_N, tb = d->op_b != CUBLAS_OP_N;
    if (!cpudev_lt_matrix(l[0], ta, p[0], &q->a) || !cpudev_lt_matrix(l[1], tb, p[1], &q->b) ||
        !cpudev_lt_matrix(l[2], false, p[2], &q->c) || !cpudev_lt_matrix(l[3], false, p[3], &q->d))
        return CUBLAS_STATUS_INVALID_VALUE;
    const uint64_t m = l[3]->rows, n = l[3]->columns, k = ta ? l[0]->rows : l[0]->columns;
    if ((ta ? l[0]->columns : l[0]->rows) != m || (tb ? l[1]->columns : l[1]->rows) != k ||
        (tb ? l[1]->rows : l[1]->columns) != n || l[2]->rows != m || l[2]->columns != n)
        return CUBLAS_STATUS_INVALID_VALUE;
    q->m = (long long)m, q->n = (long long)n, q->k = (long long)k, q->batches = l[3]->batches;
    for (int i = 0; i < 3; i++)
        if (l[i]->batches != q->batches)
            return CUBLAS_STATUS_INVALID_VALUE;
    cpudev_lt_extras(d, l, q);
    return CUBLAS_STATUS_SUCCESS;
}

/* alpha and beta: numbers in host or device memory. */
CPUDEV_BLAS void cpudev_lt_factors(const cublasLtMatmulDescOpaque_t *d, const void *alpha, const void *beta,
                                   CpudevLtProduct *q)
{
    const CpudevLtMatrix a = {(void *)alpha, d->scale, 0, 0, 0}, b = {(void *)beta, d->scale, 0, 0, 0};
    if (d->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE) {
        q->alpha = a;
        q->beta = b;
        return;
    }
    q->alpha_value = cpudev_lt_load<double>(a, 0);
    q->beta_value = cpudev_lt_load<double>(b, 0);
}

/* op(x) as BLAS has it, by columns, in a product whose sides are turned where D is stored by rows. */
CPUDEV_BLAS bool cpudev_lt_blas_matrix(const CpudevLtMatrix *x, bool turned, int *op, int *ld)
{
    const bool by_columns = x->row_step == 1;
    const long long step = by_columns ? x->column_step : x->row_step;
    *op = by_columns != turned ? CUBLAS_OP_N : CUBLAS_OP_T;
    *ld = step > 1 ? (int)step : 1;
    return (by_columns || x->column_step == 1) && step <= INT_MAX;
}

/* By OpenBLAS, where it is and has this product; else false: nothing was done. */
CPUDEV_BLAS bool cpudev_lt_on_blas(const cublasLtMatmulDescOpaque_t *d, const CpudevLtProduct *q, cudaStream_t stream)
{
    const bool turned = q->d.row_step != 1; /* D^T = op(B)^T op(A)^T */
    const CpudevLtMatrix *const first = turned ? &q->b : &q->a, *const second = turned ? &q->a : &q->b;
    const bool in_place = q->c.p == q->d.p && q->c.row_step == q->d.row_step && q->c.column_step == q->d.column_step &&
                          q->c.stride == q->d.stride;
    cpudev_blas_product p = {};
    int op;
    if (!&cpudev_blas_gemm || q->scale_a || q->scale_b || q->m > INT_MAX || q->n > INT_MAX || q->k > INT_MAX ||
        ((q->beta.p || q->beta_value != 0) && !in_place) || !cpudev_lt_blas_matrix(first, turned, &p.op_a, &p.lda) ||
        !cpudev_lt_blas_matrix(second, turned, &p.op_b, &p.ldb) || !cpudev_lt_blas_matrix(&q->d, turned, &op, &p.ldc))
        return false;
    p.m = (int)(turned ? q->n : q->m), p.n = (int)(turned ? q->m : q->n), p.k = (int)q->k, p.batches = q->batches;
    p.ab_type = first->type == second->type ? (cudaDataType)first->type : CUDA_R_8I;
    p.c_type = (cudaDataType)q->d.type, p.scale = (cudaDataType)d->scale;
    p.a = first->p, p.stride_a = first->stride, p.b = second->p, p.stride_b = second->stride;
    p.c = q->d.p, p.stride_c = q->d.stride;
    p.alpha_at = q->alpha.p, p.beta_at = q->beta.p;
    p.alpha[0] = q->alpha_value, p.beta[0] = q->beta_value;
    p.epilogue = q->epilogue & ~CUBLASLT_EPILOGUE_DEFAULT, p.bias_by_columns = turned;
    p.bias = q->bias.p, p.bias_type = (cudaDataType)q->bias.type, p.bias_stride = q->bias.stride;
    return cpudev_blas_gemm(stream, "cublasLtMatmul", &p);
}

CPUDEV_BLAS cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void *alpha, const void *a,
                                          cublasLtMatrixLayout_t la, const void *b, cublasLtMatrixLayout_t lb,
                                          const void *beta, const void *c, cublasLtMatrixLayout_t lc, void *out,
                                          cublasLtMatrixLayout_t ld, const cublasLtMatmulAlgo_t *algo, void *, size_t,
                                          cudaStream_t stream)
{
    const cublasLtMatrixLayoutOpaque_t *const l[4] = {la, lb, lc, ld};
    const void *const p[4] = {a, b, c, out};
    CpudevLtProduct q;
    CpudevLtKernel kernel;
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const cublasStatus_t status = cpudev_lt_plan(d, l, p, &q, &kernel);
    if (status)
        return status;
    if (!alpha || !beta || ((q.epilogue & CUBLASLT_EPILOGUE_BIAS) && !q.bias.p) ||
        (algo && algo->data[0] != CPUDEV_LT_ALGO))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!q.m || !q.n)
        return CUBLAS_STATUS_SUCCESS;
    cpudev_lt_factors(d, alpha, beta, &q);
    if ((!q.beta.p && q.beta_value != 0 && !c) || !out || (q.k && (!a || !b)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (cpudev_lt_on_blas(d, &q, stream))
        return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
    kernel<<<dim3((unsigned)((q.m + 127) / 128), (unsigned)(q.n < 65535 ? q.n : 65535),
                  (unsigned)(q.batches < 65535 ? q.batches : 65535)),
             128, 0, stream>>>(q);
    return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

CPUDEV_BLAS cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t d,
                                                          cublasLtMatrixLayout_t la, cublasLtMatrixLayout_t lb,
                                                          cublasLtMatrixLayout_t lc, cublasLtMatrixLayout_t ld,
                                                          cublasLtMatmulPreference_t, int wanted,
                                                          cublasLtMatmulHeuristicResult_t *results, int *found)
{
    const cublasLtMatrixLayoutOpaque_t *const l[4] = {la, lb, lc, ld};
    const void *const p[4] = {NULL, NULL, NULL, NULL};
    CpudevLtProduct q;
    CpudevLtKernel kernel;
    if (!h || wanted < 1 || !results || !found)
        return h ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_INITIALIZED;
    *found = 0;
    const cublasStatus_t status = cpudev_lt_plan(d, l, p, &q, &kernel);
    if (status)
        return status;
    results[0] = cublasLtMatmulHeuristicResult_t();
    results[0].algo.data[0] = CPUDEV_LT_ALGO;
    results[0].wavesCount = 1;
    *found = 1;
    return CUBLAS_STATUS_SUCCESS;
}
CPUDEV_BLAS cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t h, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t a,
                                                   cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                                   cublasLtMatrixLayout_t out, const cublasLtMatmulAlgo_t *algo,
                                                   cublasLtMatmulHeuristicResult_t *result)
{
    int found;
    if (!algo || algo->data[0] != CPUDEV_LT_ALGO)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cublasLtMatmulAlgoGetHeuristic(h, d, a, b, c, out, NULL, 1, result, &found);
}

#endif
