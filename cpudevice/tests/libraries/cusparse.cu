/* cuSPARSE's products, conversions and triangular systems, against dense loops. */
// BUILD: $cucc -O1 -o $exe $case -lcusparse
// TEST: cusparse
// RUN: $exe
#include <cusparse.h>

#include "matrix.h"

static const cusparseStatus_t ok = CUSPARSE_STATUS_SUCCESS;

/* A matrix with about a third of its entries, and a full diagonal. */
template <class T> static Matrix sparse_matrix(int m, int n)
{
    Matrix a = random_matrix<T>(m, n);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            if (i == j)
                a(i, j) += 4.0;
            else if (random_number() > -0.3)
                a(i, j) = 0;
    return a;
}

template <class T> static T *on_device(const std::vector<T> &h)
{
    T *p = NULL;
    cudaMalloc(&p, (h.size() + 1) * sizeof(T));
    cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

/* In CSR, CSC or COO. */
template <class T, class I> struct Sparse {
    cusparseSpMatDescr_t d;
    std::vector<I> offsets, rows, columns;
    I *first, *second;
    T *values;
    int64_t nnz = 0;
    Sparse(const Matrix &a, cusparseFormat_t format, cusparseIndexBase_t base, cudaDataType type)
    {
        const bool by_columns = format == CUSPARSE_FORMAT_CSC;
        std::vector<T> v;
        offsets.push_back((I)base);
        for (int i = 0; i < (by_columns ? a.columns : a.rows); i++) {
            for (int j = 0; j < (by_columns ? a.rows : a.columns); j++) {
                const int row = by_columns ? j : i, column = by_columns ? i : j;
                if (a(row, column) == 0.0)
                    continue;
                T x;
                put(x, a(row, column));
                v.push_back(x), rows.push_back(row + base), columns.push_back(column + base);
            }
            offsets.push_back((I)(v.size() + base));
        }
        nnz = (int64_t)v.size();
        values = on_device(v);
        const cusparseIndexType_t index = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
        first = on_device(format == CUSPARSE_FORMAT_COO ? rows : offsets);
        second = on_device(by_columns ? rows : columns);
        const cusparseStatus_t s =
            format == CUSPARSE_FORMAT_COO
                ? cusparseCreateCoo(&d, a.rows, a.columns, nnz, first, second, values, index, base, type)
                : (by_columns ? cusparseCreateCsc : cusparseCreateCsr)(&d, a.rows, a.columns, nnz, first, second,
                                                                       values, index, index, base, type);
        expect(s == ok, "a sparse matrix is made");
    }
    ~Sparse() { cusparseDestroySpMat(d), cudaFree(first), cudaFree(second), cudaFree(values); }
    Sparse(const Sparse &) = delete;
};

static Matrix scaled(Complex factor, Matrix a)
{
    for (Complex &x : a.at)
        x *= factor;
    return a;
}
static Matrix sum(Matrix a, const Matrix &b)
{
    for (size_t i = 0; i < a.at.size(); i++)
        a.at[i] += b.at[i];
    return a;
}

template <class T, class I>
static void products(cusparseHandle_t h, cusparseFormat_t format, cusparseIndexBase_t base, cudaDataType type,
                     double tolerance)
{
    const int m = 13, n = 9, columns = 4;
    const Matrix a = sparse_matrix<T>(m, n), b = random_matrix<T>(n, columns), c = random_matrix<T>(m, columns),
                 u = random_matrix<T>(m, 1), v = random_matrix<T>(n, 1);
    Sparse<T, I> s(a, format, base, type);
    T alpha, beta, zero;
    put(alpha, Complex(1.5, is_complex<T> ? -0.5 : 0)), put(beta, -2.0), put(zero, 0.0);
    size_t bytes = 0;
    for (int turned = 0; turned < 2; turned++) {
        const cusparseOperation_t op =
            turned ? CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
        const Matrix &x = turned ? u : v, &y = turned ? v : u;
        OnDevice<T> dx(x), dy(y);
        cusparseDnVecDescr_t vx, vy;
        cusparseCreateDnVec(&vx, x.rows, dx.p, type), cusparseCreateDnVec(&vy, y.rows, dy.p, type);
        expect(cusparseSpMV_bufferSize(h, op, &alpha, s.d, vx, &beta, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes) == ok,
               "SpMV's buffer");
        expect(cusparseSpMV(h, op, &alpha, s.d, vx, &beta, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, NULL) == ok, "SpMV");
        const Matrix product = scaled(get(alpha), (turned ? adjoint(a) : a) * x);
        expect(near(dy.back(), sum(product, scaled(get(beta), y)), tolerance), turned ? "SpMV, transposed" : "SpMV");
        expect(cusparseSpMV(h, op, &alpha, s.d, vy, &beta, vx, type, CUSPARSE_SPMV_ALG_DEFAULT, NULL) ==
                   CUSPARSE_STATUS_INVALID_VALUE,
               "vectors that do not fit");
        cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy);
    }
    OnDevice<T> db(b, 2), dc(scaled(NAN, c)); /* beta = 0: C is not read */
    cusparseDnMatDescr_t mb, mc;
    cusparseCreateDnMat(&mb, n, columns, db.ld, db.p, type, CUSPARSE_ORDER_COL);
    cusparseCreateDnMat(&mc, m, columns, dc.ld, dc.p, type, CUSPARSE_ORDER_COL);
    expect(cusparseSpMM(h, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, s.d, mb, &zero,
                        mc, type, CUSPARSE_SPMM_ALG_DEFAULT, NULL) == ok,
           "SpMM");
    expect(near(dc.back(), scaled(get(alpha), a * b), tolerance), "SpMM's product");
    /* C b' at A's entries; then as a dense matrix */
    OnDevice<T> dd(Matrix(m, n));
    cusparseDnMatDescr_t md;
    cusparseCreateDnMat(&md, m, n, m, dd.p, type, CUSPARSE_ORDER_COL);
    T one;
    put(one, 1.0);
    const Matrix sampled = dc.back() * adjoint(b);
    expect(cusparseSDDMM(h, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, &one, mc, mb,
                         &beta, s.d, type, CUSPARSE_SDDMM_ALG_DEFAULT, NULL) == ok,
           "SDDMM");
    expect(cusparseSparseToDense(h, s.d, md, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, NULL) == ok, "SparseToDense");
    Matrix want(m, n);
    for (size_t i = 0; i < want.at.size(); i++)
        want.at[i] = a.at[i] == 0.0 ? 0 : sampled.at[i] + get(beta) * a.at[i];
    expect(near(dd.back(), want, tolerance * 10), "SDDMM's entries");
    cusparseDestroyDnMat(mb), cusparseDestroyDnMat(mc), cusparseDestroyDnMat(md);
}

/* A B in CSR: it is as it is counted, and its columns come in order. */
static void sparse_times_sparse(cusparseHandle_t h)
{
    const int m = 8, n = 11, k = 6;
    const Matrix a = sparse_matrix<float>(m, k), b = sparse_matrix<float>(k, n);
    Sparse<float, int> sa(a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    Sparse<float, int> sb(b, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
    Cells<int> offsets(m + 1);
    cusparseSpMatDescr_t c;
    cusparseSpGEMMDescr_t d;
    cusparseSpGEMM_createDescr(&d);
    cusparseCreateCsr(&c, m, n, 0, offsets.p, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    const float alpha = 2, beta = 0;
    const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE;
    size_t bytes = 0;
    expect(cusparseSpGEMM_workEstimation(h, N, N, &alpha, sa.d, sb.d, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, d,
                                         &bytes, NULL) == ok,
           "SpGEMM's estimate");
    Cells<char> buffer(bytes + 1);
    expect(cusparseSpGEMM_compute(h, N, N, &alpha, sa.d, sb.d, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, d, &bytes,
                                  buffer.p) == ok,
           "SpGEMM");
    int64_t rows, columns, nnz = -1;
    cusparseSpMatGetSize(c, &rows, &columns, &nnz);
    Cells<int> indices((size_t)nnz);
    Cells<float> values((size_t)nnz);
    cusparseCsrSetPointers(c, offsets.p, indices.p, values.p);
    expect(cusparseSpGEMM_copy(h, N, N, &alpha, sa.d, sb.d, &beta, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, d) == ok,
           "SpGEMM's copy");
    Matrix got(m, n);
    const std::vector<int> o = offsets.back(), i = indices.back();
    expect(o[0] == 0 && o[m] == nnz, "SpGEMM's offsets");
    for (int row = 0; row < m; row++)
        for (int q = o[row]; q < o[row + 1]; q++) {
            expect(q == o[row] || i[q] > i[q - 1], "columns in order");
            got(row, i[q]) = values.back()[q];
        }
    expect(near(got, scaled(2, a * b), 1e-4), "SpGEMM's product");
    cusparseSpGEMM_destroyDescr(d), cusparseDestroySpMat(c);
}

static void dense_to_sparse(cusparseHandle_t h)
{
    const int m = 7, n = 5;
    const Matrix a = sparse_matrix<double>(m, n);
    OnDevice<double> da(a, 1);
    Sparse<double, int> want(a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    cusparseDnMatDescr_t dense;
    cusparseSpMatDescr_t sparse;
    Cells<int> offsets(m + 1), columns((size_t)want.nnz), rows((size_t)want.nnz), column_offsets(n + 1);
    Cells<double> values((size_t)want.nnz), by_columns((size_t)want.nnz);
    cusparseCreateDnMat(&dense, m, n, da.ld, da.p, CUDA_R_64F, CUSPARSE_ORDER_COL);
    cusparseCreateCsr(&sparse, m, n, 0, offsets.p, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    expect(cusparseDenseToSparse_analysis(h, dense, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, NULL) == ok, "analysis");
    int64_t r, c, nnz = -1;
    cusparseSpMatGetSize(sparse, &r, &c, &nnz);
    expect(nnz == want.nnz, "DenseToSparse counts");
    cusparseCsrSetPointers(sparse, offsets.p, columns.p, values.p);
    expect(cusparseDenseToSparse_convert(h, dense, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, NULL) == ok, "convert");
    expect(offsets.back() == want.offsets && columns.back() == want.columns, "DenseToSparse");
    expect(cusparseXcsr2coo(h, offsets.p, (int)nnz, m, rows.p, CUSPARSE_INDEX_BASE_ZERO) == ok &&
               rows.back() == want.rows,
           "csr2coo");
    cudaMemset(offsets.p, 0x7f, (m + 1) * sizeof(int));
    expect(cusparseXcoo2csr(h, rows.p, (int)nnz, m, offsets.p, CUSPARSE_INDEX_BASE_ZERO) == ok &&
               offsets.back() == want.offsets,
           "coo2csr");
    Sparse<double, int> turned(a, CUSPARSE_FORMAT_CSC, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    expect(cusparseCsr2cscEx2(h, m, n, (int)nnz, values.p, offsets.p, columns.p, by_columns.p, column_offsets.p, rows.p,
                              CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1,
                              NULL) == ok,
           "csr2csc");
    expect(column_offsets.back() == turned.offsets && rows.back() == turned.rows, "csr2csc's indices");
    size_t k = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (a(i, j) != 0.0)
                expect(by_columns.back()[k++] == a(i, j).real(), "csr2csc's values");
    cusparseDestroyDnMat(dense), cusparseDestroySpMat(sparse);
}

/* Triangles of a matrix, solved in all ways; then L and U of ILU(0), which of a full matrix are its LU. */
static void triangles(cusparseHandle_t h)
{
    const int n = 10;
    const Matrix a = sparse_matrix<double>(n, n), x = random_matrix<double>(n, 1);
    Sparse<double, int> s(a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F);
    OnDevice<double> dx(x), dy(x);
    cusparseDnVecDescr_t vx, vy;
    cusparseSpSVDescr_t d;
    cusparseCreateDnVec(&vx, n, dx.p, CUDA_R_64F), cusparseCreateDnVec(&vy, n, dy.p, CUDA_R_64F);
    cusparseSpSV_createDescr(&d);
    const double alpha = 3;
    for (int way = 0; way < 8; way++) {
        cusparseFillMode_t fill = way & 1 ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
        cusparseDiagType_t diag = way & 2 ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
        const cusparseOperation_t op = way & 4 ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
        cusparseSpMatSetAttribute(s.d, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
        cusparseSpMatSetAttribute(s.d, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag);
        expect(cusparseSpSV_solve(h, op, &alpha, s.d, vx, vy, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, d) == ok, "SpSV");
        Matrix t(n, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                t(i, j) = i == j && way & 2 ? 1 : (way & 1 ? i <= j : i >= j) ? a(i, j) : 0;
        expect(near((way & 4 ? adjoint(t) : t) * dy.back(), scaled(3, x), 1e-10), "SpSV solves");
    }
    Matrix full = random_matrix<double>(n, n);
    for (int i = 0; i < n; i++)
        full(i, i) += 2 * n;
    Sparse<double, int> f(full, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    cusparseMatDescr_t descr;
    csrilu02Info_t info;
    cusparseCreateMatDescr(&descr), cusparseCreateCsrilu02Info(&info);
    expect(cusparseDcsrilu02(h, n, (int)f.nnz, descr, f.values, f.first, f.second, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                             NULL) == ok,
           "csrilu02");
    int zero = 0;
    expect(cusparseXcsrilu02_zeroPivot(h, info, &zero) == ok && zero == -1, "no pivot is 0");
    std::vector<double> lu(n * n);
    cudaMemcpy(lu.data(), f.values, lu.size() * sizeof(double), cudaMemcpyDeviceToHost);
    Matrix l = identity(n), u(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            (j < i ? l : u)(i, j) = lu[i * n + j];
    expect(near(l * u, full, 1e-10), "csrilu02's L and U");
    cusparseDestroyMatDescr(descr), cusparseDestroyCsrilu02Info(info);
    cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy), cusparseSpSV_destroyDescr(d);
}

int main()
{
    cusparseHandle_t h;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    expect(cusparseCreate(&h) == ok && cusparseSetStream(h, NULL) == ok, "a handle");
    for (cusparseFormat_t format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
        products<float, int>(h, format, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F, 1e-4);
        products<double, int64_t>(h, format, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F, 1e-11);
        products<cuDoubleComplex, int>(h, format, CUSPARSE_INDEX_BASE_ZERO, CUDA_C_64F, 1e-11);
    }
    sparse_times_sparse(h);
    dense_to_sparse(h);
    triangles(h);
    cusparseDestroy(h);
    cudaStreamDestroy(stream);
    return verdict();
}
