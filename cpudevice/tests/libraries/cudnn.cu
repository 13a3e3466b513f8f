/* cuDNN's descriptors and its operations on elements, by plain loops in double: every type and layout, random sizes. */
// BUILD: $cucc -O1 -o $exe $case -lcudnn
// TEST: cudnn
// RUN: $exe
#include "tensor.h"

/* ---- descriptors ---- */

static void tensors()
{
    cudnnTensorDescriptor_t d;
    cudnnDataType_t type;
    int v[8], size[5] = {2, 3, 4, 5, 6}, stride[5] = {0, 0, 0, 0, 0}, dims = 0;
    size_t bytes = 0;
    expect(cudnnCreateTensorDescriptor(&d) == ok, "a tensor's descriptor");
    expect(cudnnGetTensorSizeInBytes(d, &bytes) == bad, "a descriptor that was never set");
    expect(cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, 2, 3, 4, 5) == ok, "4d");
    expect(cudnnGetTensor4dDescriptor(d, &type, v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7) == ok &&
               type == CUDNN_DATA_HALF && v[0] == 2 && v[1] == 3 && v[2] == 4 && v[3] == 5 && v[4] == 60 && v[5] == 1 &&
               v[6] == 15 && v[7] == 3,
           "what 4d was set to");
    expect(cudnnGetTensorSizeInBytes(d, &bytes) == ok && bytes == 240, "its bytes");
    expect(cudnnSetTensorNdDescriptorEx(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 5, size) == ok &&
               cudnnGetTensorNdDescriptor(d, 5, &type, &dims, v, stride) == ok && dims == 5 && v[4] == 6 &&
               stride[0] == 360 && stride[1] == 120 && stride[2] == 30 && stride[3] == 6 && stride[4] == 1,
           "5 dimensions");
    expect(cudnnGetTensor4dDescriptor(d, &type, v, v, v, v, v, v, v, v) == bad, "5 dimensions as 4");
    expect(cudnnSetTensor4dDescriptorEx(d, CUDNN_DATA_DOUBLE, 2, 2, 2, 2, 100, 10, 3, 1) == ok &&
               cudnnGetTensorSizeInBytes(d, &bytes) == ok && bytes == 115 * sizeof(double),
           "strides with gaps");
    expect(cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 0, 4, 5) == bad, "no channel");
    expect(cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8x4, 2, 4, 4, 5) == missing, "VECT_C");
    expect(cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 65536, 65536, 1, 1) == missing,
           "too many");
    expect(cudnnDestroyTensorDescriptor(d) == ok, "the end of a descriptor");
}

static void other_descriptors()
{
    cudnnFilterDescriptor_t f;
    cudnnDataType_t type;
    cudnnTensorFormat_t format;
    int k, c, h, w, size[3];
    size_t bytes = 0;
    cudnnCreateFilterDescriptor(&f);
    expect(cudnnSetFilter4dDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, 7, 5, 3, 2) == ok &&
               cudnnGetFilter4dDescriptor(f, &type, &format, &k, &c, &h, &w) == ok && format == CUDNN_TENSOR_NHWC &&
               k == 7 && c == 5 && h == 3 && w == 2 && cudnnGetFilterSizeInBytes(f, &bytes) == ok && bytes == 840,
           "a filter");
    expect(cudnnGetFilterNdDescriptor(f, 3, &type, &format, &k, size) == ok && k == 4 && size[2] == 3,
           "a filter's sizes");
    cudnnDestroyFilterDescriptor(f);
    cudnnActivationDescriptor_t a;
    cudnnActivationMode_t mode;
    cudnnNanPropagation_t nan;
    double coef = 0;
    cudnnCreateActivationDescriptor(&a);
    expect(cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_ELU, CUDNN_PROPAGATE_NAN, 2.5) == ok &&
               cudnnGetActivationDescriptor(a, &mode, &nan, &coef) == ok && mode == CUDNN_ACTIVATION_ELU &&
               nan == CUDNN_PROPAGATE_NAN && coef == 2.5 && cudnnGetActivationDescriptorSwishBeta(a, &coef) == ok &&
               coef == 1,
           "an activation");
    expect(cudnnSetActivationDescriptor(a, (cudnnActivationMode_t)7, nan, 0) == bad, "an activation that is none");
    cudnnDestroyActivationDescriptor(a);
    cudnnOpTensorDescriptor_t o;
    cudnnOpTensorOp_t op;
    cudnnCreateOpTensorDescriptor(&o);
    expect(cudnnSetOpTensorDescriptor(o, CUDNN_OP_TENSOR_MAX, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN) == ok &&
               cudnnGetOpTensorDescriptor(o, &op, &type, &nan) == ok && op == CUDNN_OP_TENSOR_MAX,
           "an operation");
    cudnnDestroyOpTensorDescriptor(o);
    int major = 0;
    expect(cudnnGetVersion() == CUDNN_VERSION && cudnnGetProperty(MAJOR_VERSION, &major) == ok &&
               major == CUDNN_MAJOR && CUDNN_MAJOR == 9 && CUDNN_VERSION / 10000 == 9,
           "the version");
    expect(!strcmp(cudnnGetErrorString(bad), "CUDNN_STATUS_BAD_PARAM") && missing == 3000 && bad == 2000, "a status");
}

/* ---- one element from one of each input ---- */

template <class T, class From> static void transform_and_add(int way)
{
    const int dims = 4 + way % 2;
    const Size s = way < 3 ? Size{2, 3, 1, 50, 190} : random_size(dims); /* some of many rows */
    const Size part = {way & 1 ? s.n : 1, way & 2 ? s.c : 1, way & 4 ? s.d : 1, way & 8 ? s.h : 1, way & 16 ? s.w : 1};
    const Blend<T> blend(way);
    Tensor<From> x(s, dims, random_layout()), b(part, dims, random_layout());
    Tensor<T> y(s, dims, random_layout()), c(s, dims, random_layout());
    Values spread(s);
    for_all(s, [&](int n, int c, int d, int h, int w) { spread(n, c, d, h, w) = b.spread(n, c, d, h, w); });
    blend.prepare(y);
    expect(cudnnTransformTensor(handle, &blend.alpha, x.d, x.p, &blend.beta, y.d, y.p) == ok, "TransformTensor");
    y.compare(blend.of(x, y), "TransformTensor");
    expect(cudnnAddTensor(handle, &blend.alpha, b.d, b.p, &blend.beta, c.d, c.p) == ok, "AddTensor");
    c.compare(blend.of(spread, c), "AddTensor", 2);
}

template <class T> static void scale_and_set(int way)
{
    const Size s = random_size(4);
    Tensor<T> x(s, 4, random_layout()), y(s, 4, random_layout());
    const typename Kind<T>::Factor alpha = -2.5;
    const T value = rounded<T>(0.375);
    Values scaled = x, same(s);
    for (double &v : scaled.at)
        v *= -2.5;
    for (double &v : same.at)
        v = 0.375;
    expect(cudnnScaleTensor(handle, x.d, x.p, &alpha) == ok && cudnnSetTensor(handle, y.d, y.p, &value) == ok,
           "Scale, Set");
    x.compare(scaled, "ScaleTensor"), y.compare(same, "SetTensor");
}

static double operation(cudnnOpTensorOp_t op, double a, double b)
{
    switch (op) {
    case CUDNN_OP_TENSOR_ADD: return a + b;
    case CUDNN_OP_TENSOR_MUL: return a * b;
    case CUDNN_OP_TENSOR_MIN: return a < b ? a : b;
    case CUDNN_OP_TENSOR_MAX: return a > b ? a : b;
    case CUDNN_OP_TENSOR_SQRT: return sqrt(a);
    default: return 1 - a;
    }
}

template <class T> static void op_tensor(int way)
{
    const int dims = 4 + way / 6 % 2;
    const cudnnOpTensorOp_t op = (cudnnOpTensorOp_t)(way % 6);
    const Size s = random_size(dims);
    const Size part = {random_int(0, 1) ? s.n : 1, random_int(0, 1) ? s.c : 1, s.d, random_int(0, 1) ? s.h : 1, s.w};
    const typename Kind<T>::Factor alpha1 = 1.25, alpha2 = -0.5, beta = way % 4 ? 0.5 : 0;
    Tensor<T> a(s, dims, random_layout(), 0, 2), b(part, dims, random_layout()), c(s, dims, random_layout());
    cudnnOpTensorDescriptor_t d;
    cudnnCreateOpTensorDescriptor(&d);
    cudnnSetOpTensorDescriptor(d, op, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN);
    if (beta == 0)
        c.poison();
    Values want(s);
    for_all(s, [&](int n, int k, int i, int h, int w) {
        want(n, k, i, h, w) = operation(op, alpha1 * a(n, k, i, h, w), alpha2 * b.spread(n, k, i, h, w)) +
                              (beta == 0 ? 0 : beta * c(n, k, i, h, w));
    });
    const bool one = op == CUDNN_OP_TENSOR_SQRT || op == CUDNN_OP_TENSOR_NOT;
    expect(cudnnOpTensor(handle, d, &alpha1, a.d, a.p, &alpha2, one ? NULL : b.d, one ? NULL : b.p, &beta, c.d, c.p) ==
               ok,
           "OpTensor");
    c.compare(want, "OpTensor", 2);
    cudnnDestroyOpTensorDescriptor(d);
}

/* ---- activations ---- */

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double activated(cudnnActivationMode_t mode, double coef, double beta, double x)
{
    switch (mode) {
    case CUDNN_ACTIVATION_SIGMOID: return sigmoid(x);
    case CUDNN_ACTIVATION_RELU: return x > 0 ? x : 0;
    case CUDNN_ACTIVATION_TANH: return tanh(x);
    case CUDNN_ACTIVATION_CLIPPED_RELU: return x < 0 ? 0 : x > coef ? coef : x;
    case CUDNN_ACTIVATION_ELU: return x > 0 ? x : coef * expm1(x);
    default: return x * sigmoid(beta * x);
    }
}
/* By the difference of two values around x. */
static double slope(cudnnActivationMode_t mode, double coef, double beta, double x)
{
    const double h = 1e-4, l = activated(mode, coef, beta, x - h), r = activated(mode, coef, beta, x + h);
    return (r - l) / (2 * h);
}

template <class T> static void activations(cudnnActivationMode_t mode, int way)
{
    const int dims = 4 + way % 2;
    const Size s = way < 2 ? Size{3, 2, 1, 40, 300} : random_size(dims);
    const double coef = mode == CUDNN_ACTIVATION_ELU ? 0.8 : 1.5, beta = 1.25;
    const Blend<T> blend(way);
    Tensor<T> x(s, dims, random_layout(), -3, 3), y(s, dims, random_layout()), dy(s, dims, random_layout()),
        dx(s, dims, random_layout());
    cudnnActivationDescriptor_t a;
    cudnnCreateActivationDescriptor(&a);
    cudnnSetActivationDescriptor(a, mode, CUDNN_NOT_PROPAGATE_NAN, coef);
    cudnnSetActivationDescriptorSwishBeta(a, beta);
    for (double &v : x.at) /* off the corners, where there is no slope */
        v = fabs(v) < 0.01 || fabs(v - coef) < 0.01 ? 0.5 : v;
    x.upload();
    Values forward(s), gradient(s);
    for (size_t i = 0; i < x.at.size(); i++) {
        forward.at[i] = activated(mode, coef, beta, x.at[i]);
        gradient.at[i] = dy.at[i] * slope(mode, coef, beta, x.at[i]);
    }
    blend.prepare(y), blend.prepare(dx);
    expect(cudnnActivationForward(handle, a, &blend.alpha, x.d, x.p, &blend.beta, y.d, y.p) == ok, "ActivationForward");
    y.compare(blend.of(forward, y), "ActivationForward", 2);
    y.at = forward.at;
    y.upload();
    expect(cudnnActivationBackward(handle, a, &blend.alpha, y.d, y.p, dy.d, dy.p, x.d, x.p, &blend.beta, dx.d, dx.p) ==
               ok,
           "ActivationBackward");
    const double roundings = sizeof(T) == 8   ? 1e5
                             : sizeof(T) == 4 ? 20
                                              : 4; /* y is rounded, and the slope a difference */
    dx.compare(blend.of(gradient, dx), "ActivationBackward", roundings);
    cudnnDestroyActivationDescriptor(a);
}

/* Not a number, infinities, and the ends of what can be told apart. */
static void special_activations()
{
    Tensor<float> x({1, 1, 1, 1, 8}, 4, NCHW), y({1, 1, 1, 1, 8}, 4, NCHW);
    x.at = {NAN, INFINITY, -INFINITY, 1e-12, -200, 200, -0.0, 1e30};
    x.upload();
    const float one = 1, zero = 0;
    cudnnActivationDescriptor_t a;
    cudnnCreateActivationDescriptor(&a);
    for (int mode = 0; mode < 4; mode++)
        for (int nan = 0; nan < 2; nan++) {
            Values want = x;
            cudnnSetActivationDescriptor(a, (cudnnActivationMode_t)mode, (cudnnNanPropagation_t)nan, 6);
            for (double &v : want.at)
                if (v == v)
                    v = activated((cudnnActivationMode_t)mode, 6, 1, v);
                else if (mode % 2 && !nan)
                    v = 0;
            expect(cudnnActivationForward(handle, a, &one, x.d, x.p, &zero, y.d, y.p) == ok, "special values");
            y.compare(want, "special values");
        }
    Values tiny = x;
    cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_TANH, CUDNN_PROPAGATE_NAN, 0);
    cudnnActivationForward(handle, a, &one, x.d, x.p, &zero, y.d, y.p);
    float back;
    cudaMemcpy(&back, y.p + 3, sizeof back, cudaMemcpyDeviceToHost);
    expect(fabs((double)back / tiny.at[3] - 1) < 1e-6, "tanh of what is small");
    cudnnDestroyActivationDescriptor(a);
}

/* ---- streams, and what is refused ---- */

static __global__ void fill(float *x, float value, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = value;
}

/* Work is the stream's: captured, it runs when the graph does. */
static void streams()
{
    const Size s = {1, 2, 1, 3, 4};
    Tensor<float> x(s, 4, NCHW), y(s, 4, NCHW);
    Values want = y;
    const float one = 1;
    cudaStream_t stream, same = NULL;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    expect(cudnnSetStream(handle, stream) == ok && cudnnGetStream(handle, &same) == ok && same == stream, "a stream");
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<1, 32, 0, stream>>>(x.p, 2, (int)x.extent);
    expect(cudnnAddTensor(handle, &one, x.d, x.p, &one, y.d, y.p) == ok, "a captured call");
    cudaStreamEndCapture(stream, &graph);
    y.compare(want, "nothing runs while it is captured");
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream), cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    for (double &v : want.at)
        v += 4;
    y.compare(want, "a graph with cuDNN's work, twice");
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
    cudnnSetStream(handle, 0);
    cudaStreamDestroy(stream);
}

static void refusals()
{
    const Size s = {1, 2, 1, 3, 4};
    Tensor<float> x(s, 4, NCHW), y(s, 4, NCHW), other({1, 3, 1, 3, 4}, 4, NCHW);
    Tensor<double> large({2, 2, 1, 3, 4}, 4, NCHW);
    const float one = 1, zero = 0;
    char text[160] = "";
    cudnnTensorDescriptor_t bytes;
    cudnnActivationDescriptor_t a;
    cudnnCreateTensorDescriptor(&bytes), cudnnCreateActivationDescriptor(&a);
    cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_IDENTITY, CUDNN_PROPAGATE_NAN, 0);
    expect(cudnnActivationForward(handle, a, &one, x.d, x.p, &zero, y.d, y.p) == bad, "IDENTITY alone");
    expect(cudnnAddTensor(NULL, &one, x.d, x.p, &zero, y.d, y.p) == CUDNN_STATUS_NOT_INITIALIZED, "no handle");
    expect(cudnnAddTensor(handle, &one, other.d, other.p, &zero, y.d, y.p) == bad, "sizes that do not fit");
    expect(cudnnTransformTensor(handle, &one, x.d, x.p, &zero, large.d, large.p) == bad, "other sizes");
    expect(cudnnAddTensor(handle, &one, x.d, NULL, &zero, y.d, y.p) == bad, "no data");
    expect(cudnnSetTensor4dDescriptor(bytes, CUDNN_TENSOR_NCHW, CUDNN_DATA_INT8, 1, 2, 3, 4) == ok, "int8");
    expect(cudnnAddTensor(handle, &one, bytes, x.p, &zero, y.d, y.p) == missing, "adding int8");
    cudnnGetLastErrorString(text, sizeof text);
    expect(strstr(text, "cudnnAddTensor: ") == text, "the refusal's text");
    y.compare(y, "what is refused writes nothing");
    cudnnDestroyTensorDescriptor(bytes), cudnnDestroyActivationDescriptor(a);
}

template <class T> static void of_type()
{
    for (int way = 0; way < 36; way++) {
        transform_and_add<T, T>(way);
        op_tensor<T>(way);
    }
    for (int mode = CUDNN_ACTIVATION_SIGMOID; mode <= CUDNN_ACTIVATION_SWISH; mode++)
        for (int way = 0; way < 8 && mode != CUDNN_ACTIVATION_IDENTITY; way++)
            activations<T>((cudnnActivationMode_t)mode, way);
    for (int way = 0; way < 4; way++)
        scale_and_set<T>(way);
}

int main()
{
    expect(cudnnCreate(&handle) == ok, "a handle");
    tensors();
    other_descriptors();
    of_type<float>();
    of_type<double>();
    of_type<__half>();
    of_type<__nv_bfloat16>();
    for (int way = 0; way < 12; way++)
        transform_and_add<__half, float>(way), transform_and_add<float, __nv_bfloat16>(way);
    special_activations();
    streams();
    refusals();
    expect(cudnnDestroy(handle) == ok, "the end");
    return verdict();
}
