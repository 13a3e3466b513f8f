/*
 * cublas_lt_kernels.h: the kernels of cublasLtMatmul(): one thread an element of D, whose sum runs over k in float,
 * double or int, then alpha, beta, the epilogue and D's type. Comes with cublasLt.h.
 */
#ifndef CUBLAS_LT_KERNELS_H_
#define CUBLAS_LT_KERNELS_H_

/* A matrix, or a vector: element (i, j) of batch b lies at i row_step + j column_step + b stride, in elements. */
struct CpudevLtMatrix {
    void *p;
    int type; /* a cudaDataType_t */
    long long row_step, column_step, stride;
};
/* D (m x n) = epilogue(alpha A (m x k) B (k x n) + beta C), `batches` times. */
struct CpudevLtProduct {
    long long m, n, k;
    int batches, epilogue;
    CpudevLtMatrix a, b, c, d, bias;
    CpudevLtMatrix alpha, beta; /* numbers on the device; p is NULL: those below */
    double alpha_value, beta_value;
    const float *scale_a, *scale_b; /* of fp8 matrices, on the device, or NULL */
};

template <class __V> static inline __V cpudev_lt_load(const CpudevLtMatrix &x, long long i)
{
    switch (x.type) {
    case CUDA_R_64F: return (__V)((const double *)x.p)[i];
    case CUDA_R_16F: return cpudev_number(((const __half *)x.p)[i], (__V)0);
    case CUDA_R_16BF: return cpudev_number(((const __nv_bfloat16 *)x.p)[i], (__V)0);
    case CUDA_R_8F_E4M3: return (__V)(float)((const __nv_fp8_e4m3 *)x.p)[i];
    case CUDA_R_8F_E5M2: return (__V)(float)((const __nv_fp8_e5m2 *)x.p)[i];
    case CUDA_R_8I: return (__V)((const signed char *)x.p)[i];
    case CUDA_R_32I: return (__V)((const int *)x.p)[i];
    default: return (__V)((const float *)x.p)[i];
    }
}
template <class __V> static inline void cpudev_lt_store(const CpudevLtMatrix &x, long long i, __V value)
{
    switch (x.type) {
    case CUDA_R_64F: ((double *)x.p)[i] = (double)value; break;
    case CUDA_R_16F: ((__half *)x.p)[i] = __float2half((float)value); break;
    case CUDA_R_16BF: ((__nv_bfloat16 *)x.p)[i] = __float2bfloat16((float)value); break;
    case CUDA_R_32I: ((int *)x.p)[i] = (int)value; break;
    default: ((float *)x.p)[i] = (float)value; break;
    }
}

/* GELU by tanh: Hendrycks and Gimpel, "Gaussian Error Linear Units". */
static inline double cpudev_lt_gelu(double x)
{
    return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

template <class __V>
static inline __device__ __V cpudev_lt_epilogue(const CpudevLtProduct &q, long long row, long long batch, __V x)
{
    if (q.epilogue & CUBLASLT_EPILOGUE_BIAS)
        x += cpudev_lt_load<__V>(q.bias, row + batch * q.bias.stride);
    switch (q.epilogue & ~CUBLASLT_EPILOGUE_BIAS) {
    case CUBLASLT_EPILOGUE_RELU: return x > 0 || x != x ? x : 0;
    case CUBLASLT_EPILOGUE_GELU: return (__V)cpudev_lt_gelu((double)x);
    default: return x;
    }
}

/* A sum becomes an element of D. */
template <class __V>
static inline __device__ void cpudev_lt_finish(const CpudevLtProduct &q, long long row, long long column,
                                               long long batch, __V sum)
{
    const __V beta = q.beta.p ? cpudev_lt_load<__V>(q.beta, 0) : (__V)q.beta_value;
    __V x = (q.alpha.p ? cpudev_lt_load<__V>(q.alpha, 0) : (__V)q.alpha_value) * sum;
    if (q.scale_a)
        x *= (__V)*q.scale_a;
    if (q.scale_b)
        x *= (__V)*q.scale_b;
    if (beta != 0)
        x += beta * cpudev_lt_load<__V>(q.c, row * q.c.row_step + column * q.c.column_step + batch * q.c.stride);
    x = cpudev_lt_epilogue<__V>(q, row, batch, x);
    cpudev_lt_store<__V>(q.d, row * q.d.row_step + column * q.d.column_step + batch * q.d.stride, x);
}

/* Sums in S of A's and B's elements, finished in V. */
template <class __A, class __B, class __S, class __V> __global__ void cpudev_lt_matmul(CpudevLtProduct q)
{
    const long long row = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    for (long long batch = blockIdx.z; batch < q.batches && row < q.m; batch += gridDim.z)
        for (long long column = blockIdx.y; column < q.n; column += gridDim.y) {
            const __A *const a = (const __A *)q.a.p + row * q.a.row_step + batch * q.a.stride;
            const __B *const b = (const __B *)q.b.p + column * q.b.column_step + batch * q.b.stride;
            __S sum = 0;
            for (long long i = 0; i < q.k; i++)
                sum += cpudev_number(a[i * q.a.column_step], (__S)0) * cpudev_number(b[i * q.b.row_step], (__S)0);
            cpudev_lt_finish<__V>(q, row, column, batch, (__V)sum);
        }
}

#endif
