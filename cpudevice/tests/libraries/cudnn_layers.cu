/* cuDNN's softmax, reductions, pooling, batch normalization and dropout, by plain loops in double: every type and
 * layout. */
// BUILD: $cucc -O1 -o $exe $case -lcudnn
// TEST: cudnn_layers
// RUN: $exe
// TEST: cudnn_layers under --check
// RUN: $cucc --check -g -O1 -o $work/checked $case -lcudnn
// RUN: $work/checked
#include "tensor.h"

/* ---- softmax ---- */

/* Which elements are summed over together: those with the same key. */
static int slice_of(bool channels, int n, int d, int h, int w) { return channels ? ((n * 8 + d) * 8 + h) * 8 + w : n; }

template <class T> static void softmax(int way)
{
    const int dims = 4 + way % 2;
    const cudnnSoftmaxAlgorithm_t algo = (cudnnSoftmaxAlgorithm_t)(way % 3);
    const bool channels = way & 4, logarithms = algo == CUDNN_SOFTMAX_LOG;
    const cudnnSoftmaxMode_t mode = channels ? CUDNN_SOFTMAX_MODE_CHANNEL : CUDNN_SOFTMAX_MODE_INSTANCE;
    const Size s = random_size(dims);
    const double size = algo == CUDNN_SOFTMAX_FAST ? 4 : 1000; /* which only FAST cannot do */
    const Blend<T> blend(way);
    Tensor<T> x(s, dims, random_layout(), -size, size), y(s, dims, random_layout()), dy(s, dims, random_layout()),
        dx(s, dims, random_layout());
    std::vector<double> largest(4096, -INFINITY), sum(4096), gradients(4096);
    Values forward(s), backward(s);
    for_all(s, [&](int n, int c, int d, int h, int w) {
        double &l = largest[slice_of(channels, n, d, h, w)];
        l = fmax(l, x(n, c, d, h, w));
    });
    for_all(s, [&](int n, int c, int d, int h, int w) {
        const int k = slice_of(channels, n, d, h, w);
        sum[k] += exp(x(n, c, d, h, w) - largest[k]);
    });
    for_all(s, [&](int n, int c, int d, int h, int w) {
        const int k = slice_of(channels, n, d, h, w);
        const double shifted = x(n, c, d, h, w) - largest[k];
        forward(n, c, d, h, w) = logarithms ? shifted - log(sum[k]) : exp(shifted) / sum[k];
    });
    blend.prepare(y);
    expect(cudnnSoftmaxForward(handle, algo, mode, &blend.alpha, x.d, x.p, &blend.beta, y.d, y.p) == ok,
           "SoftmaxForward");
    y.compare(blend.of(forward, y), "SoftmaxForward", 2);
    for (size_t i = 0; i < y.at.size(); i++)
        y.at[i] = number(rounded<T>(forward.at[i]));
    y.upload();
    for_all(s, [&](int n, int c, int d, int h, int w) {
        gradients[slice_of(channels, n, d, h, w)] += dy(n, c, d, h, w) * (logarithms ? 1 : y(n, c, d, h, w));
    });
    for_all(s, [&](int n, int c, int d, int h, int w) {
        const double g = gradients[slice_of(channels, n, d, h, w)], v = y(n, c, d, h, w), u = dy(n, c, d, h, w);
        backward(n, c, d, h, w) = logarithms ? u - exp(v) * g : v * (u - g);
    });
    blend.prepare(dx);
    expect(cudnnSoftmaxBackward(handle, algo, mode, &blend.alpha, y.d, y.p, dy.d, dy.p, &blend.beta, dx.d, dx.p) == ok,
           "SoftmaxBackward");
    dx.compare(blend.of(backward, dx), "SoftmaxBackward", 4);
}

/* ---- reductions ---- */

static double start_of(cudnnReduceTensorOp_t op)
{
    return op == CUDNN_REDUCE_TENSOR_MUL || op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS ? 1
           : op == CUDNN_REDUCE_TENSOR_MIN                                         ? INFINITY
           : op == CUDNN_REDUCE_TENSOR_MAX                                         ? -INFINITY
                                                                                   : 0;
}
static double reduced(cudnnReduceTensorOp_t op, double so_far, double x)
{
    switch (op) {
    case CUDNN_REDUCE_TENSOR_MUL: return so_far * x;
    case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS: return x == 0 ? so_far : so_far * x;
    case CUDNN_REDUCE_TENSOR_MIN: return fmin(so_far, x);
    case CUDNN_REDUCE_TENSOR_MAX: return fmax(so_far, x);
    case CUDNN_REDUCE_TENSOR_AMAX: return fmax(so_far, fabs(x));
    case CUDNN_REDUCE_TENSOR_NORM1: return so_far + fabs(x);
    case CUDNN_REDUCE_TENSOR_NORM2: return so_far + x * x;
    default: return so_far + x;
    }
}

template <class T> static void reductions(int way)
{
    const int dims = 4 + way / 9 % 2;
    const cudnnReduceTensorOp_t op = (cudnnReduceTensorOp_t)(way % 9);
    const bool indexed =
        op == CUDNN_REDUCE_TENSOR_MIN || op == CUDNN_REDUCE_TENSOR_MAX || op == CUDNN_REDUCE_TENSOR_AMAX;
    const Size s = random_size(dims);
    Size to = s;
    for (int i = 0; i < 5; i++)
        (&to.n)[i] = random_int(0, 2) && way != 4 ? 1 : s[i];
    const Blend<T> blend(way);
    Tensor<T> a(s, dims, random_layout(), -1.5, 1.5), c(to, dims, random_layout());
    a.at[a.at.size() / 2] = 0;
    a.upload();
    Values want(to);
    std::vector<unsigned> index(to.count()), passed(to.count());
    for (double &x : want.at)
        x = start_of(op);
    for_all(s, [&](int n, int k, int d, int h, int w) {
        const size_t at =
            want.place(to.n > 1 ? n : 0, to.c > 1 ? k : 0, to.d > 1 ? d : 0, to.h > 1 ? h : 0, to.w > 1 ? w : 0);
        const double before = want.at[at];
        want.at[at] = reduced(op, before, a(n, k, d, h, w));
        if (want.at[at] != before)
            index[at] = passed[at];
        passed[at]++;
    });
    for (size_t i = 0; i < want.at.size(); i++)
        want.at[i] = op == CUDNN_REDUCE_TENSOR_AVG     ? want.at[i] / passed[i]
                     : op == CUDNN_REDUCE_TENSOR_NORM2 ? sqrt(want.at[i])
                                                       : want.at[i];
    cudnnReduceTensorDescriptor_t d;
    size_t index_bytes = 9, workspace = 9;
    cudnnCreateReduceTensorDescriptor(&d);
    cudnnSetReduceTensorDescriptor(d, op, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_FLATTENED_INDICES,
                                   CUDNN_32BIT_INDICES);
    expect(cudnnGetReductionIndicesSize(handle, d, a.d, c.d, &index_bytes) == ok &&
               index_bytes == (indexed ? 4 * to.count() : 0) &&
               cudnnGetReductionWorkspaceSize(handle, d, a.d, c.d, &workspace) == ok && workspace == 0,
           "a reduction's sizes");
    Cells<unsigned> indices(to.count());
    blend.prepare(c);
    expect(cudnnReduceTensor(handle, d, indices.p, index_bytes, NULL, 0, &blend.alpha, a.d, a.p, &blend.beta, c.d,
                             c.p) == ok,
           "ReduceTensor");
    c.compare(blend.of(want, c), "ReduceTensor", 4);
    if (indexed)
        expect(indices.back() == index, "ReduceTensor's indices");
    cudnnDestroyReduceTensorDescriptor(d);
}

static void special_reductions()
{
    Tensor<float> a({1, 1, 1, 1, 4}, 4, NCHW), c({1, 1, 1, 1, 1}, 4, NCHW);
    Values want(c.size);
    const float one = 1, zero = 0;
    cudnnReduceTensorDescriptor_t d;
    cudnnCreateReduceTensorDescriptor(&d);
    a.at = {1, NAN, 3, 2};
    a.upload();
    for (int nan = 0; nan < 2; nan++) {
        cudnnSetReduceTensorDescriptor(d, CUDNN_REDUCE_TENSOR_MAX, CUDNN_DATA_FLOAT, (cudnnNanPropagation_t)nan,
                                       CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES);
        want.at[0] = nan ? NAN : 3;
        expect(cudnnReduceTensor(handle, d, NULL, 0, NULL, 0, &one, a.d, a.p, &zero, c.d, c.p) == ok, "a maximum");
        c.compare(want, "a maximum with what is not a number");
    }
    cudnnSetReduceTensorDescriptor(d, CUDNN_REDUCE_TENSOR_MAX, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN,
                                   CUDNN_REDUCE_TENSOR_FLATTENED_INDICES, CUDNN_64BIT_INDICES);
    expect(cudnnReduceTensor(handle, d, c.p, 8, NULL, 0, &one, a.d, a.p, &zero, c.d, c.p) == missing,
           "indices of 64 bits");
    cudnnDestroyReduceTensorDescriptor(d);
}

/* ---- pooling ---- */

/* A pooling of random windows over 2 or 3 dimensions, and the sizes of its input and output. */
struct Windows {
    int dims, window[3], pad[3], stride[3];
    cudnnPoolingMode_t mode;
    bool maximum;
    Size in, out;
    explicit Windows(int way) : dims(4 + way / 4 % 2), mode((cudnnPoolingMode_t)(way % 4))
    {
        maximum = mode == CUDNN_POOLING_MAX || mode == CUDNN_POOLING_MAX_DETERMINISTIC;
        in = out = random_size(dims);
        for (int i = 0; i < 3; i++) {
            const bool one = dims == 4 && i == 0;
            window[i] = one ? 1 : random_int(1, 3), stride[i] = one ? 1 : random_int(1, 3);
            pad[i] = random_int(0, window[i] - 1);
            int &size = (&in.d)[i];
            size = size + 2 * pad[i] < window[i] ? window[i] : size;
            (&out.d)[i] = (size + 2 * pad[i] - window[i]) / stride[i] + 1;
        }
    }
    /* One output, and what its gradient g gives to the inputs. */
    double pool(const Values &x, const int *at, double g, Values &gradient) const
    {
        int from[3], end[3], count = 1, first[3] = {-1, 0, 0};
        for (int i = 0; i < 3; i++) {
            from[i] = at[2 + i] * stride[i] - pad[i], end[i] = from[i] + window[i];
            from[i] = from[i] < 0 ? 0 : from[i], end[i] = end[i] > (&in.d)[i] ? (&in.d)[i] : end[i];
            count *= mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING ? window[i] : end[i] - from[i];
        }
        double result = maximum ? -INFINITY : 0;
        for (int i = from[0]; i < end[0]; i++)
            for (int j = from[1]; j < end[1]; j++)
                for (int k = from[2]; k < end[2]; k++) {
                    const double v = x(at[0], at[1], i, j, k);
                    if (!maximum)
                        result += v / count, gradient(at[0], at[1], i, j, k) += g / count;
                    else if (v > result)
                        result = v, first[0] = i, first[1] = j, first[2] = k;
                }
        if (maximum)
            gradient(at[0], at[1], first[0], first[1], first[2]) += g;
        return result;
    }
};

template <class T> static void pooling(int way)
{
    const Windows q(way);
    const Blend<T> blend(way);
    Tensor<T> x(q.in, q.dims, random_layout()), y(q.out, q.dims, random_layout()), dy(q.out, q.dims, random_layout()),
        dx(q.in, q.dims, random_layout());
    Values forward(q.out), backward(q.in);
    for_all(q.out, [&](int n, int c, int d, int h, int w) {
        const int at[5] = {n, c, d, h, w};
        forward(n, c, d, h, w) = q.pool(x, at, dy(n, c, d, h, w), backward);
    });
    cudnnPoolingDescriptor_t p;
    int got[5];
    cudnnCreatePoolingDescriptor(&p);
    const int from = q.dims == 4;
    expect(cudnnSetPoolingNdDescriptor(p, q.mode, CUDNN_PROPAGATE_NAN, 3 - from, q.window + from, q.pad + from,
                                       q.stride + from) == ok &&
               cudnnGetPoolingNdForwardOutputDim(p, x.d, q.dims, got) == ok && got[1] == q.out.c &&
               got[q.dims - 1] == q.out.w && got[q.dims - 2] == q.out.h,
           "a pooling's sizes");
    blend.prepare(y), blend.prepare(dx);
    expect(cudnnPoolingForward(handle, p, &blend.alpha, x.d, x.p, &blend.beta, y.d, y.p) == ok, "PoolingForward");
    y.compare(blend.of(forward, y), "PoolingForward", 2);
    expect(cudnnPoolingBackward(handle, p, &blend.alpha, y.d, y.p, dy.d, dy.p, x.d, x.p, &blend.beta, dx.d, dx.p) == ok,
           "PoolingBackward");
    dx.compare(blend.of(backward, dx), "PoolingBackward", 2);
    if (memcmp(&q.in, &q.out, sizeof q.in))
        expect(cudnnPoolingForward(handle, p, &blend.alpha, x.d, x.p, &blend.beta, x.d, x.p) == bad, "another size");
    cudnnDestroyPoolingDescriptor(p);
}

/* ---- batch normalization ---- */

/* A problem: its tensors, and what is to come of them. */
template <class T> struct Normalization {
    typedef typename Kind<T>::Factor V; /* of the values */
    const int dims;
    const bool each; /* place of a channel has values of its own */
    const Size size, of;
    const double epsilon = 1e-3, factor;
    Tensor<T> x, dy;
    Tensor<V> scale, bias, mean, variance;
    Values m, v, count, d_bias, d_scale, inferred, trained, gradient, mean_now, variance_now, inverse_now;

    Normalization(int way, Size s)
        : dims(4 + way % 2), each(way % 3 == 0), size(s), of{1, s.c, each ? s.d : 1, each ? s.h : 1, each ? s.w : 1},
          factor(way % 5 ? 0.25 : 1), x(s, dims, random_layout(), -2, 3), dy(s, dims, random_layout()),
          scale(of, dims, NCHW), bias(of, dims, NCHW), mean(of, dims, NCHW), variance(of, dims, NCHW, 0.5, 2), m(of),
          v(of), count(of), d_bias(of), d_scale(of), inferred(s), trained(s), gradient(s), mean_now(of),
          variance_now(of), inverse_now(of)
    {
        moments();
        all([&](size_t i, size_t k) {
            const double normal = (x.at[i] - m.at[k]) * inverse_now.at[k];
            trained.at[i] = scale.at[k] * normal + bias.at[k];
            inferred.at[i] = scale.at[k] * (x.at[i] - mean.at[k]) / sqrt(variance.at[k] + epsilon) + bias.at[k];
            d_bias.at[k] += dy.at[i], d_scale.at[k] += dy.at[i] * normal;
        });
        all([&](size_t i, size_t k) {
            const double normal = (x.at[i] - m.at[k]) * inverse_now.at[k];
            gradient.at[i] = scale.at[k] * inverse_now.at[k] *
                             (dy.at[i] - d_bias.at[k] / count.at[k] - normal * d_scale.at[k] / count.at[k]);
        });
    }
    /* Calls f(an element, its values' place). */
    void all(const std::function<void(size_t, size_t)> &f)
    {
        for_all(size, [&](int n, int c, int d, int h, int w) {
            f(x.place(n, c, d, h, w), m.place(0, c, each ? d : 0, each ? h : 0, each ? w : 0));
        });
    }
    void moments()
    {
        all([&](size_t i, size_t k) { m.at[k] += x.at[i], count.at[k]++; });
        for (size_t k = 0; k < m.at.size(); k++)
            m.at[k] /= count.at[k];
        all([&](size_t i, size_t k) { v.at[k] += (x.at[i] - m.at[k]) * (x.at[i] - m.at[k]) / count.at[k]; });
        for (size_t k = 0; k < m.at.size(); k++) {
            const double unbiased = v.at[k] * count.at[k] / (count.at[k] - 1);
            mean_now.at[k] = (1 - factor) * mean.at[k] + factor * m.at[k];
            variance_now.at[k] = (1 - factor) * variance.at[k] + factor * unbiased;
            inverse_now.at[k] = 1 / sqrt(v.at[k] + epsilon);
        }
    }
};

template <class T> static void batch_normalization(int way)
{
    typedef typename Kind<T>::Factor V;
    const cudnnBatchNormMode_t mode = (cudnnBatchNormMode_t)(way % 3);
    Size s = random_size(4 + way % 2);
    s.n += 2;
    Normalization<T> p(way, s);
    const Blend<T> blend(way);
    const Blend<V> values_blend(way / 2);
    Tensor<T> y(s, p.dims, random_layout()), z(s, p.dims, random_layout()), dx(s, p.dims, random_layout());
    Tensor<V> saved(p.of, p.dims, NCHW), inverse(p.of, p.dims, NCHW), d_scale(p.of, p.dims, NCHW),
        d_bias(p.of, p.dims, NCHW);
    const bool keep = way % 2;
    cudnnTensorDescriptor_t values;
    cudnnCreateTensorDescriptor(&values);
    expect(cudnnDeriveBNTensorDescriptor(values, p.x.d, mode) == ok, "the values' descriptor");
    blend.prepare(y), blend.prepare(z), blend.prepare(dx), values_blend.prepare(d_scale), values_blend.prepare(d_bias);
    expect(cudnnBatchNormalizationForwardInference(handle, mode, &blend.alpha, &blend.beta, p.x.d, p.x.p, y.d, y.p,
                                                   values, p.scale.p, p.bias.p, p.mean.p, p.variance.p,
                                                   p.epsilon) == ok,
           "BatchNormalizationForwardInference");
    y.compare(blend.of(p.inferred, y), "BatchNormalizationForwardInference", 4);
    if (p.factor == 1) /* what was there does not count */
        p.mean.poison(), p.variance.poison();
    expect(cudnnBatchNormalizationForwardTraining(handle, mode, &blend.alpha, &blend.beta, p.x.d, p.x.p, z.d, z.p,
                                                  values, p.scale.p, p.bias.p, p.factor, p.mean.p, p.variance.p,
                                                  p.epsilon, keep ? saved.p : NULL, keep ? inverse.p : NULL) == ok,
           "BatchNormalizationForwardTraining");
    z.compare(blend.of(p.trained, z), "BatchNormalizationForwardTraining", 4);
    p.mean.compare(p.mean_now, "the running mean", 4), p.variance.compare(p.variance_now, "the running variance", 4);
    if (keep)
        saved.compare(p.m, "the saved mean", 4), inverse.compare(p.inverse_now, "the saved inverse", 4);
    expect(cudnnBatchNormalizationBackward(handle, mode, &blend.alpha, &blend.beta, &values_blend.alpha,
                                           &values_blend.beta, p.x.d, p.x.p, p.dy.d, p.dy.p, dx.d, dx.p, values,
                                           p.scale.p, d_scale.p, d_bias.p, p.epsilon, keep ? saved.p : NULL,
                                           keep ? inverse.p : NULL) == ok,
           "BatchNormalizationBackward");
    dx.compare(blend.of(p.gradient, dx), "BatchNormalizationBackward", 40); /* the saved values are rounded */
    d_scale.compare(values_blend.of(p.d_scale, d_scale), "the gradient by scale", 40);
    d_bias.compare(values_blend.of(p.d_bias, d_bias), "the gradient by bias", 40);
    cudnnDestroyTensorDescriptor(values);
}

/* ---- dropout ---- */

template <class T> static void dropout()
{
    const Size s = {4, 5, 1, 20, 25};
    const float rate = 0.25f;
    Tensor<T> x(s, 4, GAPS, 0.5, 1), y(s, 4, NHWC), again(s, 4, NCHW), dy(s, 4, NCHW, 0.5, 1), dx(s, 4, NHWC);
    size_t bytes = 0, reserve_bytes = 0;
    cudnnDropoutDescriptor_t d;
    cudnnCreateDropoutDescriptor(&d);
    expect(cudnnDropoutGetStatesSize(handle, &bytes) == ok && bytes > 0 &&
               cudnnDropoutGetReserveSpaceSize(x.d, &reserve_bytes) == ok && reserve_bytes >= s.count() / 8,
           "dropout's sizes");
    Cells<char> states(bytes), reserve(reserve_bytes);
    expect(cudnnSetDropoutDescriptor(d, handle, rate, states.p, bytes, 77) == ok, "dropout's states");
    expect(cudnnDropoutForward(handle, d, x.d, x.p, again.d, again.p, reserve.p, reserve_bytes) == ok &&
               cudnnDropoutForward(handle, d, x.d, x.p, y.d, y.p, reserve.p, reserve_bytes) == ok &&
               cudnnDropoutBackward(handle, d, dy.d, dy.p, dx.d, dx.p, reserve.p, reserve_bytes) == ok,
           "dropout");
    const auto values_of = [](const Tensor<T> &t) {
        std::vector<T> memory(t.extent);
        cudaMemcpy(memory.data(), t.p, t.extent * sizeof(T), cudaMemcpyDeviceToHost);
        Values v(t.size);
        for_all(t.size,
                [&](int n, int c, int d, int h, int w) { v(n, c, d, h, w) = number(memory[t.offset(n, c, d, h, w)]); });
        return v;
    };
    const Values kept = values_of(y), first = values_of(again);
    Values want(s), gradient(s);
    int zeros = 0, changed = 0;
    for (size_t i = 0; i < kept.at.size(); i++) {
        zeros += kept.at[i] == 0, changed += (kept.at[i] == 0) != (first.at[i] == 0);
        want.at[i] = kept.at[i] == 0 ? 0 : x.at[i] / (1 - rate),
        gradient.at[i] = kept.at[i] == 0 ? 0 : dy.at[i] / (1 - rate);
    }
    y.compare(want, "DropoutForward", 2), dx.compare(gradient, "DropoutBackward", 2);
    expect(zeros > 2300 && zeros < 2700 && changed > 3500 && changed < 4000, "a quarter is dropped, each time another");
    expect(cudnnDropoutForward(handle, d, x.d, x.p, y.d, y.p, reserve.p, 3) == bad,
           "a reserve space that is too small");
    cudnnDestroyDropoutDescriptor(d);
}

template <class T> static void of_type()
{
    for (int way = 0; way < 36; way++) {
        softmax<T>(way);
        reductions<T>(way);
        pooling<T>(way);
        batch_normalization<T>(way);
    }
    dropout<T>();
}

int main()
{
    expect(cudnnCreate(&handle) == ok, "a handle");
    of_type<float>();
    of_type<double>();
    of_type<__half>();
    of_type<__nv_bfloat16>();
    special_reductions();
    cudnnDestroy(handle);
    return verdict();
}
