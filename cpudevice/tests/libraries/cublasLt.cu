/* cublasLtMatmul() by plain loops in double: orders, transpositions, batches, beta, epilogues, types. */
// BUILD: $cucc -O1 -o $exe $case -lcublasLt
// TEST: cublasLt
// RUN: $exe
// TEST: cublasLt by OpenBLAS
// RUN: by_openblas $exe
// MATCHES: ^plain OpenBLAS: \(20[1-9]\|2[1-9][0-9]\|[3-9][0-9][0-9]\|[0-9]\{4,\}\) calls
#include <cublasLt.h>

#include "matrix.h"

static const cublasStatus_t ok = CUBLAS_STATUS_SUCCESS;
static cublasLtHandle_t handle;

static inline void put(__half &to, Complex x) { to = __float2half((float)x.real()); }
static inline void put(__nv_bfloat16 &to, Complex x) { to = __float2bfloat16((float)x.real()); }
static inline void put(int &to, Complex x) { to = (int)x.real(); }
static inline void put(signed char &to, Complex x) { to = (signed char)(x.real() * 100); }
static inline void put(__nv_fp8_e4m3 &to, Complex x) { to = __nv_fp8_e4m3((float)x.real()); }
static inline void put(__nv_fp8_e5m2 &to, Complex x) { to = __nv_fp8_e5m2((float)x.real()); }
static inline double number(__nv_fp8_e4m3 x) { return (double)(float)x; }
static inline double number(__nv_fp8_e5m2 x) { return (double)(float)x; }
static inline double number(__half x) { return __half2float(x); }
static inline double number(__nv_bfloat16 x) { return __bfloat162float(x); }
static inline double number(float x) { return x; }
static inline double number(double x) { return x; }
static inline double number(int x) { return x; }
static inline double number(signed char x) { return x; }

/* Random elements, in managed memory; place() says where element (i, j) of a batch lies. */
template <class T> struct Operand {
    T *p;
    int rows, columns, ld, batches;
    bool by_rows;
    long long stride;
    cublasLtMatrixLayout_t layout;
    Operand(cudaDataType_t type, int m, int n, bool rowwise, int count)
        : rows(m), columns(n), batches(count), by_rows(rowwise)
    {
        const int32_t order = rowwise ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
        ld = (rowwise ? n : m) + 3, stride = (long long)ld * (rowwise ? m : n) + 5;
        cudaMallocManaged(&p, sizeof(T) * (size_t)(stride * count));
        for (long long i = 0; i < stride * count; i++)
            put(p[i], random_number());
        expect(cublasLtMatrixLayoutCreate(&layout, type, (uint64_t)m, (uint64_t)n, ld) == ok &&
                   cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order) == ok &&
                   cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count) ==
                       ok &&
                   cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                                    sizeof stride) == ok,
               "a layout");
    }
    ~Operand() { cudaFree(p), cublasLtMatrixLayoutDestroy(layout); }
    Operand(const Operand &) = delete;
    long long place(int i, int j, int b) const
    {
        return b * stride + (by_rows ? (long long)i * ld + j : (long long)j * ld + i);
    }
    double at(int i, int j, int b) const { return number(p[place(i, j, b)]); }
};

static double activated(int epilogue, double x)
{
    if (epilogue & 2)
        return x > 0 ? x : 0;
    return epilogue & 32 ? x / (1 + exp(-2 * sqrt(2 / acos(-1.0)) * (x + 0.044715 * x * x * x))) : x;
}

/* scale: S of type s; way: bits for A's and B's transposition, A's, B's and D's order, in place, device pointers. */
template <class A, class D, class S, class B = A>
static void product(cudaDataType_t at, cudaDataType_t dt, cudaDataType_t st, cublasComputeType_t compute, int way,
                    int epilogue, double tolerance, const char *what, cudaDataType_t bt = CUDA_R_32F)
{
    const int m = 9, n = 7, k = 11, batches = 2;
    const bool ta = way & 1, tb = way & 2, in_place = way & 32, on_device = way & 64;
    const int32_t opa = ta, opb = tb, mode = on_device;
    const bool fp8 = sizeof(A) == 1 && sizeof(S) == 4 && st == CUDA_R_32F;
    Operand<A> a(at, ta ? k : m, ta ? m : k, way & 4, batches);
    Operand<B> b(fp8 ? bt : at, tb ? n : k, tb ? k : n, way & 8, batches);
    Operand<D> c(dt, m, n, way & 16, batches), d(dt, m, n, way & 16, batches), bias(dt, m, 1, false, 1);
    const D *const bias_at = bias.p;
    S *factors;
    cudaMallocManaged(&factors, 2 * sizeof *factors);
    put(factors[0], 2), put(factors[1], 3);
    float *scales; /* of fp8 matrices: D = alpha (0.5 A) (4 B) + ... */
    cudaMallocManaged(&scales, 2 * sizeof *scales);
    scales[0] = fp8 ? 0.5f : 1, scales[1] = fp8 ? 4 : 1;
    std::vector<double> want;
    for (int z = 0; z < batches; z++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int l = 0; l < k; l++)
                    sum += (ta ? a.at(l, i, z) : a.at(i, l, z)) * (tb ? b.at(j, l, z) : b.at(l, j, z));
                const double x = number(factors[0]) * scales[0] * scales[1] * sum + number(factors[1]) * c.at(i, j, z);
                want.push_back(activated(epilogue, epilogue & 4 ? x + bias.at(i, 0, 0) : x));
            }
    cublasLtMatmulDesc_t q;
    cublasLtMatmulHeuristicResult_t result;
    int found = 0;
    expect(cublasLtMatmulDescCreate(&q, compute, st) == ok, "a product's description");
    cublasLtMatmulDescSetAttribute(q, CUBLASLT_MATMUL_DESC_TRANSA, &opa, sizeof opa);
    cublasLtMatmulDescSetAttribute(q, CUBLASLT_MATMUL_DESC_TRANSB, &opb, sizeof opb);
    cublasLtMatmulDescSetAttribute(q, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, sizeof mode);
    cublasLtMatmulDescSetAttribute(q, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    cublasLtMatmulDescSetAttribute(q, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias_at, sizeof bias_at);
    for (int i = 0; fp8 && i < 2; i++) {
        const float *const scale = scales + i;
        cublasLtMatmulDescSetAttribute(
            q, i ? CUBLASLT_MATMUL_DESC_B_SCALE_POINTER : CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &scale, sizeof scale);
    }
    expect(cublasLtMatmulAlgoGetHeuristic(handle, q, a.layout, b.layout, c.layout, d.layout, NULL, 1, &result,
                                          &found) == ok &&
               found == 1 && result.workspaceSize == 0 && result.state == ok,
           "the heuristic");
    const Operand<D> &out = in_place ? c : d;
    expect(cublasLtMatmul(handle, q, factors, a.p, a.layout, b.p, b.layout, factors + 1, c.p, c.layout, out.p,
                          out.layout, in_place ? NULL : &result.algo, NULL, 0, 0) == ok &&
               cudaDeviceSynchronize() == cudaSuccess,
           what);
    size_t at_want = 0;
    double worst = 0;
    for (int z = 0; z < batches; z++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++, at_want++)
                worst = fmax(worst, fabs(out.at(i, j, z) - want[at_want]) / (1 + fabs(want[at_want])));
    expect(worst <= tolerance, what);
    cublasLtMatmulDescDestroy(q), cudaFree(factors), cudaFree(scales);
}

/* What is not there is refused; what does not fit is an invalid value; D keeps what it has. */
static void refusals()
{
    Operand<float> a(CUDA_R_32F, 4, 3, false, 1), b(CUDA_R_32F, 3, 5, false, 1), d(CUDA_R_32F, 4, 5, false, 1),
        small(CUDA_R_32F, 4, 4, false, 1);
    const float one = 1, zero = 0, before = d.p[0];
    cublasLtMatmulDesc_t q;
    int found = 7, epilogue = CUBLASLT_EPILOGUE_DGELU;
    cublasLtMatmulHeuristicResult_t result;
    cublasLtMatmulDescCreate(&q, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    expect(cublasLtMatmul(handle, q, &one, a.p, a.layout, b.p, b.layout, &zero, d.p, small.layout, d.p, small.layout,
                          NULL, NULL, 0, 0) == CUBLAS_STATUS_INVALID_VALUE,
           "sizes that do not fit");
    expect(cublasLtMatmul(handle, q, NULL, a.p, a.layout, b.p, b.layout, &zero, d.p, d.layout, d.p, d.layout, NULL,
                          NULL, 0, 0) == CUBLAS_STATUS_INVALID_VALUE,
           "no alpha");
    cublasLtMatmulDescSetAttribute(q, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    expect(cublasLtMatmul(handle, q, &one, a.p, a.layout, b.p, b.layout, &zero, d.p, d.layout, d.p, d.layout, NULL,
                          NULL, 0, 0) == CUBLAS_STATUS_NOT_SUPPORTED,
           "an epilogue that is not there");
    expect(cublasLtMatmulAlgoGetHeuristic(handle, q, a.layout, b.layout, d.layout, d.layout, NULL, 1, &result,
                                          &found) == CUBLAS_STATUS_NOT_SUPPORTED &&
               found == 0,
           "no algorithm for it either");
    cudaDeviceSynchronize();
    expect(d.p[0] == before, "D as it was");
    cublasLtMatmulDescDestroy(q);
}

int main()
{
    const int epilogues[] = {CUBLASLT_EPILOGUE_DEFAULT,   CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS,
                             CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS};
    expect(cublasLtCreate(&handle) == ok, "a handle");
    for (int way = 0; way < 128; way++)
        product<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, way, 1, 1e-5, "float");
    for (int e : epilogues)
        for (int way = 0; way < 128; way += 21)
            product<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, way, e, 1e-5,
                                         "an epilogue");
    for (int way = 0; way < 128; way += 9) {
        product<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, way, 6, 1e-13,
                                        "double");
        product<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, way, 4, 2e-3,
                                        "half in half");
        product<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, way, 1, 1e-5,
                                      "half to float");
        product<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, way, 36,
                                                     1e-2, "bf16");
        product<__nv_bfloat16, float, float>(CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16BF, way, 6,
                                             1e-5, "bf16 to float");
        product<__nv_fp8_e4m3, float, float>(CUDA_R_8F_E4M3, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, way, 1, 1e-5,
                                             "e4m3", CUDA_R_8F_E4M3);
        product<__nv_fp8_e5m2, __nv_bfloat16, float, __nv_fp8_e4m3>(
            CUDA_R_8F_E5M2, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, way, 6, 1e-2, "e5m2 by e4m3", CUDA_R_8F_E4M3);
        product<signed char, int, int>(CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, way, 1, 0, "int8");
    }
    cublasLtMatmulDesc_t q;
    int32_t value = 0;
    size_t written = 0;
    cublasLtMatmulDescCreate(&q, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    expect(cublasLtMatmulDescSetAttribute(q, CUBLASLT_MATMUL_DESC_TRANSA, &value, 1) == CUBLAS_STATUS_INVALID_VALUE,
           "a wrong size");
    expect(cublasLtMatmulDescGetAttribute(q, CUBLASLT_MATMUL_DESC_EPILOGUE, &value, sizeof value, &written) == ok &&
               value == 1 && written == 4,
           "an attribute's default");
    cublasLtMatmulDescDestroy(q);
    refusals();
    cublasLtDestroy(handle);
    return verdict();
}
