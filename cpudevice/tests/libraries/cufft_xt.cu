/* cuFFT's descriptors and its plans by the types' names, against sums written out in double. */
// BUILD: $cucc -O1 -o $exe $case -lcufft
// TEST: cufft_xt
// SKIPS: which is not installed
// RUN: $exe
// TEST: cufft_xt_by_sums
// RUN: by_fftw $exe
// COUNT: 2 ^plain FFTW: [1-9]
// TEST: cufft_xt under --check
// RUN: $cucc --check -g -O1 -o $work/checked $case -lcufft
// RUN: by_fftw $work/checked check
// MATCHES: ^cucc --check: 0 errors
#include <cufftXt.h>
#include <unistd.h>

#include "matrix.h"

static const cufftResult good = CUFFT_SUCCESS;

/* The transforms of nz x ny x nx, one after the other, not scaled. */
static std::vector<Complex> dft(const std::vector<Complex> &x, int nz, int ny, int nx, int sign)
{
    const size_t size = (size_t)nz * ny * nx;
    std::vector<Complex> y(x.size());
    for (size_t k = 0; k < x.size(); k++)
        for (size_t j = 0; j < size; j++) {
            const size_t at = k % size;
            const double turn = (double)(at / (ny * nx)) * (j / (ny * nx)) / nz +
                                (double)(at / nx % ny) * (j / nx % ny) / ny + (double)(at % nx) * (j % nx) / nx;
            y[k] += x[k - at + j] * std::polar(1.0, sign * 2 * M_PI * turn);
        }
    return y;
}

template <class T> static double worst(const std::vector<T> &got, const std::vector<Complex> &want)
{
    double most = 0;
    for (size_t i = 0; i < want.size() && std::isfinite(most); i++)
        most = std::abs(get(got[i]) - want[i]) <= most ? most : std::abs(get(got[i]) - want[i]);
    return got.size() >= want.size() ? most : INFINITY;
}

template <class T> static std::vector<T> random_elements(size_t n)
{
    std::vector<T> v(n);
    for (T &x : v)
        put(x, Complex(random_number(), random_number()));
    return v;
}
template <class T> static std::vector<Complex> values(const std::vector<T> &v)
{
    std::vector<Complex> x;
    for (const T &e : v)
        x.push_back(get(e));
    return x;
}

/* A plan of one device, with its sizes by MakePlanMany. */
static cufftHandle plan_for(std::vector<long long> n, cudaDataType in, cudaDataType out, cudaDataType by, int batch)
{
    cufftHandle plan;
    int device = 0;
    size_t work = 7;
    expect(cufftCreate(&plan) == good && cufftXtSetGPUs(plan, 1, &device) == good, "a plan of one device");
    expect(cufftXtMakePlanMany(plan, (int)n.size(), n.data(), NULL, 1, 0, in, NULL, 1, 0, out, batch, &work, by) ==
                   good &&
               work == 0,
           "which is made");
    expect(cufftXtSetGPUs(plan, 1, &device) == CUFFT_INVALID_PLAN, "devices are set before a plan is made");
    return plan;
}

static cudaLibXtDesc *room(cufftHandle plan, cufftXtSubFormat format, size_t bytes)
{
    cudaLibXtDesc *d = NULL;
    expect(cufftXtMalloc(plan, &d, format) == good && d, "a descriptor");
    expect(d->library == LIB_FORMAT_CUFFT && d->subFormat == format && d->descriptor->nGPUs == 1 &&
               d->descriptor->GPUs[0] == 0 && d->descriptor->size[0] == bytes,
           "and its parts");
    cudaMemset(d->descriptor->data[0], 0xff, bytes); /* no numbers */
    return d;
}

/* ---- complex transforms ---- */

template <class T, class Exec>
static void in_place(Exec exec, cudaDataType type, int nz, int ny, int nx, int batch, double tolerance,
                     const char *what)
{
    std::vector<long long> n;
    if (nz > 1)
        n.push_back(nz);
    if (nz > 1 || ny > 1)
        n.push_back(ny);
    n.push_back(nx);
    const size_t size = (size_t)nz * ny * nx, count = size * batch;
    const cufftHandle plan = plan_for(n, type, type, type, batch);
    cudaLibXtDesc *d = room(plan, CUFFT_XT_FORMAT_INPLACE, count * sizeof(T));
    std::vector<T> x = random_elements<T>(count), got(count);
    expect(cufftXtMemcpy(plan, d, x.data(), CUFFT_COPY_HOST_TO_DEVICE) == good, what);
    expect(exec(plan, d, d, CUFFT_FORWARD) == good && d->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED, what);
    expect(cufftXtMemcpy(plan, got.data(), d, CUFFT_COPY_DEVICE_TO_HOST) == good, what);
    expect(worst(got, dft(values(x), nz, ny, nx, -1)) <= tolerance, what);
    expect(exec(plan, d, d, CUFFT_INVERSE) == good && d->subFormat == CUFFT_XT_FORMAT_INPLACE, what);
    expect(cufftXtMemcpy(plan, got.data(), d, CUFFT_COPY_DEVICE_TO_HOST) == good, what);
    std::vector<Complex> want = values(x);
    for (Complex &c : want)
        c *= size;
    expect(worst(got, want) <= tolerance * size, what);
    expect(cufftDestroy(plan) == good && cufftXtFree(d) == good, "a descriptor outlives its plan");
}

static void out_of_place()
{
    const int nx = 12, batch = 3, count = nx * batch;
    const cufftHandle plan = plan_for({nx}, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, batch);
    const size_t bytes = count * sizeof(cufftDoubleComplex);
    cudaLibXtDesc *in = room(plan, CUFFT_XT_FORMAT_INPUT, bytes), *out = room(plan, CUFFT_XT_FORMAT_OUTPUT, bytes);
    cudaLibXtDesc *copy = room(plan, CUFFT_XT_FORMAT_OUTPUT, bytes);
    std::vector<cufftDoubleComplex> x = random_elements<cufftDoubleComplex>(count), got(count);
    cufftXtMemcpy(plan, in, x.data(), CUFFT_COPY_HOST_TO_DEVICE);
    expect(cufftXtExecDescriptorZ2Z(plan, in, out, CUFFT_INVERSE) == good, "out of place");
    expect(in->subFormat == CUFFT_XT_FORMAT_INPUT && out->subFormat == CUFFT_XT_FORMAT_OUTPUT, "formats stay");
    expect(cufftXtMemcpy(plan, copy, out, CUFFT_COPY_DEVICE_TO_DEVICE) == good, "a copy on the device");
    cufftXtMemcpy(plan, got.data(), copy, CUFFT_COPY_DEVICE_TO_HOST);
    expect(worst(got, dft(values(x), 1, 1, nx, 1)) <= 1e-12, "Z2Z out of place");
    cufftXtMemcpy(plan, got.data(), in, CUFFT_COPY_DEVICE_TO_HOST);
    expect(worst(got, values(x)) == 0, "the input stays");
    cufftDestroy(plan), cufftXtFree(in), cufftXtFree(out), cufftXtFree(copy);
}

/* ---- real transforms ---- */

/* The halves that a real transform keeps of ny x nx. */
static std::vector<Complex> halves(const std::vector<Complex> &y, int nx)
{
    std::vector<Complex> h;
    for (size_t i = 0; i < y.size(); i++)
        if ((int)(i % nx) <= nx / 2)
            h.push_back(y[i]);
    return h;
}

template <class R, class C, class Forth, class Back>
static void real(Forth exec_forth, Back exec_back, bool padded, int ny, int nx, double tolerance, const char *what)
{
    const cudaDataType of_real = sizeof(R) == 4 ? CUDA_R_32F : CUDA_R_64F,
                       of_complex = sizeof(R) == 4 ? CUDA_C_32F : CUDA_C_64F;
    const int half = nx / 2 + 1, row = padded ? 2 * half : nx;
    const cufftHandle forth = plan_for({ny, nx}, of_real, of_complex, of_complex, 1);
    const cufftHandle back = plan_for({ny, nx}, of_complex, of_real, of_complex, 1);
    const size_t bytes = (size_t)ny * half * sizeof(C);
    cudaLibXtDesc *a =
        room(forth, padded ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPUT, padded ? bytes : ny * nx * sizeof(R));
    cudaLibXtDesc *b = padded ? a : room(forth, CUFFT_XT_FORMAT_OUTPUT, bytes);
    std::vector<R> x = random_elements<R>((size_t)ny * row), got(x.size());
    std::vector<Complex> dense;
    for (int i = 0; i < ny * nx; i++)
        dense.push_back(x[i / nx * row + i % nx]);
    expect(cufftXtMemcpy(forth, a, x.data(), CUFFT_COPY_HOST_TO_DEVICE) == good, what);
    expect(exec_forth(forth, a, b) == good, what);
    std::vector<C> y((size_t)ny * half);
    expect(cufftXtMemcpy(forth, y.data(), b, CUFFT_COPY_DEVICE_TO_HOST) == good, what);
    expect(worst(y, halves(dft(dense, 1, ny, nx, -1), nx)) <= tolerance, what);
    if (!padded) /* what was the output of one is the input of the other */
        a->subFormat = CUFFT_XT_FORMAT_OUTPUT, b->subFormat = CUFFT_XT_FORMAT_INPUT;
    expect(exec_back(back, b, a) == good, what);
    expect(cufftXtMemcpy(back, got.data(), a, CUFFT_COPY_DEVICE_TO_HOST) == good, what);
    bool right = true;
    for (int i = 0; i < ny * nx; i++)
        right &= std::abs((double)got[i / nx * row + i % nx] - nx * ny * dense[i].real()) <= tolerance * nx * ny;
    expect(right, what);
    cufftDestroy(forth), cufftDestroy(back), cufftXtFree(a);
    if (!padded)
        cufftXtFree(b);
}

/* ---- types by name, strides, pointers ---- */

static void columns_by_pointers()
{
    const long long rows = 10, columns = 4, half = rows / 2 + 1;
    long long n[] = {rows}, in[] = {rows}, out[] = {half};
    cufftHandle plan;
    size_t work = 7;
    expect(cufftCreate(&plan) == good && cufftXtMakePlanMany(plan, 1, n, in, columns, 1, CUDA_R_64F, out, columns, 1,
                                                             CUDA_C_64F, columns, &work, CUDA_C_64F) == good,
           "a plan for columns");
    cudaLibXtDesc *a = room(plan, CUFFT_XT_FORMAT_INPUT, rows * columns * 8);
    cudaLibXtDesc *b = room(plan, CUFFT_XT_FORMAT_OUTPUT, half * columns * 16);
    std::vector<double> x = random_elements<double>(rows * columns);
    std::vector<cufftDoubleComplex> y(half * columns);
    cufftXtMemcpy(plan, a, x.data(), CUFFT_COPY_HOST_TO_DEVICE);
    expect(cufftXtExec(plan, a->descriptor->data[0], b->descriptor->data[0], CUFFT_INVERSE) == good,
           "the direction of a real transform is its own");
    cufftXtMemcpy(plan, y.data(), b, CUFFT_COPY_DEVICE_TO_HOST);
    for (int j = 0; j < columns; j++) {
        std::vector<Complex> column;
        std::vector<cufftDoubleComplex> got;
        for (int i = 0; i < rows; i++)
            column.push_back(x[i * columns + j]);
        for (int k = 0; k < half; k++)
            got.push_back(y[k * columns + j]);
        expect(worst(got, halves(dft(column, 1, 1, (int)rows, -1), (int)rows)) <= 1e-12, "D2Z of a matrix's columns");
    }
    cufftDestroy(plan), cufftXtFree(a), cufftXtFree(b);
}

static void types()
{
    static const cudaDataType f = CUDA_R_32F, c = CUDA_C_32F, d = CUDA_R_64F, z = CUDA_C_64F, h = CUDA_C_16F;
    static const struct {
        cudaDataType in, out, by;
        cufftResult result;
    } all[] = {{c, c, c, good},
               {f, c, c, good},
               {c, f, c, good},
               {z, z, z, good},
               {d, z, z, good},
               {z, d, z, good},
               {f, f, c, CUFFT_INVALID_TYPE},
               {c, z, z, CUFFT_INVALID_TYPE},
               {z, z, c, CUFFT_INVALID_TYPE},
               {CUDA_R_32I, c, c, CUFFT_INVALID_TYPE},
               {h, h, h, CUFFT_NOT_SUPPORTED}};
    for (const auto &t : all) {
        long long n = 8;
        size_t work = 7;
        cufftHandle plan;
        cufftCreate(&plan);
        expect(cufftXtGetSizeMany(plan, 1, &n, NULL, 1, 0, t.in, NULL, 1, 0, t.out, 1, &work, t.by) == t.result,
               "sizes of types");
        expect(cufftXtMakePlanMany(plan, 1, &n, NULL, 1, 0, t.in, NULL, 1, 0, t.out, 1, &work, t.by) == t.result,
               "types");
        cufftDestroy(plan);
    }
}

/* ---- streams ---- */

__global__ void fill(cufftComplex *x, int n)
{
    if (const int i = threadIdx.x; i < n)
        x[i] = make_float2(i == 1, 0);
}
__global__ void add_one(cufftComplex *x, int n)
{
    if (const int i = threadIdx.x; i < n)
        x[i].x += 1;
}
static void a_moment(void *) { usleep(20000); }

/* Between two kernels on the plan's stream that are kept waiting. */
static void in_order()
{
    const int n = 16;
    const cufftHandle plan = plan_for({n}, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, 1);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cufftSetStream(plan, stream);
    cudaLibXtDesc *d = room(plan, CUFFT_XT_FORMAT_INPLACE, n * sizeof(cufftComplex));
    cudaLibXtDesc *copy = room(plan, CUFFT_XT_FORMAT_INPLACE, n * sizeof(cufftComplex));
    cufftComplex *x = (cufftComplex *)d->descriptor->data[0];
    cudaDeviceSynchronize();
    cudaLaunchHostFunc(stream, a_moment, NULL);
    fill<<<1, n, 0, stream>>>(x, n);
    expect(cufftXtExecDescriptor(plan, d, d, CUFFT_FORWARD) == good, "between kernels");
    add_one<<<1, n, 0, stream>>>(x, n);
    expect(cufftXtMemcpy(plan, copy, d, CUFFT_COPY_DEVICE_TO_DEVICE) == good, "a copy behind them");
    std::vector<cufftComplex> got(n);
    expect(cufftXtMemcpy(plan, got.data(), copy, CUFFT_COPY_DEVICE_TO_HOST) == good, "a copy to the host, which waits");
    std::vector<Complex> want(n);
    want[1] = 1;
    want = dft(want, 1, 1, n, -1);
    for (Complex &c : want)
        c += 1;
    expect(worst(got, want) <= 1e-6, "a transform in the stream's order");
    cufftDestroy(plan), cufftXtFree(d), cufftXtFree(copy), cudaStreamDestroy(stream);
}

/* ---- what is refused ---- */

static void refused()
{
    int devices[] = {0, 1};
    long long n = 8;
    cufftHandle plan;
    cudaLibXtDesc *d = NULL, *small, *null = NULL;
    cufftXt1dFactors factors;
    cufftComplex host[8];
    cufftCreate(&plan);
    expect(cufftXtSetGPUs(plan, 2, devices) == CUFFT_INVALID_DEVICE, "two devices");
    expect(cufftXtSetGPUs(plan, 1, devices + 1) == CUFFT_INVALID_DEVICE, "device 1");
    expect(cufftXtSetGPUs(plan, 0, devices) == CUFFT_INVALID_VALUE &&
               cufftXtSetGPUs(plan, 1, NULL) == CUFFT_INVALID_VALUE &&
               cufftXtSetGPUs(1234, 1, devices) == CUFFT_INVALID_PLAN,
           "no device, no plan");
    expect(cufftXtMalloc(plan, &d, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_PLAN && !d, "a plan that is not made");
    expect(cufftXtMakePlanMany(plan, 1, &n, NULL, 1, 0, CUDA_C_32F, NULL, 1, 0, CUDA_C_32F, 1, NULL, CUDA_C_32F) ==
               good,
           "a plan that was refused more devices");
    expect(cufftXtMalloc(plan, NULL, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_VALUE &&
               cufftXtMalloc(plan, &d, CUFFT_FORMAT_UNDEFINED) == CUFFT_INVALID_VALUE,
           "no descriptor, no format");
    d = room(plan, CUFFT_XT_FORMAT_INPLACE, 64);
    const cufftHandle shorter = plan_for({7}, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, 1);
    const cufftHandle real = plan_for({8}, CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, 1);
    small = room(shorter, CUFFT_XT_FORMAT_INPLACE, 56);
    expect(cufftXtExecDescriptorC2C(plan, small, small, CUFFT_FORWARD) == CUFFT_INVALID_VALUE &&
               cufftXtExecDescriptorC2C(plan, d, small, CUFFT_FORWARD) == CUFFT_INVALID_VALUE &&
               cufftXtMemcpy(plan, small, host, CUFFT_COPY_HOST_TO_DEVICE) == CUFFT_INVALID_VALUE &&
               cufftXtMemcpy(plan, small, d, CUFFT_COPY_DEVICE_TO_DEVICE) == CUFFT_INVALID_VALUE,
           "a descriptor that is too small");
    expect(cufftXtMemcpy(plan, NULL, host, CUFFT_COPY_HOST_TO_DEVICE) == CUFFT_INVALID_VALUE &&
               cufftXtMemcpy(plan, d, host, CUFFT_COPY_UNDEFINED) == CUFFT_INVALID_VALUE &&
               cufftXtMemcpy(1234, d, host, CUFFT_COPY_HOST_TO_DEVICE) == CUFFT_INVALID_PLAN,
           "copies that cannot be");
    expect(cufftXtExecDescriptorC2C(plan, null, d, CUFFT_FORWARD) == CUFFT_INVALID_VALUE &&
               cufftXtExecDescriptorC2C(plan, d, d, 5) == CUFFT_INVALID_VALUE &&
               cufftXtExecDescriptorZ2Z(plan, d, d, CUFFT_FORWARD) == CUFFT_INVALID_TYPE &&
               cufftXtExecDescriptorC2C(1234, d, d, CUFFT_FORWARD) == CUFFT_INVALID_PLAN &&
               d->subFormat == CUFFT_XT_FORMAT_INPLACE,
           "transforms that cannot be");
    cudaLibXtDesc *other = room(real, CUFFT_XT_FORMAT_OUTPUT, 40);
    expect(cufftXtExecDescriptorR2C(real, d, other) == CUFFT_INVALID_VALUE, "a padded input out of place");
    expect(cufftXtQueryPlan(plan, &factors, CUFFT_QUERY_1D_FACTORS) == CUFFT_INVALID_PLAN, "not spread over devices");
    expect(cufftXtFree(NULL) == good, "nothing to free");
    cufftDestroy(plan), cufftDestroy(shorter), cufftDestroy(real), cufftXtFree(d), cufftXtFree(small),
        cufftXtFree(other);
}

int main()
{
    typedef cufftComplex C;
    typedef cufftDoubleComplex Z;
    cufftHandle probe; /* both of FFTW's libraries, which may not be installed */
    if (cufftPlan1d(&probe, 2, CUFFT_C2C, 1) || cufftPlan1d(&probe, 2, CUFFT_Z2Z, 1))
        return 1;
    in_place<C>(cufftXtExecDescriptorC2C, CUDA_C_32F, 1, 1, 30, 4, 1e-4, "C2C, batched");
    in_place<Z>(cufftXtExecDescriptorZ2Z, CUDA_C_64F, 1, 6, 10, 2, 1e-11, "Z2Z in two dimensions");
    in_place<C>(cufftXtExecDescriptor, CUDA_C_32F, 3, 4, 5, 1, 1e-4, "C2C in three dimensions");
    out_of_place();
    for (int way = 0; way < 4; way++) {
        const bool padded = way & 1;
        const int nx = way & 2 ? 7 : 8;
        real<float, C>(cufftXtExecDescriptorR2C, cufftXtExecDescriptorC2R, padded, 5, nx, 1e-4, "R2C and C2R");
        real<double, Z>(cufftXtExecDescriptorD2Z, cufftXtExecDescriptorZ2D, padded, 5, nx, 1e-11, "D2Z and Z2D");
    }
    columns_by_pointers();
    types();
    in_order();
    refused();
    return verdict();
}
