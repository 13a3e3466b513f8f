/* cpudev_blas.h: products of matrices on OpenBLAS, which cublas_v2.h and cublasLt.h ask for before they take loops of
 * their own. C-clean. */
#ifndef CPUDEV_BLAS_H
#define CPUDEV_BLAS_H

#include "cuda_runtime_api.h"
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* C (m x n) = alpha op(A) (m x k) op(B) (k x n) + beta C, `batches` times; matrices by columns.
 * Types of A, B: both CUDA_R_32F, R_64F, C_32F, C_64F, R_16F or R_16BF; of C: the same, or R_32F for the last two.
 * alpha and beta are of type `scale`: on the device, or, where alpha_at is NULL, alpha and beta (real, imaginary part). */
typedef struct cpudev_blas_product {
    int op_a, op_b; /* cublasOperation_t */
    int m, n, k, lda, ldb, ldc, batches;
    cudaDataType ab_type, c_type, scale;
    int pointers; /* a, b and c are arrays on the device of pointers to each batch's matrix; else strides in elements */
    const void *a, *b;
    void *c;
    long long stride_a, stride_b, stride_c;
    const void *alpha_at, *beta_at;
    double alpha[2], beta[2];
    /* cublasLtMatmul()'s, of real types: bits of cublasLtEpilogue_t for ReLU (2), a bias (4), GELU by tanh (32). The bias
     * is a number for each row of C, or column, of type bias_type: R_32F, R_64F, R_16F or R_16BF. */
    int epilogue, bias_by_columns;
    cudaDataType bias_type;
    const void *bias;
    long long bias_stride; /* from one batch to the next, in elements */
} cpudev_blas_product;

/* Puts the product on the stream, as kernels of this name, which is kept. False: nothing was done, since OpenBLAS is not
 * installed or has no product of these types. Weak: libraries/blas/blas.c is linked where -lcublas is. */
int cpudev_blas_gemm(cudaStream_t stream, const char *name, const cpudev_blas_product *product) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
