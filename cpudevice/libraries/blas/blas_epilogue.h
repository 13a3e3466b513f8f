/* blas_epilogue.h: what cublasLtMatmul() does to a product's elements after the sums: a bias, ReLU, GELU by tanh. */
#ifndef BLAS_EPILOGUE_H
#define BLAS_EPILOGUE_H

#include <math.h>

#include "cpudev_blas.h"

enum { EPILOGUE_RELU = 2, EPILOGUE_BIAS = 4, EPILOGUE_GELU = 32 }; /* cublasLtEpilogue_t's bits */

/* Hendrycks and Gimpel, "Gaussian Error Linear Units". What is not a number stays so. */
static inline double activation(int epilogue, double x)
{
    if (epilogue & EPILOGUE_RELU)
        return x <= 0 ? 0 : x;
    return epilogue & EPILOGUE_GELU ? 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))) : x;
}

#define FINISH(name, T)                                                                                                \
    static inline void name(const cpudev_blas_product *p, const double *bias, T *c, int ld)                            \
    {                                                                                                                  \
        for (int j = 0; j < p->n && p->epilogue; j++)                                                                  \
            for (int i = 0; i < p->m; i++) {                                                                           \
                T *const at = c + (size_t)j * (size_t)ld + i;                                                          \
                const T x = bias ? *at + (T)bias[p->bias_by_columns ? j : i] : *at;                                    \
                *at = (T)activation(p->epilogue, (double)x);                                                           \
            }                                                                                                          \
    }
FINISH(finish_floats, float)
FINISH(finish_doubles, double)

#endif
