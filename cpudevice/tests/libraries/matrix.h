/* matrix.h: matrices by columns, their products and random ones, for the tests of libraries: plain loops in complex
 * double, whatever type the library computed in. */
#ifndef LIBRARIES_MATRIX_H
#define LIBRARIES_MATRIX_H

#include <cmath>
#include <complex>
#include <cstdio>
#include <cuComplex.h>
#include <vector>

typedef std::complex<double> Complex;

static int failures;
static void expect(bool good, const char *what)
{
    if (!good)
        printf("wrong: %s\n", what), failures++;
}

static inline double random_number() /* in [-1, 1) */
{
    static unsigned long long state = 12345;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 33) / (1u << 30) - 1;
}

struct Matrix {
    int rows, columns;
    std::vector<Complex> at;
    Matrix(int m, int n) : rows(m), columns(n), at((size_t)m * n) {}
    Complex &operator()(int i, int j) { return at[(size_t)j * rows + i]; }
    Complex operator()(int i, int j) const { return at[(size_t)j * rows + i]; }
};

static inline Matrix operator*(const Matrix &a, const Matrix &b)
{
    Matrix c(a.rows, b.columns);
    for (int j = 0; j < b.columns; j++)
        for (int k = 0; k < a.columns; k++)
            for (int i = 0; i < a.rows; i++)
                c(i, j) += a(i, k) * b(k, j);
    return c;
}
static inline Matrix adjoint(const Matrix &a)
{
    Matrix t(a.columns, a.rows);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++)
            t(j, i) = std::conj(a(i, j));
    return t;
}
/* op as cuBLAS numbers it: 0 as it is, 1 transposed, 2 the adjoint */
static inline Matrix turned(const Matrix &a, int op)
{
    Matrix t = op ? adjoint(a) : a;
    for (Complex &x : t.at)
        x = op == 1 ? std::conj(x) : x;
    return t;
}
static inline Matrix identity(int n)
{
    Matrix a(n, n);
    for (int i = 0; i < n; i++)
        a(i, i) = 1;
    return a;
}
static inline double distance(const Matrix &a, const Matrix &b) /* the largest difference of two elements */
{
    double worst = a.rows == b.rows && a.columns == b.columns ? 0 : INFINITY;
    for (size_t i = 0; i < a.at.size() && std::isfinite(worst); i++)
        worst = std::abs(a.at[i] - b.at[i]) <= worst ? worst : std::abs(a.at[i] - b.at[i]);
    return worst;
}
static inline bool near(const Matrix &a, const Matrix &b, double tolerance) { return distance(a, b) <= tolerance; }

/* Elements of the library's types. */
static inline void put(float &to, Complex x) { to = (float)x.real(); }
static inline void put(double &to, Complex x) { to = x.real(); }
static inline void put(cuComplex &to, Complex x) { to.x = (float)x.real(), to.y = (float)x.imag(); }
static inline void put(cuDoubleComplex &to, Complex x) { to.x = x.real(), to.y = x.imag(); }
static inline Complex get(float x) { return x; }
static inline Complex get(double x) { return x; }
static inline Complex get(cuComplex x) { return Complex(x.x, x.y); }
static inline Complex get(cuDoubleComplex x) { return Complex(x.x, x.y); }
template <class T> constexpr bool is_complex = sizeof(T) == 2 * sizeof(decltype(T().x + 0));
template <> constexpr bool is_complex<float> = false;
template <> constexpr bool is_complex<double> = false;

/* Random, and rounded to T. */
template <class T> static Matrix random_matrix(int m, int n)
{
    Matrix a(m, n);
    for (Complex &x : a.at) {
        T rounded;
        put(rounded, Complex(random_number(), is_complex<T> ? random_number() : 0));
        x = get(rounded);
    }
    return a;
}
/* Symmetric (Hermitian) and positive definite. */
template <class T> static Matrix positive_matrix(int n)
{
    const Matrix a = random_matrix<T>(n, n);
    Matrix p = a * adjoint(a);
    for (int i = 0; i < n; i++)
        p(i, i) += n;
    return p;
}

/* A matrix in device memory with a leading dimension of its own; the gap between columns is poisoned. */
template <class T> struct OnDevice {
    int rows, columns, ld;
    T *p = NULL;
    OnDevice(const Matrix &a, int pad = 0) : rows(a.rows), columns(a.columns), ld(a.rows + pad)
    {
        std::vector<T> h((size_t)ld * columns);
        for (T &x : h)
            put(x, Complex(NAN, NAN));
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                put(h[(size_t)j * ld + i], a(i, j));
        cudaMalloc(&p, h.size() * sizeof(T));
        cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~OnDevice() { cudaFree(p); }
    OnDevice(const OnDevice &) = delete;
    Matrix back() const
    {
        std::vector<T> h((size_t)ld * columns);
        cudaMemcpy(h.data(), p, h.size() * sizeof(T), cudaMemcpyDeviceToHost);
        Matrix a(rows, columns);
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                a(i, j) = get(h[(size_t)j * ld + i]);
        return a;
    }
};

/* One number on the device, poisoned; or several. */
template <class T> struct Cells {
    T *p = NULL;
    size_t n;
    Cells(size_t count = 1) : n(count)
    {
        cudaMalloc(&p, n * sizeof(T));
        cudaMemset(p, 0x7f, n * sizeof(T));
    }
    ~Cells() { cudaFree(p); }
    Cells(const Cells &) = delete;
    std::vector<T> back() const
    {
        std::vector<T> h(n);
        cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
        return h;
    }
    T first() const { return back()[0]; }
};

static inline int verdict()
{
    if (!failures)
        printf("all right\n");
    return failures != 0;
}

#endif
