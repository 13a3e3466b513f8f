/* cuBLAS's products by plain products in double. With a word on the command line: OpenBLAS is there. */
// BUILD: $cucc -O1 -o $exe $case -lcublas
// TEST: cublas_gemm
// RUN: $exe
// TEST: cublas_gemm_by_openblas
// RUN: CUDA_CPU_WORKERS=3 by_openblas $exe openblas
// MATCHES: ^plain OpenBLAS: [0-9]* calls, 3 threads
// TEST: OpenBLAS computes cuBLAS's products
// RUN: by_openblas $exe openblas
// MATCHES: ^plain OpenBLAS: \(20[1-9]\|2[1-9][0-9]\|[3-9][0-9][0-9]\|[0-9]\{4,\}\) calls
// TEST: cublas_gemm_by_loops
// RUN: without_libraries $exe
// PRINTS: all right
#include <algorithm>
#include <cublas_v2.h>
#include <cstring>

#include "matrix.h"

static const cublasStatus_t ok = CUBLAS_STATUS_SUCCESS;
static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

/* alpha op(a) op(b) + beta c. */
static Matrix product(Complex alpha, const Matrix &a, const Matrix &b, Complex beta, const Matrix &c)
{
    Matrix p = a * b;
    for (size_t i = 0; i < p.at.size(); i++)
        p.at[i] = alpha * p.at[i] + (beta == 0.0 ? 0 : beta * c.at[i]);
    return p;
}

static const int shapes[][3] = {{1, 1, 1}, {5, 3, 7}, {33, 17, 40}, {2, 70, 1}, {4, 4, 0}, {70, 40, 65}}; /* m, n, k */

#define PRODUCTS(X, T)                                                                                                 \
    static void products_##X(cublasHandle_t h, double tolerance)                                                       \
    {                                                                                                                  \
        for (int way = 0; way < 45; way++) {                                                                           \
            const cublasOperation_t ta = ops[way % 3], tb = ops[way / 3 % 3];                                          \
            const int *s = shapes[way / 9], m = s[0], n = s[1], k = s[2];                                              \
            const Complex factor(0.75, is_complex<T> ? 0.5 : 0), keep = way % 2 ? factor * 3.0 : 0;                    \
            T alpha, beta;                                                                                             \
            put(alpha, factor), put(beta, keep);                                                                       \
            const Matrix a = ta ? random_matrix<T>(k, m) : random_matrix<T>(m, k);                                     \
            const Matrix b = tb ? random_matrix<T>(n, k) : random_matrix<T>(k, n);                                     \
            Matrix c = random_matrix<T>(m, n);                                                                         \
            const Matrix right = product(factor, turned(a, ta), turned(b, tb), keep, c);                               \
            for (Complex &x : c.at)                                                                                    \
                x = keep == 0.0 ? Complex(NAN, NAN) : x; /* then it is not read */                                     \
            OnDevice<T> da(a, k ? 1 : 4), db(b, k ? 2 : 4), dc(c, 3);                                                  \
            expect(cublas##X##gemm(h, ta, tb, m, n, k, &alpha, da.p, da.ld, db.p, db.ld, &beta, dc.p, dc.ld) == ok,    \
                   #X "gemm");                                                                                         \
            expect(near(dc.back(), right, tolerance *(k + 3)), #X "gemm's product");                                   \
        }                                                                                                              \
    }                                                                                                                  \
    /* Three batches: B is the same in all, by a stride of 0; and by pointers. */                                      \
    static void batches_##X(cublasHandle_t h, double tolerance)                                                        \
    {                                                                                                                  \
        const int m = 6, n = 5, k = 4;                                                                                 \
        const Matrix a = random_matrix<T>(m, 3 * k), b = random_matrix<T>(n, k), none(m, 3 * n);                       \
        OnDevice<T> da(a, 1), db(b), dc(none), de(none);                                                               \
        T alpha, beta, *p[9], **dp;                                                                                    \
        put(alpha, 2), put(beta, 0);                                                                                   \
        expect(cublas##X##gemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, da.p, da.ld, k *da.ld,      \
                                             db.p, n, 0, &beta, dc.p, m, m *n, 3) == ok,                               \
               #X "gemmStridedBatched");                                                                               \
        for (int i = 0; i < 3; i++)                                                                                    \
            p[i] = da.p + (2 - i) * k * da.ld, p[3 + i] = db.p, p[6 + i] = de.p + i * m * n;                           \
        cudaMalloc(&dp, sizeof p);                                                                                     \
        cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice);                                                           \
        expect(cublas##X##gemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, dp, da.ld, dp + 3, n, &beta,       \
                                      dp + 6, m, 3) == ok,                                                             \
               #X "gemmBatched");                                                                                      \
        const Matrix c = dc.back(), e = de.back();                                                                     \
        for (int batch = 0; batch < 3; batch++) {                                                                      \
            Matrix part(m, k), got(m, n), other(m, n);                                                                 \
            std::copy_n(a.at.begin() + batch * m * k, m * k, part.at.begin());                                         \
            std::copy_n(c.at.begin() + batch * m * n, m * n, got.at.begin());                                          \
            std::copy_n(e.at.begin() + (2 - batch) * m * n, m * n, other.at.begin());                                  \
            const Matrix right = product(2, part, turned(b, CUBLAS_OP_T), 0, got);                                     \
            expect(near(got, right, tolerance *k), #X "gemmStridedBatched's product");                                 \
            expect(near(other, right, tolerance *k), #X "gemmBatched's product");                                      \
        }                                                                                                              \
        cudaFree(dp);                                                                                                  \
    }                                                                                                                  \
    static void vectors_##X(cublasHandle_t h, double tolerance)                                                        \
    {                                                                                                                  \
        for (int way = 0; way < 8; way++) {                                                                            \
            const int m = 7, n = 4, incx = way & 1 ? 3 : 1, incy = way & 2 ? 2 : 1;                                    \
            const cublasOperation_t op = way & 4 ? CUBLAS_OP_T : CUBLAS_OP_N;                                          \
            const Matrix a = random_matrix<T>(m, n), x = random_matrix<T>(1, way & 4 ? m : n);                         \
            const Matrix y = random_matrix<T>(1, way & 4 ? n : m);                                                     \
            OnDevice<T> da(a, 1), dx(x, incx - 1), dy(y, incy - 1);                                                    \
            T alpha, beta;                                                                                             \
            put(alpha, 2), put(beta, 3);                                                                               \
            expect(cublas##X##gemv(h, op, m, n, &alpha, da.p, da.ld, dx.p, incx, &beta, dy.p, incy) == ok, #X "gemv"); \
            const Matrix right = product(2, x, turned(turned(a, op), CUBLAS_OP_T), 3, y);                              \
            expect(near(dy.back(), right, tolerance * 9), #X "gemv's product");                                        \
        }                                                                                                              \
    }
PRODUCTS(S, float)
PRODUCTS(D, double)
PRODUCTS(C, cuComplex)
PRODUCTS(Z, cuDoubleComplex)

/* Every half and every bf16 times a number, rounded as the device rounds. */
template <class T> struct Small;
template <> struct Small<__half> {
    static const cudaDataType type = CUDA_R_16F;
    static __half of(float x) { return __float2half(x); }
    static float value(__half x) { return __half2float(x); }
};
template <> struct Small<__nv_bfloat16> {
    static const cudaDataType type = CUDA_R_16BF;
    static __nv_bfloat16 of(float x) { return __float2bfloat16(x); }
    static float value(__nv_bfloat16 x) { return __bfloat162float(x); }
};
static bool same(float a, float b) { return a == b || (a != a && b != b); }
template <class T> static void small_types(cublasHandle_t h)
{
    const int all = 65536;
    const T one = Small<T>::of(1);
    std::vector<T> x(all), y(all);
    std::vector<float> z(all);
    T *dx, *dy, *unit;
    float *dz, zero = 0, alphas[] = {1, 0.7300001f, 1e-3f, 1 + 1.0f / 2048, 1 + 1.0f / 256}; // the last: ties
    cudaMalloc(&dx, all * sizeof(T)), cudaMalloc(&dy, all * sizeof(T)), cudaMalloc(&dz, all * sizeof(float));
    cudaMalloc(&unit, sizeof(T));
    for (int i = 0; i < all; i++) {
        const unsigned short bits = (unsigned short)i;
        memcpy(&x[i], &bits, sizeof bits);
    }
    cudaMemcpy(dx, x.data(), all * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(unit, &one, sizeof one, cudaMemcpyHostToDevice);
    for (float alpha : alphas) {
        const cudaDataType t = Small<T>::type;
        expect(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, all / 4, 4, 1, &alpha, dx, t, all / 4 - 1, unit, t, 1, &zero, dy, t,
                            all / 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_INVALID_VALUE,
               "a leading dimension < m");
        expect(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, all, 1, 1, &alpha, dx, t, all, unit, t, 1, &zero, dy, t, all,
                            CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == ok,
               "GemmEx");
        expect(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, all, 1, 1, &alpha, dx, t, all, unit, t, 1, &zero, dz, CUDA_R_32F,
                            all, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == ok,
               "GemmEx to float");
        cudaMemcpy(y.data(), dy, all * sizeof(T), cudaMemcpyDeviceToHost);
        cudaMemcpy(z.data(), dz, all * sizeof(float), cudaMemcpyDeviceToHost);
        int wrong = 0;
        for (int i = 0; i < all; i++) {
            const float right = alpha * Small<T>::value(x[i]);
            wrong += !same(Small<T>::value(y[i]), Small<T>::value(Small<T>::of(right))) || !same(z[i], right);
        }
        expect(!wrong, "every half and bf16 times a number");
    }
    cudaFree(dx), cudaFree(dy), cudaFree(dz), cudaFree(unit);
}

/* Whole numbers: exact in every type. C = 2 A B + 3 C, with factors of type F. */
template <class T, class O, class F>
static void whole_numbers(cublasHandle_t h, cudaDataType in, cudaDataType out, cublasComputeType_t compute)
{
    const int n = 24;
    std::vector<T> a(n * n), b(n * n);
    std::vector<O> c(n * n), got(n * n);
    for (int i = 0; i < n * n; i++)
        a[i] = (T)(float)(i % 5 - 2), b[i] = (T)(float)(i % 7 - 3), c[i] = (O)(float)(i % 9);
    T *da, *db;
    O *dc;
    cudaMalloc(&da, sizeof(T) * n * n), cudaMalloc(&db, sizeof(T) * n * n), cudaMalloc(&dc, sizeof(O) * n * n);
    cudaMemcpy(da, a.data(), sizeof(T) * n * n, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), sizeof(T) * n * n, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c.data(), sizeof(O) * n * n, cudaMemcpyHostToDevice);
    const F two = (F)2.0f, three = (F)3.0f;
    expect(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &two, da, in, n, db, in, n, &three, dc, out, n, compute,
                        CUBLAS_GEMM_DEFAULT) == ok,
           "GemmEx of whole numbers");
    cudaMemcpy(got.data(), dc, sizeof(O) * n * n, cudaMemcpyDeviceToHost);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += ((i * n + k) % 5 - 2) * ((j * n + k) % 7 - 3);
            if ((float)got[j * n + i] != (float)(2 * sum + 3 * ((j * n + i) % 9)))
                expect(false, "GemmEx's whole numbers"), i = j = n;
        }
    cudaFree(da), cudaFree(db), cudaFree(dc);
}

__global__ void factors(float *f) { f[0] = 2, f[1] = 3; }
__global__ void fill(float *x, int n, float value)
{
    for (int i = 0; i < n; i++)
        x[i] = value;
}

/* Numbers on the device, which the stream's earlier work makes; also in a graph. */
static void on_the_device(cublasHandle_t h)
{
    const int n = 4;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cublasPointerMode_t mode;
    Cells<float> f(3), a(n * n), c(n * n), d(n * n);
    cudaStreamCreate(&stream);
    expect(cublasSetStream(h, stream) == ok && cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE) == ok &&
               cublasGetPointerMode(h, &mode) == ok && mode == CUBLAS_POINTER_MODE_DEVICE,
           "the pointer mode");
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    factors<<<1, 1, 0, stream>>>(f.p);
    fill<<<1, 1, 0, stream>>>(a.p, n * n, 1);
    fill<<<1, 1, 0, stream>>>(c.p, n * n, 10);
    /* c = 2 4 + 30 = 38, d = 2 38 + 3 38 = 190, then + 2 1 = 192, times 3 = 576 */
    expect(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, f.p, a.p, n, a.p, n, f.p + 1, c.p, n) == ok, "gemm");
    expect(cublasSgeam(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, f.p, c.p, n, f.p + 1, c.p, n, d.p, n) == ok, "geam");
    expect(cublasSaxpy(h, n * n, f.p, a.p, 1, d.p, 1) == ok && cublasSscal(h, n * n, f.p + 1, d.p, 1) == ok, "axpy, scal");
    expect(cublasSasum(h, n * n, d.p, 1, f.p + 2) == ok, "asum");
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < 2; i++)
        expect(cudaGraphLaunch(exec, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess, "a graph");
    expect(c.back() == std::vector<float>(n * n, 38) && d.back() == std::vector<float>(n * n, 576) &&
               f.back()[2] == 576 * n * n,
           "numbers on the device");
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST), cublasSetStream(h, 0);
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
}

/* Products so large that the device computes C's columns in parts; with alpha 0, so that nothing is computed. */
static void large(cublasHandle_t h)
{
    const int m = 3, n = 70, k = 1 << 30;
    const Matrix c = random_matrix<float>(m, n);
    OnDevice<float> dc(c, 1);
    const float zero = 0, two = 2;
    expect(cublasSgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &zero, dc.p, k, dc.p, k, &two, dc.p, dc.ld) == ok, "large");
    expect(near(dc.back(), product(2, c, identity(n), 0, c), 0), "a large product");
}

int main(int count, char **)
{
    cublasHandle_t h;
    expect(cublasCreate(&h) == ok, "a handle");
    products_S(h, 1e-6), products_D(h, 1e-15), products_C(h, 2e-6), products_Z(h, 2e-15);
    batches_S(h, 1e-6), batches_D(h, 1e-15), batches_C(h, 2e-6), batches_Z(h, 2e-15);
    vectors_S(h, 1e-6), vectors_D(h, 1e-15), vectors_C(h, 2e-6), vectors_Z(h, 2e-15);
    small_types<__half>(h), small_types<__nv_bfloat16>(h);
    whole_numbers<float, float, float>(h, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    whole_numbers<__half, __half, __half>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
    whole_numbers<__half, __half, float>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
    whole_numbers<__nv_bfloat16, float, float>(h, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    whole_numbers<signed char, int, int>(h, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    on_the_device(h);
    if (count > 1)
        large(h);
    cublasDestroy(h);
    return verdict();
}
