/* cuBLAS-XT's products, whose operands lie on the host or on the device, by plain products in double. */
// BUILD: $cucc -O1 -o $exe $case -lcublas
// TEST: cublas_xt
// RUN: $exe
#include <cublasXt.h>
#include <cstring>

#include "matrix.h"

static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

/* The matrix in columns of ld elements, what lies between them set to 99; on the device or on the host. */
template <class T> static T *laid_out(const Matrix &a, int ld, bool device)
{
    std::vector<T> v((size_t)ld * a.columns);
    for (T &x : v)
        put(x, 99);
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            put(v[(size_t)j * ld + i], a(i, j));
    const size_t bytes = v.size() * sizeof(T);
    T *p = NULL;
    if (device ? cudaMalloc(&p, bytes + 1) != cudaSuccess : !(p = (T *)malloc(bytes + 1)))
        exit(2);
    cudaMemcpy(p, v.data(), bytes, cudaMemcpyDefault);
    return p;
}
template <class T> static void release(T *p, bool device) { device ? (void)cudaFree(p) : free(p); }

template <class T, class Gemm> static void products(cublasXtHandle_t h, Gemm gemm, double tolerance, const char *what)
{
    for (int way = 0; way < 18; way++) {
        const cublasOperation_t ta = ops[way % 3], tb = ops[way / 3 % 3];
        const int m = 33, n = way < 9 ? 17 : 40, k = way % 5 ? 21 : 0;
        const bool da = way & 1, db = way & 2, dc = way & 4;
        const Complex factor(0.75, is_complex<T> ? 0.5 : 0), keep = way % 2 ? factor * 3.0 : 0;
        const Matrix a = ta ? random_matrix<T>(k, m) : random_matrix<T>(m, k);
        const Matrix b = tb ? random_matrix<T>(n, k) : random_matrix<T>(k, n);
        const Matrix c = random_matrix<T>(m, n);
        T alpha, beta, *pa = laid_out<T>(a, a.rows + 3, da), *pb = laid_out<T>(b, b.rows + 1, db),
                       *pc = laid_out<T>(c, m + 2, dc);
        put(alpha, factor), put(beta, keep);
        expect(gemm(h, ta, tb, m, n, k, &alpha, pa, a.rows + 3, pb, b.rows + 1, &beta, pc, m + 2) ==
                   CUBLAS_STATUS_SUCCESS,
               what);
        std::vector<T> got((size_t)(m + 2) * n);
        cudaMemcpy(got.data(), pc, got.size() * sizeof(T), cudaMemcpyDefault);
        const Matrix p = turned(a, ta) * turned(b, tb);
        bool good = true;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m + 2; i++) {
                const Complex want = i < m ? factor * p(i, j) + keep * c(i, j) : 99;
                good &= std::abs(get(got[(size_t)j * (m + 2) + i]) - want) <= tolerance;
            }
        expect(good, what);
        release(pa, da), release(pb, db), release(pc, dc);
    }
}

int main()
{
    cublasXtHandle_t h;
    int devices[2] = {0, 7}, block = 0;
    expect(cublasXtCreate(&h) == CUBLAS_STATUS_SUCCESS && cublasXtDeviceSelect(h, 1, devices) == CUBLAS_STATUS_SUCCESS,
           "a handle");
    expect(cublasXtDeviceSelect(h, 2, devices) == CUBLAS_STATUS_INVALID_VALUE, "a device that is not there");
    expect(cublasXtSetBlockDim(h, 64) == CUBLAS_STATUS_SUCCESS && cublasXtGetBlockDim(h, &block) == CUBLAS_STATUS_SUCCESS &&
               block == 64,
           "the block's size");
    float one = 1, x[4] = {1, 2, 3, 4};
    expect(cublasXtSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 1, x, 2, &one, x, 2) == CUBLAS_STATUS_INVALID_VALUE,
           "columns shorter than the matrix");
    products<float>(h, cublasXtSgemm, 1e-4, "cublasXtSgemm");
    products<double>(h, cublasXtDgemm, 1e-12, "cublasXtDgemm");
    products<cuComplex>(h, cublasXtCgemm, 1e-4, "cublasXtCgemm");
    products<cuDoubleComplex>(h, cublasXtZgemm, 1e-12, "cublasXtZgemm");
    expect(cublasXtDestroy(h) == CUBLAS_STATUS_SUCCESS, "the end");
    if (!failures)
        printf("all right\n");
    return failures != 0;
}
