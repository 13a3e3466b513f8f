/* cuFFT's plans and transforms, against sums written out (a naive DFT in double). */
// BUILD: $cucc -O1 -o $exe $case -lcufft
// TEST: cufft
// SKIPS: which is not installed
// RUN: $exe
// TEST: a library that is not installed is told once, with its package
// RUN: without_libraries $exe || :
// COUNT: 1 cuFFT needs libfftw3f.so.3, which is not installed: apt-get install libfftw3-single3
// TEST: cufft_by_sums
// RUN: by_fftw $exe
// COUNT: 2 ^plain FFTW: [1-9]
#include <cufft.h>
#ifndef _CUFFT_H_
#error "programs that ask for NVIDIA's include guard do not see cuFFT"
#endif

#include "matrix.h"

/* The transform of nz x ny x nx, not scaled. */
static std::vector<Complex> dft(const std::vector<Complex> &x, int nz, int ny, int nx, int sign)
{
    std::vector<Complex> y(x.size());
    for (int kz = 0; kz < nz; kz++)
        for (int ky = 0; ky < ny; ky++)
            for (int kx = 0; kx < nx; kx++) {
                Complex sum = 0;
                for (int z = 0; z < nz; z++)
                    for (int v = 0; v < ny; v++)
                        for (int u = 0; u < nx; u++)
                            sum += x[(z * ny + v) * nx + u] *
                                   std::polar(1.0, sign * 2 * M_PI *
                                                       ((double)kz * z / nz + (double)ky * v / ny + (double)kx * u / nx));
                y[(kz * ny + ky) * nx + kx] = sum;
            }
    return y;
}

template <class C> static bool near(const C *got, const std::vector<Complex> &want, size_t n, double tolerance)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, std::abs(Complex(got[i].x, got[i].y) - want[i]));
    return worst <= tolerance;
}

/* Managed memory, poisoned. */
template <class T> static T *managed(size_t n)
{
    T *p = NULL;
    cudaMallocManaged(&p, n * sizeof(T));
    cudaMemset(p, 0xff, n * sizeof(T));
    cudaDeviceSynchronize();
    return p;
}

template <class C, class Exec>
static void complex_3d(cufftType type, Exec exec, int nz, int ny, int nx, double tolerance, const char *what)
{
    const size_t n = (size_t)nz * ny * nx;
    std::vector<Complex> x(n);
    C *in = managed<C>(n), *out = managed<C>(n);
    for (size_t i = 0; i < n; i++) {
        in[i].x = random_number(), in[i].y = random_number();
        x[i] = Complex(in[i].x, in[i].y);
    }
    cufftHandle plan;
    cufftResult r = nz > 1   ? cufftPlan3d(&plan, nz, ny, nx, type)
                    : ny > 1 ? cufftPlan2d(&plan, ny, nx, type)
                             : cufftPlan1d(&plan, nx, type, 1);
    expect(r == CUFFT_SUCCESS && exec(plan, in, out, CUFFT_FORWARD) == CUFFT_SUCCESS, what);
    cudaDeviceSynchronize();
    expect(near(out, dft(x, nz, ny, nx, -1), n, tolerance), what);
    exec(plan, out, out, CUFFT_INVERSE); /* in place, back */
    cudaDeviceSynchronize();
    for (Complex &c : x)
        c *= n;
    expect(near(out, x, n, tolerance * n), what);
    expect(cufftDestroy(plan) == CUFFT_SUCCESS && cufftDestroy(plan) == CUFFT_INVALID_PLAN, "a plan is destroyed once");
    cudaFree(in), cudaFree(out);
}

/* Batches of real rows, forth and back, on a stream; in place too, where rows are padded. */
static void real_batches(int n, int batch, bool in_place)
{
    const int half = n / 2 + 1, row = in_place ? 2 * half : n;
    float *x = managed<float>((size_t)row * batch);
    cufftComplex *y = in_place ? (cufftComplex *)x : managed<cufftComplex>((size_t)half * batch);
    std::vector<std::vector<Complex>> rows(batch);
    for (int b = 0; b < batch; b++)
        for (int i = 0; i < n; i++) {
            x[b * row + i] = (float)random_number();
            rows[b].push_back(x[b * row + i]);
        }
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cufftHandle forth, back;
    expect(cufftPlan1d(&forth, n, CUFFT_R2C, batch) == CUFFT_SUCCESS, "R2C plan");
    expect(cufftPlan1d(&back, n, CUFFT_C2R, batch) == CUFFT_SUCCESS, "C2R plan");
    cufftSetStream(forth, stream), cufftSetStream(back, stream);
    expect(cufftExecR2C(forth, x, y) == CUFFT_SUCCESS, "R2C");
    cudaStreamSynchronize(stream);
    for (int b = 0; b < batch; b++)
        expect(near(y + b * half, dft(rows[b], 1, 1, n, -1), half, 1e-4), in_place ? "R2C in place" : "R2C");
    expect(cufftExecC2R(back, y, x) == CUFFT_SUCCESS, "C2R");
    cudaStreamSynchronize(stream);
    for (int b = 0; b < batch; b++)
        for (int i = 0; i < n; i++)
            expect(std::abs(x[b * row + i] - n * rows[b][i].real()) <= 1e-4 * n, "C2R gives n times the input");
    expect(cufftExecC2R(forth, y, x) == CUFFT_INVALID_TYPE, "a plan is of one type");
    cufftDestroy(forth), cufftDestroy(back), cudaStreamDestroy(stream);
    cudaFree(x);
    if (!in_place)
        cudaFree(y);
}

/* The columns of a matrix of rows x columns: strides and distances of cufftPlanMany, in double. */
static void columns_of_a_matrix(int rows, int columns)
{
    const int half = rows / 2 + 1;
    double *x = managed<double>((size_t)rows * columns);
    cufftDoubleComplex *y = managed<cufftDoubleComplex>((size_t)half * columns);
    std::vector<std::vector<Complex>> column(columns, std::vector<Complex>(rows));
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            column[j][i] = x[i * columns + j] = random_number();
    int n[] = {rows}, embed_in[] = {rows}, embed_out[] = {half};
    cufftHandle plan;
    expect(cufftPlanMany(&plan, 1, n, embed_in, columns, 1, embed_out, columns, 1, CUFFT_D2Z, columns) == CUFFT_SUCCESS,
           "strided plan");
    expect(cufftExecD2Z(plan, x, y) == CUFFT_SUCCESS, "D2Z");
    cudaDeviceSynchronize();
    for (int j = 0; j < columns; j++) {
        std::vector<cufftDoubleComplex> got;
        for (int k = 0; k < half; k++)
            got.push_back(y[k * columns + j]);
        expect(near(got.data(), dft(column[j], 1, 1, rows, -1), half, 1e-10), "D2Z of a matrix's columns");
    }
    cufftDestroy(plan), cudaFree(x), cudaFree(y);
}

/* A transform that was captured runs each time its graph does. */
static void captured()
{
    const int n = 16;
    cufftComplex *x = managed<cufftComplex>(n);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1);
    cufftSetStream(plan, stream);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    expect(cufftExecC2C(plan, x, x, CUFFT_FORWARD) == CUFFT_SUCCESS, "a transform is captured");
    expect(cudaStreamEndCapture(stream, &graph) == cudaSuccess && cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess,
           "its graph");
    for (int i = 0; i < n; i++)
        x[i] = make_float2(i == 1, 0);
    cudaGraphLaunch(exec, stream), cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < n; i++) /* twice is n times the input, turned round */
        expect(std::abs(x[i].x - (i == n - 1 ? n : 0)) < 1e-4 && std::abs(x[i].y) < 1e-4, "a graph's transforms");
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cufftDestroy(plan), cudaStreamDestroy(stream), cudaFree(x);
}

int main()
{
    const int sizes[] = {1, 2, 7, 32, 97};
    for (int n : sizes) {
        complex_3d<cufftComplex>(CUFFT_C2C, cufftExecC2C, 1, 1, n, 1e-4, "C2C in one dimension");
        real_batches(n, 3, false);
        real_batches(n, 3, true);
    }
    complex_3d<cufftDoubleComplex>(CUFFT_Z2Z, cufftExecZ2Z, 1, 6, 10, 1e-11, "Z2Z in two dimensions");
    complex_3d<cufftComplex>(CUFFT_C2C, cufftExecC2C, 4, 3, 10, 1e-4, "C2C in three dimensions");
    columns_of_a_matrix(12, 5);
    captured();
    cufftHandle plan;
    expect(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "a size of 0 is refused");
    expect(cufftExecC2C(1234, NULL, NULL, CUFFT_FORWARD) == CUFFT_INVALID_PLAN, "no such plan");
    return verdict();
}
