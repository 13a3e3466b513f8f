/* tensor.h: tensors in device memory with any strides, and the same numbers on the host, for the tests of cuDNN.
 * What lies between the elements is poisoned, and must stay so. */
#ifndef LIBRARIES_TENSOR_H
#define LIBRARIES_TENSOR_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cudnn.h>
#include <functional>

#include "matrix.h"

static const cudnnStatus_t ok = CUDNN_STATUS_SUCCESS, bad = CUDNN_STATUS_BAD_PARAM,
                           missing = CUDNN_STATUS_NOT_SUPPORTED;
static cudnnHandle_t handle;

/* The type's number, the type of alpha and beta, and the relative error of one rounding, doubled. */
template <class T> struct Kind;
template <> struct Kind<float> {
    static constexpr cudnnDataType_t type = CUDNN_DATA_FLOAT;
    static constexpr double tolerance = 2e-7;
    typedef float Factor;
};
template <> struct Kind<double> {
    static constexpr cudnnDataType_t type = CUDNN_DATA_DOUBLE;
    static constexpr double tolerance = 1e-12;
    typedef double Factor;
};
template <> struct Kind<__half> {
    static constexpr cudnnDataType_t type = CUDNN_DATA_HALF;
    static constexpr double tolerance = 1e-3;
    typedef float Factor;
};
template <> struct Kind<__nv_bfloat16> {
    static constexpr cudnnDataType_t type = CUDNN_DATA_BFLOAT16;
    static constexpr double tolerance = 8e-3;
    typedef float Factor;
};

static inline int random_int(int from, int to) { return from + (int)((random_number() + 1) / 2 * (to - from + 1)); }
template <class T> static inline T rounded(double x) { return (T)(typename Kind<T>::Factor)x; }
template <class T> static inline double number(T x) { return (double)(typename Kind<T>::Factor)x; }

struct Size {
    int n, c, d, h, w;
    int operator[](int i) const { return (&n)[i]; }
    size_t count() const { return (size_t)n * c * d * h * w; }
};
static inline void for_all(Size s, const std::function<void(int, int, int, int, int)> &f)
{
    for (int n = 0; n < s.n; n++)
        for (int c = 0; c < s.c; c++)
            for (int d = 0; d < s.d; d++)
                for (int h = 0; h < s.h; h++)
                    for (int w = 0; w < s.w; w++)
                        f(n, c, d, h, w);
}

/* Numbers by their five coordinates. */
struct Values {
    Size size;
    std::vector<double> at;
    explicit Values(Size s) : size(s), at(s.count()) {}
    size_t place(int n, int c, int d, int h, int w) const
    {
        return ((((size_t)n * size.c + c) * size.d + d) * size.h + h) * size.w + w;
    }
    double &operator()(int n, int c, int d, int h, int w) { return at[place(n, c, d, h, w)]; }
    double operator()(int n, int c, int d, int h, int w) const { return at[place(n, c, d, h, w)]; }
    /* the element that is spread over these coordinates */
    double spread(int n, int c, int d, int h, int w) const
    {
        return (*this)(size.n > 1 ? n : 0, size.c > 1 ? c : 0, size.d > 1 ? d : 0, size.h > 1 ? h : 0,
                       size.w > 1 ? w : 0);
    }
};

enum Layout { NCHW, NHWC, GAPS, LAYOUTS };

/* A descriptor of 5 dimensions, or of 4 without D, which is 1 then. */
template <class T> struct Tensor : Values {
    cudnnTensorDescriptor_t d = NULL;
    T *p = NULL;
    size_t extent = 0;
    int stride[5];
    Tensor(Size s, int dims, Layout layout, double low = -1, double high = 1) : Values(s)
    {
        static const int orders[LAYOUTS][5] = {{0, 1, 2, 3, 4}, {0, 2, 3, 4, 1}, {3, 0, 4, 1, 2}};
        int next = layout == GAPS ? 2 : 1;
        for (int i = 4; i >= 0; i--) {
            const int k = orders[layout][i];
            stride[k] = next;
            next = next * s[k] + (layout == GAPS ? i : 0);
        }
        for (double &x : at)
            x = number(rounded<T>(low + (random_number() + 1) / 2 * (high - low)));
        for (int i = 0; i < 5; i++)
            extent += (size_t)(s[i] - 1) * stride[i];
        extent++;
        cudaMalloc(&p, extent * sizeof(T));
        upload();
        expect(cudnnCreateTensorDescriptor(&d) == ok, "a tensor's descriptor");
        std::vector<int> sizes, strides;
        for (int i = 0; i < 5; i++)
            if (i != 2 || dims == 5)
                sizes.push_back(s[i]), strides.push_back(stride[i]);
        expect(cudnnSetTensorNdDescriptor(d, Kind<T>::type, dims, sizes.data(), strides.data()) == ok, "its sizes");
    }
    ~Tensor() { cudnnDestroyTensorDescriptor(d), cudaFree(p); }
    Tensor(const Tensor &) = delete;
    size_t offset(int n, int c, int d, int h, int w) const
    {
        return (size_t)n * stride[0] + (size_t)c * stride[1] + (size_t)d * stride[2] + (size_t)h * stride[3] +
               (size_t)w * stride[4];
    }
    void upload() const
    {
        std::vector<T> memory(extent, rounded<T>(NAN));
        for_all(size, [&](int n, int c, int d, int h, int w) {
            memory[offset(n, c, d, h, w)] = rounded<T>((*this)(n, c, d, h, w));
        });
        cudaMemcpy(p, memory.data(), extent * sizeof(T), cudaMemcpyHostToDevice);
    }
    void poison()
    {
        for (double &x : at)
            x = NAN;
        upload();
    }
    /* The device has these values, within a few roundings, and poison between them. */
    void compare(const Values &want, const char *what, double roundings = 1) const
    {
        std::vector<T> memory(extent);
        expect(cudaMemcpy(memory.data(), p, extent * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess, what);
        double worst = 0;
        for_all(size, [&](int n, int c, int d, int h, int w) {
            T &x = memory[offset(n, c, d, h, w)];
            const double expected = want(n, c, d, h, w), error = fabs(number(x) - expected) / (1 + fabs(expected));
            const bool same = std::isnan(expected) ? std::isnan(number(x)) : number(x) == expected;
            worst = same || error <= worst ? worst : error == error ? error : INFINITY;
            x = rounded<T>(NAN);
        });
        bool poisoned = true;
        for (T &x : memory)
            poisoned &= std::isnan(number(x));
        expect(poisoned, "what lies between a tensor's elements");
        if (!(worst <= roundings * Kind<T>::tolerance))
            printf("error %g of %zu elements: ", worst, size.count());
        expect(worst <= roundings * Kind<T>::tolerance, what);
    }
};

/* alpha result + beta old, for each way that alpha and beta may be; beta is 0 for an output of no numbers. */
template <class T> struct Blend {
    typename Kind<T>::Factor alpha, beta;
    explicit Blend(int way)
        : alpha((typename Kind<T>::Factor)(way % 3 ? 1.5 : 1)), beta((typename Kind<T>::Factor)(way % 2 ? -0.75 : 0))
    {
    }
    void prepare(Tensor<T> &out) const
    {
        if (beta == 0)
            out.poison();
    }
    Values of(const Values &result, const Values &old) const
    {
        Values want(result.size);
        for (size_t i = 0; i < want.at.size(); i++)
            want.at[i] = (double)alpha * result.at[i] + (beta == 0 ? 0 : (double)beta * old.at[i]);
        return want;
    }
};

static inline Size random_size(int dims)
{
    return {random_int(1, 3), random_int(1, 5), dims == 5 ? random_int(1, 3) : 1, random_int(1, 6), random_int(1, 7)};
}
static inline Layout random_layout() { return (Layout)random_int(0, LAYOUTS - 1); }

#endif
