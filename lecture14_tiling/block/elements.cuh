/* elements.cuh: gelu and its derivative, and the kernels that a rung without fused epilogues runs after a product. */
#ifndef BLOCK_ELEMENTS_CUH
#define BLOCK_ELEMENTS_CUH

#include "../../lecture05_shared_memory/vectors.cuh"
#include "problem.cuh"

/* gelu(x) = x / (1 + exp(-2u)), u = sqrt(2 / pi) (x + 0.044715 x^3): the tanh approximation of Hendrycks and Gimpel
 * (arXiv:1606.08415), as in lecture 1's gelu; and its derivative, which needs the same exponential. */
__device__ __forceinline__ float gelu(float x, float *slope)
{
    const float c = 0.7978845608028654f, square = 0.044715f * x * x;
    const float s = __fdividef(1.0f, 1.0f + exp2f(-2 * 1.4426950408889634f * c * x * (1 + square)));
    *slope = s + x * s * (1 - s) * (2 * c + 6 * c * square);
    return x * s;
}

/* Eight elements per thread; `count` is a multiple of eight. In place; GELU writes its second result to `more`. */
template <int EPILOGUE>
__global__ void __launch_bounds__(256)
    block_elements_kernel(Vector<__nv_bfloat16> *c, const Vector<__nv_bfloat16> *with, Vector<__nv_bfloat16> *more,
                          size_t count)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i >= count / 8)
        return;
    float v[8], w[8];
    Vector<__nv_bfloat16> result;
    c[i].get(v);
    if (EPILOGUE != GELU)
        with[i].get(w);
#pragma unroll
    for (int j = 0; j < 8; j++)
        if (EPILOGUE == GELU)
            w[j] = gelu(v[j], &v[j]);
        else
            v[j] = EPILOGUE == ADD ? v[j] + w[j] : v[j] * w[j];
    result.set(v);
    c[i] = result;
    if (EPILOGUE == GELU) {
        result.set(w);
        more[i] = result;
    }
}

static void block_elements(int epilogue, const Product *p, cudaStream_t stream)
{
    const size_t count = (size_t)p->M * p->N;
    const unsigned blocks = (unsigned)((count / 8 + 255) / 256);
    auto kernel = epilogue == ADD    ? block_elements_kernel<ADD>
                  : epilogue == GELU ? block_elements_kernel<GELU>
                                     : block_elements_kernel<TIMES>;
    kernel<<<blocks, 256, 0, stream>>>((Vector<__nv_bfloat16> *)p->C, (const Vector<__nv_bfloat16> *)p->with,
                                       (Vector<__nv_bfloat16> *)p->more, count);
}

#endif
