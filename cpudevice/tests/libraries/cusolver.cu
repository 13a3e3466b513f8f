/* cuSOLVER's dense factorizations: residuals by plain products. */
// BUILD: $cucc -O1 -o $exe $case -lcusolver
// TEST: cusolver
// RUN: $exe
#include <cusolverDn.h>

#include "matrix.h"

static const cusolverStatus_t ok = CUSOLVER_STATUS_SUCCESS;

static Matrix triangle(const Matrix &a, bool lower, bool unit)
{
    Matrix t(a.rows, a.columns);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++)
            t(i, j) = i == j && unit ? 1 : (lower ? i >= j : i <= j) ? a(i, j) : 0;
    return t;
}

#define CHOLESKY(X, T)                                                                                                 \
    static void cholesky_##X(cusolverDnHandle_t h, int n, cublasFillMode_t uplo, double tolerance)                     \
    {                                                                                                                  \
        const Matrix a = positive_matrix<T>(n), b = random_matrix<T>(n, 3);                                            \
        OnDevice<T> da(a, 2), db(b, 1);                                                                                \
        int lwork = 0;                                                                                                 \
        Cells<int> info;                                                                                               \
        expect(cusolverDn##X##potrf_bufferSize(h, uplo, n, da.p, da.ld, &lwork) == ok && lwork > 0, "potrf's memory"); \
        Cells<T> work(lwork);                                                                                          \
        expect(cusolverDn##X##potrf(h, uplo, n, da.p, da.ld, work.p, lwork, info.p) == ok, "potrf is called");         \
        const Matrix l = triangle(da.back(), uplo == CUBLAS_FILL_MODE_LOWER, false);                                   \
        expect(info.first() == 0, "potrf's info");                                                                     \
        expect(near(uplo == CUBLAS_FILL_MODE_LOWER ? l * adjoint(l) : adjoint(l) * l, a, tolerance * n), #X "potrf");  \
        expect(cusolverDn##X##potrs(h, uplo, n, 3, da.p, da.ld, db.p, db.ld, info.p) == ok, "potrs is called");        \
        expect(near(a * db.back(), b, tolerance * n), #X "potrs");                                                     \
        const Matrix bad = random_matrix<T>(n, n) * Matrix(n, n); /* zeros */                                          \
        OnDevice<T> dbad(bad);                                                                                         \
        cusolverDn##X##potrf(h, uplo, n, dbad.p, dbad.ld, work.p, lwork, info.p);                                      \
        expect(info.first() == 1, "potrf of a matrix that is not positive");                                           \
        expect(cusolverDn##X##potrf(h, uplo, n, da.p, n - 1, work.p, lwork, info.p) ==                                 \
                   CUSOLVER_STATUS_INVALID_VALUE,                                                                      \
               "a leading dimension below n");                                                                         \
    }
CHOLESKY(S, float)
CHOLESKY(Z, cuDoubleComplex)

#define LU(X, T)                                                                                                       \
    static void lu_##X(cusolverDnHandle_t h, int n, bool pivot, double tolerance)                                      \
    {                                                                                                                  \
        Matrix a = random_matrix<T>(n, n), b = random_matrix<T>(n, 2);                                                 \
        for (int i = 0; i < n && !pivot; i++)                                                                          \
            a(i, i) += 2 * n;                                                                                          \
        OnDevice<T> da(a, 3), db(b);                                                                                   \
        int lwork = 0;                                                                                                 \
        Cells<int> info, pivots(n);                                                                                    \
        expect(cusolverDn##X##getrf_bufferSize(h, n, n, da.p, da.ld, &lwork) == ok && lwork > 0, "getrf's memory");    \
        Cells<T> work(lwork);                                                                                          \
        expect(cusolverDn##X##getrf(h, n, n, da.p, da.ld, work.p, pivot ? pivots.p : NULL, info.p) == ok, "getrf");    \
        const Matrix f = da.back();                                                                                    \
        Matrix product = triangle(f, true, true) * triangle(f, false, false);                                          \
        for (int i = n - 1; i >= 0 && pivot; i--)                                                                      \
            for (int j = 0; j < n; j++)                                                                                \
                std::swap(product(i, j), product(pivots.back()[i] - 1, j));                                            \
        expect(info.first() == 0 && near(product, a, tolerance * n), #X "getrf");                                      \
        expect(cusolverDn##X##getrs(h, CUBLAS_OP_C, n, 2, da.p, da.ld, pivot ? pivots.p : NULL, db.p, db.ld,           \
                                    info.p) == ok,                                                                     \
               "getrs is called");                                                                                     \
        expect(near(adjoint(a) * db.back(), b, tolerance * n * 100), #X "getrs");                                      \
    }
LU(D, double)
LU(C, cuComplex)

#define QR(X, T, OR)                                                                                                   \
    static void qr_##X(cusolverDnHandle_t h, int m, int n, double tolerance)                                           \
    {                                                                                                                  \
        const Matrix a = random_matrix<T>(m, n), c = random_matrix<T>(m, 2);                                           \
        OnDevice<T> da(a, 1), dc(c, 2);                                                                                \
        int lwork = 0;                                                                                                 \
        Cells<int> info;                                                                                               \
        Cells<T> tau(n);                                                                                               \
        expect(cusolverDn##X##geqrf_bufferSize(h, m, n, da.p, da.ld, &lwork) == ok, "geqrf's memory");                 \
        Cells<T> work(lwork);                                                                                          \
        expect(cusolverDn##X##geqrf(h, m, n, da.p, da.ld, tau.p, work.p, lwork, info.p) == ok, "geqrf is called");     \
        Matrix r(n, n);                                                                                                \
        for (int i = 0; i < n; i++)                                                                                    \
            for (int j = i; j < n; j++)                                                                                \
                r(i, j) = da.back()(i, j);                                                                             \
        expect(cusolverDn##X##OR##mqr(h, CUBLAS_SIDE_LEFT, is_complex<T> ? CUBLAS_OP_C : CUBLAS_OP_T, m, 2, n, da.p,   \
                                      da.ld, tau.p, dc.p, dc.ld, work.p, lwork, info.p) == ok,                         \
               "ormqr is called");                                                                                     \
        expect(cusolverDn##X##OR##gqr(h, m, n, n, da.p, da.ld, tau.p, work.p, lwork, info.p) == ok, "orgqr is called"); \
        const Matrix q = da.back(), qc = adjoint(q) * c, got = dc.back();                                              \
        expect(near(adjoint(q) * q, identity(n), tolerance * m), #X "orgqr: orthogonal columns");                      \
        expect(near(q * r, a, tolerance * m), #X "geqrf");                                                             \
        for (int j = 0; j < 2; j++)                                                                                    \
            for (int i = 0; i < n; i++)                                                                                \
                expect(std::abs(got(i, j) - qc(i, j)) <= tolerance * m, #X "ormqr");                                   \
    }
QR(D, double, or)
QR(C, cuComplex, un)

#define SINGULAR(X, T, R)                                                                                              \
    static void singular_##X(cusolverDnHandle_t h, int m, int n, double tolerance)                                     \
    {                                                                                                                  \
        const Matrix a = random_matrix<T>(m, n);                                                                       \
        for (int jacobi = 0; jacobi < 2; jacobi++) {                                                                   \
            OnDevice<T> da(a), du(Matrix(m, jacobi ? n : m)), dv(Matrix(n, n));                                        \
            int lwork = 0;                                                                                             \
            Cells<int> info;                                                                                           \
            Cells<R> s(n);                                                                                             \
            gesvdjInfo_t params;                                                                                       \
            cusolverDnCreateGesvdjInfo(&params);                                                                       \
            expect(cusolverDn##X##gesvd_bufferSize(h, m, n, &lwork) == ok, "gesvd's memory");                          \
            Cells<T> work(lwork);                                                                                      \
            expect((jacobi ? cusolverDn##X##gesvdj(h, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, da.p, da.ld, s.p, du.p, du.ld,\
                                                   dv.p, dv.ld, work.p, lwork, info.p, params)                         \
                           : cusolverDn##X##gesvd(h, 'A', 'A', m, n, da.p, da.ld, s.p, du.p, du.ld, dv.p, dv.ld,       \
                                                  work.p, lwork, NULL, info.p)) == ok,                                 \
                   "gesvd is called");                                                                                 \
            const Matrix u = du.back(), v = jacobi ? adjoint(dv.back()) : dv.back();                                   \
            const std::vector<R> sigma = s.back();                                                                     \
            Matrix us(m, n);                                                                                           \
            for (int j = 0; j < n; j++) {                                                                              \
                expect(j == 0 || sigma[j] <= sigma[j - 1], "singular values come in order");                           \
                for (int i = 0; i < m; i++)                                                                            \
                    us(i, j) = u(i, j) * (double)sigma[j];                                                             \
            }                                                                                                          \
            expect(near(us * v, a, tolerance * m), jacobi ? #X "gesvdj" : #X "gesvd");                                 \
            expect(near(adjoint(u) * u, identity(u.columns), tolerance * m), #X "gesvd: U");                           \
            expect(near(adjoint(v) * v, identity(n), tolerance * m), #X "gesvd: V");                                   \
            cusolverDnDestroyGesvdjInfo(params);                                                                       \
        }                                                                                                              \
        int lwork;                                                                                                     \
        expect(cusolverDn##X##gesvd_bufferSize(h, n - 1, n, &lwork) == CUSOLVER_STATUS_INVALID_VALUE,                  \
               "gesvd wants at least as many rows as columns");                                                        \
    }
SINGULAR(S, float, float)
SINGULAR(Z, cuDoubleComplex, double)

#define EIGEN(X, T, R, SY)                                                                                             \
    static void eigen_##X(cusolverDnHandle_t h, int n, double tolerance)                                               \
    {                                                                                                                  \
        const Matrix p = positive_matrix<T>(n), b = positive_matrix<T>(n);                                             \
        for (int general = 0; general < 2; general++) {                                                                \
            OnDevice<T> da(p, 1), db(b);                                                                               \
            int lwork = 0;                                                                                             \
            Cells<int> info;                                                                                           \
            Cells<R> w(n);                                                                                             \
            expect(cusolverDn##X##SY##evd_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, da.p,     \
                                                     da.ld, w.p, &lwork) == ok,                                        \
                   "syevd's memory");                                                                                  \
            Cells<T> work(lwork);                                                                                      \
            expect((general ? cusolverDn##X##SY##gvd(h, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR,                 \
                                                     CUBLAS_FILL_MODE_UPPER, n, da.p, da.ld, db.p, db.ld, w.p, work.p, \
                                                     lwork, info.p)                                                    \
                            : cusolverDn##X##SY##evd(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, da.p,     \
                                                     da.ld, w.p, work.p, lwork, info.p)) == ok,                        \
                   "syevd is called");                                                                                 \
            const Matrix v = da.back();                                                                                \
            Matrix vw = general ? b * v : v;                                                                           \
            const std::vector<R> values = w.back();                                                                    \
            for (int j = 0; j < n; j++) {                                                                              \
                expect(j == 0 || values[j] >= values[j - 1], "eigenvalues come in order");                             \
                for (int i = 0; i < n; i++)                                                                            \
                    vw(i, j) *= (double)values[j];                                                                     \
            }                                                                                                          \
            expect(info.first() == 0 && near(p * v, vw, tolerance * n * n), general ? #X "sygvd" : #X "syevd");        \
            expect(near(adjoint(v) * (general ? b * v : v), identity(n), tolerance * n), "eigenvectors");              \
        }                                                                                                              \
    }
EIGEN(D, double, double, sy)
EIGEN(C, cuComplex, float, he)

static void batched(cusolverDnHandle_t h)
{
    const int n = 5, batch = 3;
    std::vector<Matrix> a(batch, Matrix(n, n)), b(batch, Matrix(n, 1));
    std::vector<OnDevice<double> *> da, db;
    std::vector<double *> pa, pb;
    for (int i = 0; i < batch; i++) {
        a[i] = positive_matrix<double>(n), b[i] = random_matrix<double>(n, 1);
        da.push_back(new OnDevice<double>(a[i])), db.push_back(new OnDevice<double>(b[i]));
        pa.push_back(da[i]->p), pb.push_back(db[i]->p);
    }
    Cells<double *> dpa(batch), dpb(batch);
    Cells<int> info(batch), one;
    cudaMemcpy(dpa.p, pa.data(), batch * sizeof(double *), cudaMemcpyHostToDevice);
    cudaMemcpy(dpb.p, pb.data(), batch * sizeof(double *), cudaMemcpyHostToDevice);
    expect(cusolverDnDpotrfBatched(h, CUBLAS_FILL_MODE_LOWER, n, dpa.p, n, info.p, batch) == ok, "potrfBatched");
    expect(cusolverDnDpotrsBatched(h, CUBLAS_FILL_MODE_LOWER, n, 1, dpa.p, n, dpb.p, n, one.p, batch) == ok,
           "potrsBatched");
    for (int i = 0; i < batch; i++) {
        expect(info.back()[i] == 0 && near(a[i] * db[i]->back(), b[i], 1e-12), "potrsBatched solves");
        delete da[i], delete db[i];
    }
}

static void of_64_bits(cusolverDnHandle_t h)
{
    const int n = 9;
    const Matrix a = random_matrix<double>(n, n), b = random_matrix<double>(n, 2);
    OnDevice<double> da(a), db(b);
    Cells<long> pivots(n);
    Cells<int> info;
    size_t device = 1, host = 1;
    expect(cusolverDnXgetrf_bufferSize(h, NULL, n, n, CUDA_R_64F, da.p, n, CUDA_R_64F, &device, &host) == ok, "Xgetrf");
    expect(cusolverDnXgetrf(h, NULL, n, n, CUDA_R_64F, da.p, n, (int64_t *)pivots.p, CUDA_R_64F, NULL, device, NULL,
                            host, info.p) == ok,
           "Xgetrf");
    expect(cusolverDnXgetrs(h, NULL, CUBLAS_OP_N, n, 2, CUDA_R_64F, da.p, n, (int64_t *)pivots.p, CUDA_R_64F, db.p, n,
                            info.p) == ok,
           "Xgetrs");
    expect(near(a * db.back(), b, 1e-11), "Xgetrs solves");
}

int main()
{
    cusolverDnHandle_t h;
    expect(cusolverDnCreate(&h) == ok, "a handle");
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cusolverDnSetStream(h, stream);
    for (int n : {1, 2, 17, 40}) {
        cholesky_S(h, n, CUBLAS_FILL_MODE_UPPER, 1e-4), cholesky_Z(h, n, CUBLAS_FILL_MODE_LOWER, 1e-12);
        lu_D(h, n, true, 1e-11), lu_C(h, n, true, 1e-3), lu_D(h, n, false, 1e-11), lu_C(h, n, false, 1e-3);
        qr_D(h, n + 4, n, 1e-13), qr_C(h, n, n, 1e-5);
        singular_S(h, n + 1, n, 1e-5), singular_Z(h, n, n, 1e-13);
        eigen_D(h, n, 1e-12), eigen_C(h, n, 1e-4);
    }
    batched(h);
    of_64_bits(h);
    cusolverDnDestroy(h);
    cudaStreamDestroy(stream);
    return verdict();
}
