/* cuDNN's convolutions and their gradients, by plain loops in double: random sizes, strides, dilations and groups. */
// BUILD: $cucc -O1 -o $exe $case -lcudnn
// TEST: cudnn_convolution
// RUN: $exe
#include "tensor.h"

/* A convolution of random parameters over 2 or 3 dimensions, and its sizes: x, the filter (K, C / groups, ...) and
 * y. */
struct Problem {
    int dims, groups, pad[3], stride[3], dilation[3];
    bool turned;
    cudnnTensorFormat_t format;
    Size x, w, y;
    cudnnConvolutionDescriptor_t d = NULL;
    Problem(int way, cudnnDataType_t compute) : dims(4 + way % 2), turned(way & 2)
    {
        groups = way % 3 ? 1 : random_int(1, 3);
        format = way & 4 ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
        if (way == 0) /* of several tiles and parts of sums, the last of each not full */
            x = {2, 20, 1, 13, 11}, w = {133, 20, 1, 3, 3}, groups = 1;
        else if (way == 2) /* as a fully connected layer */
            x = {9, 300, 1, 1, 1}, w = {17, 300, 1, 1, 1}, groups = 1;
        else {
            const int channels = random_int(1, 4);
            x = {random_int(1, 3), channels * groups, dims == 5 ? random_int(1, 4) : 1, random_int(1, 9),
                 random_int(1, 12)};
            w = {groups * random_int(1, 5), channels, dims == 5 ? random_int(1, 3) : 1, random_int(1, 4),
                 random_int(1, 4)};
        }
        int *const size = &x.d, *const window = &w.d;
        for (int i = 0; i < 3; i++) {
            const bool one = dims == 4 && i == 0;
            pad[i] = one || way == 2 ? 0 : random_int(0, 2);
            stride[i] = one ? 1 : random_int(1, 3), dilation[i] = one ? 1 : random_int(1, 2);
            while (size[i] + 2 * pad[i] < dilation[i] * (window[i] - 1) + 1)
                size[i]++;
            (&y.d)[i] = (size[i] + 2 * pad[i] - dilation[i] * (window[i] - 1) - 1) / stride[i] + 1;
        }
        y.n = x.n, y.c = w.n;
        cudnnCreateConvolutionDescriptor(&d);
        const int from = dims == 4;
        expect(cudnnSetConvolutionNdDescriptor(d, 3 - from, pad + from, stride + from, dilation + from,
                                               turned ? CUDNN_CONVOLUTION : CUDNN_CROSS_CORRELATION, compute) == ok &&
                   cudnnSetConvolutionGroupCount(d, groups) == ok,
               "a convolution's descriptor");
    }
    ~Problem() { cudnnDestroyConvolutionDescriptor(d); }
    Problem(const Problem &) = delete;

    /* Calls f(x's, w's, y's coordinates) for each product that the convolution sums. */
    void for_products(const std::function<void(const int *, const int *, const int *)> &f) const
    {
        for_all(y, [&](int n, int k, int d, int h, int v) {
            for_all({1, w.c, w.d, w.h, w.w}, [&](int, int c, int r, int s, int t) {
                const int at_y[5] = {n, k, d, h, v}, tap[3] = {r, s, t};
                int at_x[5] = {n, k / (y.c / groups) * w.c + c, 0, 0, 0}, at_w[5] = {k, c, 0, 0, 0};
                for (int i = 0; i < 3; i++) {
                    at_x[2 + i] = at_y[2 + i] * stride[i] - pad[i] + tap[i] * dilation[i];
                    at_w[2 + i] = turned ? (&w.d)[i] - 1 - tap[i] : tap[i];
                    if (at_x[2 + i] < 0 || at_x[2 + i] >= (&x.d)[i])
                        return;
                }
                f(at_x, at_w, at_y);
            });
        });
    }
};
static double &at(Values &v, const int *i) { return v(i[0], i[1], i[2], i[3], i[4]); }

/* A filter: a tensor without gaps, and a filter's descriptor. */
template <class T> struct Filter : Tensor<T> {
    cudnnFilterDescriptor_t filter = NULL;
    Filter(const Problem &p) : Tensor<T>(p.w, p.dims, p.format == CUDNN_TENSOR_NHWC ? NHWC : NCHW)
    {
        std::vector<int> sizes;
        for (int i = 0; i < 5; i++)
            if (i != 2 || p.dims == 5)
                sizes.push_back(p.w[i]);
        cudnnCreateFilterDescriptor(&filter);
        expect(cudnnSetFilterNdDescriptor(filter, Kind<T>::type, p.format, p.dims, sizes.data()) == ok, "a filter");
    }
    ~Filter() { cudnnDestroyFilterDescriptor(filter); }
};

template <class T> static void sizes_and_algorithms(const Problem &p, Tensor<T> &x, Filter<T> &w, Tensor<T> &y)
{
    int size[5], found = 0;
    size_t bytes = 1;
    bool same = true;
    expect(cudnnGetConvolutionNdForwardOutputDim(p.d, x.d, w.filter, p.dims, size) == ok, "the output's sizes");
    for (int i = 0, k = 0; i < 5; i++)
        if (i != 2 || p.dims == 5)
            same &= size[k++] == p.y[i];
    expect(same, "the output's sizes");
    if (p.dims == 4)
        expect(cudnnGetConvolution2dForwardOutputDim(p.d, x.d, w.filter, size, size + 1, size + 2, size + 3) == ok &&
                   size[1] == p.y.c && size[2] == p.y.h && size[3] == p.y.w,
               "the output's sizes in two dimensions");
    cudnnConvolutionFwdAlgoPerf_t f[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    cudnnConvolutionBwdDataAlgoPerf_t b[3];
    cudnnConvolutionBwdFilterAlgoPerf_t g[1];
    expect(cudnnGetConvolutionForwardAlgorithm_v7(handle, x.d, w.filter, p.d, y.d, 20, &found, f) == ok &&
               found == CUDNN_CONVOLUTION_FWD_ALGO_COUNT && f[0].status == ok && f[0].time > 0 &&
               f[found - 1].algo == CUDNN_CONVOLUTION_FWD_ALGO_DIRECT && f[found - 1].status == missing,
           "forward algorithms");
    expect(cudnnFindConvolutionBackwardDataAlgorithm(handle, w.filter, y.d, p.d, x.d, 3, &found, b) == ok && found == 3,
           "algorithms by data");
    expect(cudnnFindConvolutionBackwardFilterAlgorithmEx(handle, x.d, x.p, y.d, y.p, p.d, w.filter, w.p, 1, &found, g,
                                                         NULL, 0) == ok &&
               found == 1,
           "algorithms by filter");
    expect(cudnnGetConvolutionForwardWorkspaceSize(handle, x.d, w.filter, p.d, y.d, f[0].algo, &bytes) == ok &&
               bytes == 0,
           "the workspace");
    expect(cudnnGetConvolutionForwardWorkspaceSize(handle, x.d, w.filter, p.d, y.d, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT,
                                                   &bytes) == missing,
           "an algorithm that is not there");
}

template <class T> static void convolutions(int way)
{
    const Problem p(way, sizeof(T) == 8 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
    const Blend<T> blend(way);
    Tensor<T> x(p.x, p.dims, random_layout()), y(p.y, p.dims, random_layout()), dx(p.x, p.dims, random_layout()),
        dy(p.y, p.dims, random_layout());
    Filter<T> w(p), dw(p);
    Values forward(p.y), by_data(p.x), by_filter(p.w);
    p.for_products([&](const int *i, const int *j, const int *k) {
        at(forward, k) += at(x, i) * at(w, j);
        at(by_data, i) += at(dy, k) * at(w, j);
        at(by_filter, j) += at(dy, k) * at(x, i);
    });
    blend.prepare(y), blend.prepare(dx), blend.prepare(dw);
    expect(cudnnConvolutionForward(handle, &blend.alpha, x.d, x.p, w.filter, w.p, p.d,
                                   CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, NULL, 0, &blend.beta, y.d, y.p) == ok,
           "ConvolutionForward");
    y.compare(blend.of(forward, y), "ConvolutionForward", 2);
    expect(cudnnConvolutionBackwardData(handle, &blend.alpha, w.filter, w.p, dy.d, dy.p, p.d,
                                        CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, NULL, 0, &blend.beta, dx.d, dx.p) == ok,
           "ConvolutionBackwardData");
    dx.compare(blend.of(by_data, dx), "ConvolutionBackwardData", 2);
    expect(cudnnConvolutionBackwardFilter(handle, &blend.alpha, x.d, x.p, dy.d, dy.p, p.d,
                                          CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, NULL, 0, &blend.beta, dw.filter,
                                          dw.p) == ok,
           "ConvolutionBackwardFilter");
    dw.compare(blend.of(by_filter, dw), "ConvolutionBackwardFilter", 2);
    sizes_and_algorithms(p, x, w, y);
}

/* The gradient by the bias, and a convolution with a bias, an addend and an activation. */
template <class T> static void biases(int way)
{
    const Problem p(way, sizeof(T) == 8 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
    const Blend<T> blend(way);
    Tensor<T> x(p.x, p.dims, random_layout()), y(p.y, p.dims, random_layout()), z(p.y, p.dims, random_layout());
    Tensor<T> bias({1, p.y.c, 1, 1, 1}, p.dims, random_layout()), db({1, p.y.c, 1, 1, 1}, p.dims, random_layout());
    Filter<T> w(p);
    const bool relu = way & 2;
    Values want(p.y), sums(db.size);
    p.for_products([&](const int *i, const int *j, const int *k) { at(want, k) += at(x, i) * at(w, j); });
    for_all(p.y, [&](int n, int k, int d, int h, int v) {
        double &out = want(n, k, d, h, v);
        out = (double)blend.alpha * out + (double)blend.beta * z(n, k, d, h, v) + bias.at[k];
        out = relu && out < 0 ? 0 : out;
        sums.at[k] += z(n, k, d, h, v);
    });
    y.poison(), blend.prepare(db);
    expect(cudnnConvolutionBackwardBias(handle, &blend.alpha, z.d, z.p, &blend.beta, db.d, db.p) == ok, "BackwardBias");
    db.compare(blend.of(sums, db), "ConvolutionBackwardBias", 2);
    if (blend.beta == 0)
        z.poison();
    cudnnActivationDescriptor_t a;
    cudnnCreateActivationDescriptor(&a);
    cudnnSetActivationDescriptor(a, relu ? CUDNN_ACTIVATION_RELU : CUDNN_ACTIVATION_IDENTITY, CUDNN_PROPAGATE_NAN, 0);
    expect(cudnnConvolutionBiasActivationForward(handle, &blend.alpha, x.d, x.p, w.filter, w.p, p.d,
                                                 CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, NULL, 0, &blend.beta,
                                                 z.d, z.p, bias.d, bias.p, a, y.d, y.p) == ok,
           "ConvolutionBiasActivationForward");
    y.compare(want, "ConvolutionBiasActivationForward", 2);
    cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_TANH, CUDNN_PROPAGATE_NAN, 0);
    expect(cudnnConvolutionBiasActivationForward(handle, &blend.alpha, x.d, x.p, w.filter, w.p, p.d,
                                                 CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, NULL, 0, &blend.beta,
                                                 z.d, z.p, bias.d, bias.p, a, y.d, y.p) == missing,
           "another activation");
    cudnnDestroyActivationDescriptor(a);
}

static void descriptors_and_refusals()
{
    cudnnConvolutionDescriptor_t d;
    cudnnConvolutionMode_t mode;
    cudnnDataType_t type;
    cudnnMathType_t math;
    int v[6], groups = 0;
    cudnnCreateConvolutionDescriptor(&d);
    expect(cudnnSetConvolution2dDescriptor(d, 1, 2, 3, 4, 5, 6, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT) == ok &&
               cudnnGetConvolution2dDescriptor(d, v, v + 1, v + 2, v + 3, v + 4, v + 5, &mode, &type) == ok &&
               v[0] == 1 && v[1] == 2 && v[2] == 3 && v[3] == 4 && v[4] == 5 && v[5] == 6 && mode == CUDNN_CONVOLUTION,
           "a convolution's descriptor");
    expect(cudnnGetConvolutionGroupCount(d, &groups) == ok && groups == 1 &&
               cudnnSetConvolutionMathType(d, CUDNN_TENSOR_OP_MATH) == ok &&
               cudnnGetConvolutionMathType(d, &math) == ok && math == CUDNN_TENSOR_OP_MATH,
           "its groups and math");
    expect(cudnnSetConvolution2dDescriptor(d, -1, 0, 1, 1, 1, 1, mode, type) == bad &&
               cudnnSetConvolution2dDescriptor(d, 0, 0, 0, 1, 1, 1, mode, type) == bad,
           "sizes that are none");
    expect(cudnnSetConvolution2dDescriptor(d, 0, 0, 1, 1, 1, 1, mode, CUDNN_DATA_INT32) == missing, "sums of integers");
    cudnnSetConvolution2dDescriptor(d, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    Tensor<float> x({1, 4, 1, 5, 5}, 4, NCHW), y({1, 6, 1, 3, 3}, 4, NCHW), wrong({1, 6, 1, 3, 4}, 4, NCHW);
    Tensor<__half> small({1, 4, 1, 5, 5}, 4, NCHW);
    cudnnFilterDescriptor_t w;
    cudnnCreateFilterDescriptor(&w);
    cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 6, 4, 3, 3);
    const float one = 1, zero = 0;
    const auto run = [&](cudnnTensorDescriptor_t x_of, cudnnTensorDescriptor_t y_of, cudnnConvolutionFwdAlgo_t algo) {
        return cudnnConvolutionForward(handle, &one, x_of, x.p, w, x.p, d, algo, NULL, 0, &zero, y_of, y.p);
    };
    expect(run(x.d, wrong.d, CUDNN_CONVOLUTION_FWD_ALGO_GEMM) == bad, "an output of another size");
    expect(run(small.d, y.d, CUDNN_CONVOLUTION_FWD_ALGO_GEMM) == missing, "types that are not the same");
    expect(run(x.d, y.d, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT) == missing, "DIRECT");
    expect(run(x.d, y.d, CUDNN_CONVOLUTION_FWD_ALGO_COUNT) == bad, "an algorithm that is none");
    cudnnSetConvolutionGroupCount(d, 4);
    expect(run(x.d, y.d, CUDNN_CONVOLUTION_FWD_ALGO_GEMM) == bad, "groups that do not fit");
    y.compare(y, "what is refused writes nothing");
    cudnnDestroyFilterDescriptor(w), cudnnDestroyConvolutionDescriptor(d);
}

int main()
{
    expect(cudnnCreate(&handle) == ok, "a handle");
    descriptors_and_refusals();
    for (int way = 0; way < 60; way++)
        convolutions<float>(way);
    for (int way = 0; way < 20; way++) {
        convolutions<double>(way), convolutions<__half>(way), convolutions<__nv_bfloat16>(way);
        biases<float>(way), biases<double>(way), biases<__half>(way);
    }
    cudnnDestroy(handle);
    return verdict();
}
