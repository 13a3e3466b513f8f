/* cuBLAS's batched factorizations and triangular systems, by plain products. */
// BUILD: $cucc -O1 -o $exe $case -lcublas
// TEST: cublas
// RUN: $exe
#include <cublas_v2.h>

#include "matrix.h"

static const cublasStatus_t ok = CUBLAS_STATUS_SUCCESS;

/* Pointers to matrices, in device memory. */
template <class T> struct Batch {
    std::vector<OnDevice<T> *> each;
    T **p = NULL;
    Batch(const std::vector<Matrix> &a, int pad)
    {
        std::vector<T *> h;
        for (const Matrix &m : a)
            each.push_back(new OnDevice<T>(m, pad)), h.push_back(each.back()->p);
        cudaMalloc(&p, h.size() * sizeof(T *));
        cudaMemcpy(p, h.data(), h.size() * sizeof(T *), cudaMemcpyHostToDevice);
    }
    ~Batch()
    {
        for (OnDevice<T> *m : each)
            delete m;
        cudaFree(p);
    }
    Batch(const Batch &) = delete;
};

#define FACTORS(X, T)                                                                                                  \
    static void factors_##X(cublasHandle_t h, int n, bool pivot, double tolerance)                                     \
    {                                                                                                                  \
        const int batch = 3;                                                                                           \
        std::vector<Matrix> a, b, none(batch, Matrix(n, n));                                                           \
        for (int i = 0; i < batch; i++) {                                                                              \
            a.push_back(random_matrix<T>(n, n)), b.push_back(random_matrix<T>(n, 2));                                  \
            for (int k = 0; k < n && !pivot; k++)                                                                      \
                a[i](k, k) += 2 * n;                                                                                   \
        }                                                                                                              \
        Batch<T> da(a, 1), db(b, 2), dt(b, 0), dc(none, 1), original(a, 0), inverse(none, 0);                          \
        Cells<int> pivots(batch *n), info(batch);                                                                      \
        int *const p = pivot ? pivots.p : NULL, status = 7;                                                            \
        expect(cublas##X##getrfBatched(h, n, da.p, n + 1, p, info.p, batch) == ok, "getrfBatched");                    \
        expect(info.back() == std::vector<int>(batch, 0), "getrfBatched's info");                                      \
        expect(cublas##X##getriBatched(h, n, da.p, n + 1, p, dc.p, n + 1, info.p, batch) == ok, "getriBatched");       \
        expect(cublas##X##getrsBatched(h, CUBLAS_OP_N, n, 2, da.p, n + 1, p, db.p, n + 2, &status, batch) == ok &&     \
                   status == 0,                                                                                        \
               "getrsBatched");                                                                                        \
        expect(cublas##X##getrsBatched(h, CUBLAS_OP_T, n, 2, da.p, n + 1, p, dt.p, n, &status, batch) == ok,           \
               "getrsBatched");                                                                                        \
        expect(cublas##X##matinvBatched(h, n, original.p, n, inverse.p, n, info.p, batch) == ok, "matinvBatched");     \
        for (int i = 0; i < batch; i++) {                                                                              \
            expect(near(a[i] * dc.each[i]->back(), identity(n), tolerance), #X "getriBatched inverts");                \
            expect(near(a[i] * inverse.each[i]->back(), identity(n), tolerance), #X "matinvBatched inverts");          \
            expect(near(a[i] * db.each[i]->back(), b[i], tolerance), #X "getrsBatched solves");                        \
            expect(near(adjoint(a[i]) * dt.each[i]->back(), b[i], tolerance), #X "getrsBatched solves, transposed");   \
        }                                                                                                              \
    }
FACTORS(S, float)
FACTORS(D, double)

static void triangular_systems(cublasHandle_t h)
{
    const int m = 7, n = 5;
    for (int way = 0; way < 16; way++) {
        const bool left = way & 1, lower = way & 2, turned = way & 4, unit = way & 8;
        const int order = left ? m : n;
        Matrix a = random_matrix<double>(order, order), b = random_matrix<double>(m, n), t(order, order);
        for (int i = 0; i < order; i++) {
            a(i, i) += 4.0;
            for (int j = 0; j < order; j++)
                t(i, j) = i == j && unit ? 1 : (lower ? i >= j : i <= j) ? a(i, j) : 0;
        }
        OnDevice<double> da(a, 2), db(b, 1);
        const double alpha = -2;
        expect(cublasDtrsm(h, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                           lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, turned ? CUBLAS_OP_T : CUBLAS_OP_N,
                           unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, m, n, &alpha, da.p, da.ld, db.p,
                           db.ld) == ok,
               "trsm");
        const Matrix op = turned ? adjoint(t) : t, x = db.back();
        for (Complex &y : b.at)
            y *= alpha;
        expect(near(left ? op * x : x * op, b, 1e-9), "trsm solves");
    }
}

int main()
{
    cublasHandle_t h;
    expect(cublasCreate(&h) == ok, "a handle");
    for (int n : {1, 2, 9, 32}) {
        factors_S(h, n, true, 5e-2), factors_D(h, n, true, 1e-9);
        factors_S(h, n, false, 1e-4), factors_D(h, n, false, 1e-12);
    }
    triangular_systems(h);
    int info;
    expect(cublasSgetrfBatched(h, 4, NULL, 3, NULL, NULL, 1) == CUBLAS_STATUS_INVALID_VALUE, "a leading dimension < n");
    expect(cublasSgetrsBatched(h, CUBLAS_OP_N, 4, 1, NULL, 4, NULL, NULL, 3, &info, 1) == CUBLAS_STATUS_INVALID_VALUE &&
               info == -8,
           "getrsBatched names the argument");
    cublasDestroy(h);
    return verdict();
}
