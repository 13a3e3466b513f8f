/* elements.cuh: gelu and its derivative, and the kernels that a rung without fused epilogues runs after a product. */
#ifndef BLOCK_ELEMENTS_CUH
#define BLOCK_ELEMENTS_CUH

#include "../../lecture05_shared_memory/vectors.cuh"
#include "problem.cuh"

/* gelu(x) = x / (1 + exp(-2u)), u = sqrt(2 / pi) (x + 0.044715 x^3): the tanh approximation of Hendrycks and Gimpel
 * (arXiv:1606.08415), as in lecture 1's gelu. The sigmoid: */
__device__ __forceinline__ float gelu_sigmoid(float x)
{
    const float c = -2 * 0.7978845608028654f * 1.4426950408889634f;
    return __fdividef(1.0f, 1.0f + exp2f(c * x * (1 + 0.044715f * x * x)));
}
__device__ __forceinline__ float gelu(float x) { return x * gelu_sigmoid(x); }
__device__ __forceinline__ float gelu_slope(float x)
{
    const float s = gelu_sigmoid(x);
    return s + x * s * (1 - s) * (2 * 0.7978845608028654f) * (1 + 3 * 0.044715f * x * x);
}

/* What an epilogue makes of a product's element and the other operand's. */
template <int EPILOGUE> __device__ __forceinline__ float block_epilogue(float c, float with)
{
    return EPILOGUE == ADD ? c + with : EPILOGUE == GELU ? gelu(c) : EPILOGUE == GELU_GRAD ? c * gelu_slope(with) : c;
}

/* Eight elements per thread; `count` is a multiple of eight. GELU writes to `more`, the others in place. */
template <int EPILOGUE>
__global__ void __launch_bounds__(256)
    block_elements_kernel(Vector<__nv_bfloat16> *c, const Vector<__nv_bfloat16> *with, Vector<__nv_bfloat16> *more,
                          size_t count)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i >= count / 8)
        return;
    float v[8], w[8] = {0};
    c[i].get(v);
    if (EPILOGUE != GELU)
        with[i].get(w);
#pragma unroll
    for (int j = 0; j < 8; j++)
        v[j] = block_epilogue<EPILOGUE>(v[j], w[j]);
    Vector<__nv_bfloat16> result;
    result.set(v);
    (EPILOGUE == GELU ? more : c)[i] = result;
}

static void block_elements(int epilogue, const Product *p, cudaStream_t stream)
{
    const size_t count = (size_t)p->M * p->N;
    const unsigned blocks = (unsigned)((count / 8 + 255) / 256);
    auto kernel = epilogue == ADD    ? block_elements_kernel<ADD>
                  : epilogue == GELU ? block_elements_kernel<GELU>
                                     : block_elements_kernel<GELU_GRAD>;
    kernel<<<blocks, 256, 0, stream>>>((Vector<__nv_bfloat16> *)p->C, (const Vector<__nv_bfloat16> *)p->with,
                                       (Vector<__nv_bfloat16> *)p->more, count);
}

#endif
