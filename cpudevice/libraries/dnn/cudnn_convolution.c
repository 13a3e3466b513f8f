/* cudnn_convolution.c: cuDNN's convolutions: descriptors, sizes, algorithms, and what is checked before the kernel of
 * dnn_convolution.c is put on the stream: see cudnn_cnn.h. */
#define _GNU_SOURCE
#include <string.h>

#include "dnn/dnn_convolution.h"

typedef cudnnStatus_t Status;
static const Status ok = CUDNN_STATUS_SUCCESS, bad = CUDNN_STATUS_BAD_PARAM;

/* ---- descriptors ---- */

Status cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t d, int dims, const int pad[], const int stride[],
                                       const int dilation[], cudnnConvolutionMode_t mode, cudnnDataType_t compute)
{
    if (!d || dims < 1 || dims > CUDNN_DIM_MAX - 2 || !pad || !stride || !dilation ||
        (mode != CUDNN_CONVOLUTION && mode != CUDNN_CROSS_CORRELATION))
        return bad;
    for (int i = 0; i < dims; i++)
        if (pad[i] < 0 || stride[i] < 1 || dilation[i] < 1)
            return bad;
    if (dims > DNN_SPATIAL)
        return dnn_refuse(__func__, "convolution over more than three dimensions");
    if (compute != CUDNN_DATA_FLOAT && compute != CUDNN_DATA_DOUBLE && compute != CUDNN_DATA_HALF)
        return dnn_refuse(__func__, "convolution with sums of a type other than float, double and half");
    const struct cudnnConvolutionStruct old = *d;
    *d = (struct cudnnConvolutionStruct){.dims = dims, .mode = mode, .compute = compute, .groups = 1};
    if (old.dims)
        d->groups = old.groups, d->math = old.math, d->order = old.order;
    memcpy(d->pad, pad, sizeof(int) * (size_t)dims);
    memcpy(d->stride, stride, sizeof(int) * (size_t)dims);
    memcpy(d->dilation, dilation, sizeof(int) * (size_t)dims);
    return ok;
}
Status cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t d, int pad_h, int pad_w, int stride_h, int stride_w,
                                       int dilation_h, int dilation_w, cudnnConvolutionMode_t mode,
                                       cudnnDataType_t compute)
{
    const int pad[2] = {pad_h, pad_w}, stride[2] = {stride_h, stride_w}, dilation[2] = {dilation_h, dilation_w};
    return cudnnSetConvolutionNdDescriptor(d, 2, pad, stride, dilation, mode, compute);
}
Status cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t d, int wanted, int *dims, int pad[],
                                       int stride[], int dilation[], cudnnConvolutionMode_t *mode,
                                       cudnnDataType_t *compute)
{
    if (!d || !d->dims || wanted < 0 || !dims || !mode || !compute)
        return bad;
    *dims = d->dims, *mode = d->mode, *compute = d->compute;
    for (int i = 0; i < d->dims && i < wanted; i++)
        pad[i] = d->pad[i], stride[i] = d->stride[i], dilation[i] = d->dilation[i];
    return ok;
}
Status cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t d, int *pad_h, int *pad_w, int *stride_h,
                                       int *stride_w, int *dilation_h, int *dilation_w, cudnnConvolutionMode_t *mode,
                                       cudnnDataType_t *compute)
{
    int dims, pad[2], stride[2], dilation[2];
    if (!d || d->dims != 2 || !pad_h || !pad_w || !stride_h || !stride_w || !dilation_h || !dilation_w)
        return bad;
    const Status s = cudnnGetConvolutionNdDescriptor(d, 2, &dims, pad, stride, dilation, mode, compute);
    if (s)
        return s;
    *pad_h = pad[0], *pad_w = pad[1], *stride_h = stride[0], *stride_w = stride[1];
    *dilation_h = dilation[0], *dilation_w = dilation[1];
    return ok;
}

#define ATTRIBUTE(Name, field, type, valid)                                                                            \
    Status cudnnSetConvolution##Name(cudnnConvolutionDescriptor_t d, type value)                                       \
    {                                                                                                                  \
        if (!d || !(valid))                                                                                            \
            return bad;                                                                                                \
        d->field = value;                                                                                              \
        return ok;                                                                                                     \
    }                                                                                                                  \
    Status cudnnGetConvolution##Name(cudnnConvolutionDescriptor_t d, type *value)                                      \
    {                                                                                                                  \
        if (!d || !value)                                                                                              \
            return bad;                                                                                                \
        *value = d->field;                                                                                             \
        return ok;                                                                                                     \
    }
ATTRIBUTE(GroupCount, groups, int, value >= 1)
ATTRIBUTE(MathType, math, cudnnMathType_t, (int)value >= CUDNN_DEFAULT_MATH && value <= CUDNN_FMA_MATH)
ATTRIBUTE(ReorderType, order, cudnnReorderType_t, value == CUDNN_DEFAULT_REORDER || value == CUDNN_NO_REORDER)

/* ---- sizes ---- */

Status cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t d, const cudnnTensorDescriptor_t x_of,
                                             const cudnnFilterDescriptor_t w_of, int dims, int size[])
{
    if (!d || !d->dims || !x_of || !w_of || x_of->dims != d->dims + 2 || w_of->dims != x_of->dims ||
        dims != x_of->dims || !size || x_of->size[1] != w_of->size[1] * d->groups || w_of->size[0] % d->groups)
        return bad;
    size[0] = x_of->size[0], size[1] = w_of->size[0];
    for (int i = 0; i < d->dims; i++) {
        const int64_t window = (int64_t)d->dilation[i] * (w_of->size[2 + i] - 1) + 1;
        const int64_t room = x_of->size[2 + i] + 2 * (int64_t)d->pad[i] - window;
        if (room < 0)
            return bad;
        size[2 + i] = (int)(room / d->stride[i] + 1);
    }
    return ok;
}
Status cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t d, const cudnnTensorDescriptor_t x_of,
                                             const cudnnFilterDescriptor_t w_of, int *n, int *c, int *h, int *w)
{
    int size[4];
    if (!d || d->dims != 2 || !n || !c || !h || !w)
        return bad;
    const Status s = cudnnGetConvolutionNdForwardOutputDim(d, x_of, w_of, 4, size);
    if (!s)
        *n = size[0], *c = size[1], *h = size[2], *w = size[3];
    return s;
}

/* Checks that the descriptors fit together and describe a convolution that this library has. */
static Status check(const char *function, cudnnConvolutionDescriptor_t d, cudnnTensorDescriptor_t x_of,
                    cudnnFilterDescriptor_t w_of, cudnnTensorDescriptor_t y_of)
{
    const struct cudnnTensorStruct *const both[2] = {x_of, y_of};
    int size[CUDNN_DIM_MAX];
    const Status s = dnn_tensors(function, 2, both);
    if (s || !d || !d->dims || !w_of || !w_of->dims)
        return s ? s : bad;
    if (x_of->type != y_of->type || w_of->type != x_of->type)
        return dnn_refuse(function, "tensors and a filter of different types");
    if (x_of->type == CUDNN_DATA_DOUBLE && d->compute != CUDNN_DATA_DOUBLE)
        return dnn_refuse(function, "sums of float for tensors of double");
    if (cudnnGetConvolutionNdForwardOutputDim(d, x_of, w_of, x_of->dims, size) || y_of->dims != x_of->dims ||
        memcmp(size, y_of->size, sizeof(int) * (size_t)y_of->dims))
        return bad;
    return ok;
}

static dnn_convolution problem(dnn_direction direction, cudnnConvolutionDescriptor_t d, cudnnTensorDescriptor_t x_of,
                               const void *x, cudnnFilterDescriptor_t w_of, const void *w, cudnnTensorDescriptor_t y_of,
                               const void *y)
{
    struct cudnnTensorStruct filter = {.type = w_of->type, .dims = w_of->dims};
    dnn_convolution c = {.direction = direction, .groups = d->groups, .turned = d->mode == CUDNN_CONVOLUTION};
    memcpy(filter.size, w_of->size, sizeof filter.size);
    dnn_dense_strides(w_of->format, filter.dims, filter.size, filter.stride);
    c.x = dnn_view_of_five(x_of, x), c.w = dnn_view_of_five(&filter, w), c.y = dnn_view_of_five(y_of, y);
    for (int i = 0; i < DNN_SPATIAL; i++) {
        const int k = i - (DNN_SPATIAL - d->dims);
        c.pad[i] = k < 0 ? 0 : d->pad[k];
        c.stride[i] = k < 0 ? 1 : d->stride[k];
        c.dilation[i] = k < 0 ? 1 : d->dilation[k];
    }
    return c;
}

/* ---- algorithms ---- */

/* Which algorithms there are, the quickest of cuDNN's for usual shapes first. */
static const int forward_algos[] = {1, 0, 2, 6, 7, 5, 4, 3}, data_algos[] = {1, 0, 4, 5, 3, 2},
                 filter_algos[] = {1, 0, 3, 5, 6, 2, 4};
/* DIRECT and WINOGRAD by the filter are not there in cuDNN either. */
static Status status_of_forward(int algo) { return algo == 3 ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS; }
static Status status_of_filter(int algo) { return algo == 4 ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS; }
static Status status_of_data(int algo) { return (void)algo, CUDNN_STATUS_SUCCESS; }

/* Milliseconds, at 10^10 multiplications a second; each algorithm a little more than the one before. */
static float estimate(const dnn_convolution *c, int i)
{
    const double products = (double)dnn_count(&c->y, 2, 5) * c->y.size[0] * (double)dnn_count(&c->w, 0, 5);
    return (float)((products / 1e7 + 0.001) * (1 + 0.01 * i));
}

/* What Get...Algorithm_v7() and Find...() tell, and whether there is an algorithm. */
#define ALGORITHMS(Direction, direction, Perf, Algo, algos, status_of, COUNT)                                          \
    static Status list_##direction(const char *function, cudnnConvolutionDescriptor_t d, cudnnTensorDescriptor_t x_of, \
                                   cudnnFilterDescriptor_t w_of, cudnnTensorDescriptor_t y_of, int wanted, int *found, \
                                   Perf *results)                                                                      \
    {                                                                                                                  \
        const Status s = check(function, d, x_of, w_of, y_of);                                                         \
        if (s || wanted < 1 || !found || !results)                                                                     \
            return s ? s : bad;                                                                                        \
        const dnn_convolution c = problem(DNN_FORWARD, d, x_of, NULL, w_of, NULL, y_of, NULL);                         \
        for (*found = 0; *found < wanted && *found < COUNT; ++*found) {                                                \
            const int algo = algos[*found];                                                                            \
            results[*found] = (Perf){.algo = (Algo)algo, .status = status_of(algo), .mathType = d->math};              \
            results[*found].time = status_of(algo) ? -1 : estimate(&c, *found);                                        \
            results[*found].determinism = CUDNN_DETERMINISTIC;                                                         \
        }                                                                                                              \
        return ok;                                                                                                     \
    }                                                                                                                  \
    static Status has_##direction(int algo) { return algo < 0 || algo >= COUNT ? bad : status_of(algo); }              \
    Status cudnnGetConvolution##Direction##AlgorithmMaxCount(cudnnHandle_t handle, int *count)                         \
    {                                                                                                                  \
        if (!handle || !count)                                                                                         \
            return bad;                                                                                                \
        *count = COUNT;                                                                                                \
        return ok;                                                                                                     \
    }
ALGORITHMS(Forward, forward, cudnnConvolutionFwdAlgoPerf_t, cudnnConvolutionFwdAlgo_t, forward_algos, status_of_forward,
           CUDNN_CONVOLUTION_FWD_ALGO_COUNT)
ALGORITHMS(BackwardData, data, cudnnConvolutionBwdDataAlgoPerf_t, cudnnConvolutionBwdDataAlgo_t, data_algos,
           status_of_data, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT)
ALGORITHMS(BackwardFilter, filter, cudnnConvolutionBwdFilterAlgoPerf_t, cudnnConvolutionBwdFilterAlgo_t, filter_algos,
           status_of_filter, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT)

/* The three ways to ask for algorithms, and the workspace's size: none. A a, B b and C c are the descriptors in the
 * order of these functions; X, W and Y say which of them are x's, the filter's and y's. */
#define ASKING(Direction, direction, Perf, Algo, A, a, B, b, C, c, X, W, Y)                                            \
    Status cudnnGetConvolution##Direction##Algorithm_v7(cudnnHandle_t handle, const A a, const B b,                    \
                                                        const cudnnConvolutionDescriptor_t d, const C c,               \
                                                        const int wanted, int *found, Perf *results)                   \
    {                                                                                                                  \
        return handle ? list_##direction(__func__, d, X, W, Y, wanted, found, results) : CUDNN_STATUS_NOT_INITIALIZED; \
    }                                                                                                                  \
    Status cudnnFindConvolution##Direction##Algorithm(cudnnHandle_t handle, const A a, const B b,                      \
                                                      const cudnnConvolutionDescriptor_t d, const C c,                 \
                                                      const int wanted, int *found, Perf *results)                     \
    {                                                                                                                  \
        return handle ? list_##direction(__func__, d, X, W, Y, wanted, found, results) : CUDNN_STATUS_NOT_INITIALIZED; \
    }                                                                                                                  \
    Status cudnnFindConvolution##Direction##AlgorithmEx(cudnnHandle_t handle, const A a, const void *pa, const B b,    \
                                                        const void *pb, const cudnnConvolutionDescriptor_t d,          \
                                                        const C c, void *pc, const int wanted, int *found,             \
                                                        Perf *results, void *workspace, size_t workspace_bytes)        \
    {                                                                                                                  \
        (void)workspace, (void)workspace_bytes;                                                                        \
        if (!pa || !pb || !pc)                                                                                         \
            return bad;                                                                                                \
        return handle ? list_##direction(__func__, d, X, W, Y, wanted, found, results) : CUDNN_STATUS_NOT_INITIALIZED; \
    }                                                                                                                  \
    Status cudnnGetConvolution##Direction##WorkspaceSize(cudnnHandle_t handle, const A a, const B b,                   \
                                                         const cudnnConvolutionDescriptor_t d, const C c, Algo algo,   \
                                                         size_t *bytes)                                                \
    {                                                                                                                  \
        if (!handle || !bytes)                                                                                         \
            return bad;                                                                                                \
        *bytes = 0;                                                                                                    \
        const Status s = check(__func__, d, X, W, Y);                                                                  \
        return s ? s : has_##direction((int)algo);                                                                     \
    }
ASKING(Forward, forward, cudnnConvolutionFwdAlgoPerf_t, cudnnConvolutionFwdAlgo_t, cudnnTensorDescriptor_t, x_of,
       cudnnFilterDescriptor_t, w_of, cudnnTensorDescriptor_t, y_of, x_of, w_of, y_of)
ASKING(BackwardData, data, cudnnConvolutionBwdDataAlgoPerf_t, cudnnConvolutionBwdDataAlgo_t, cudnnFilterDescriptor_t,
       w_of, cudnnTensorDescriptor_t, dy_of, cudnnTensorDescriptor_t, dx_of, dx_of, w_of, dy_of)
ASKING(BackwardFilter, filter, cudnnConvolutionBwdFilterAlgoPerf_t, cudnnConvolutionBwdFilterAlgo_t,
       cudnnTensorDescriptor_t, x_of, cudnnTensorDescriptor_t, dy_of, cudnnFilterDescriptor_t, dw_of, x_of, dw_of,
       dy_of)

/* ---- convolutions ---- */

Status cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t x_of,
                               const void *x, const cudnnFilterDescriptor_t w_of, const void *w,
                               const cudnnConvolutionDescriptor_t d, cudnnConvolutionFwdAlgo_t algo, void *workspace,
                               size_t workspace_bytes, const void *beta, const cudnnTensorDescriptor_t y_of, void *y)
{
    (void)workspace, (void)workspace_bytes;
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = check(__func__, d, x_of, w_of, y_of);
    s = s ? s : has_forward((int)algo);
    if (s || !alpha || !beta || !x || !w || !y)
        return s ? s : bad;
    dnn_convolution c = problem(DNN_FORWARD, d, x_of, x, w_of, w, y_of, y);
    c.alpha = dnn_factor(alpha, y_of->type), c.beta = dnn_factor(beta, y_of->type);
    return dnn_convolve(handle, __func__, &c);
}

Status cudnnConvolutionBackwardData(cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t w_of,
                                    const void *w, const cudnnTensorDescriptor_t dy_of, const void *dy,
                                    const cudnnConvolutionDescriptor_t d, cudnnConvolutionBwdDataAlgo_t algo,
                                    void *workspace, size_t workspace_bytes, const void *beta,
                                    const cudnnTensorDescriptor_t dx_of, void *dx)
{
    (void)workspace, (void)workspace_bytes;
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = check(__func__, d, dx_of, w_of, dy_of);
    s = s ? s : has_data((int)algo);
    if (s || !alpha || !beta || !w || !dy || !dx)
        return s ? s : bad;
    dnn_convolution c = problem(DNN_BY_DATA, d, dx_of, dx, w_of, w, dy_of, dy);
    c.alpha = dnn_factor(alpha, dx_of->type), c.beta = dnn_factor(beta, dx_of->type);
    return dnn_convolve(handle, __func__, &c);
}

Status cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t x_of,
                                      const void *x, const cudnnTensorDescriptor_t dy_of, const void *dy,
                                      const cudnnConvolutionDescriptor_t d, cudnnConvolutionBwdFilterAlgo_t algo,
                                      void *workspace, size_t workspace_bytes, const void *beta,
                                      const cudnnFilterDescriptor_t dw_of, void *dw)
{
    (void)workspace, (void)workspace_bytes;
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = check(__func__, d, x_of, dw_of, dy_of);
    s = s ? s : has_filter((int)algo);
    if (s || !alpha || !beta || !x || !dy || !dw)
        return s ? s : bad;
    dnn_convolution c = problem(DNN_BY_FILTER, d, x_of, x, dw_of, dw, dy_of, dy);
    c.alpha = dnn_factor(alpha, dw_of->type), c.beta = dnn_factor(beta, dw_of->type);
    return dnn_convolve(handle, __func__, &c);
}

Status cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1, const cudnnTensorDescriptor_t x_of, const void *x,
    const cudnnFilterDescriptor_t w_of, const void *w, const cudnnConvolutionDescriptor_t d,
    cudnnConvolutionFwdAlgo_t algo, void *workspace, size_t workspace_bytes, const void *alpha2,
    const cudnnTensorDescriptor_t z_of, const void *z, const cudnnTensorDescriptor_t bias_of, const void *bias,
    const cudnnActivationDescriptor_t activation, const cudnnTensorDescriptor_t y_of, void *y)
{
    (void)workspace, (void)workspace_bytes;
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = check(__func__, d, x_of, w_of, y_of);
    s = s ? s : DNN_TENSORS(z_of, bias_of);
    s = s ? s : has_forward((int)algo);
    if (s || !alpha1 || !alpha2 || !x || !w || !z || !bias || !activation || !y || !dnn_same_sizes(z_of, y_of))
        return s ? s : bad;
    if (bias_of->dims != y_of->dims)
        return bad;
    for (int i = 0; i < bias_of->dims; i++)
        if (bias_of->size[i] != (i == 1 ? y_of->size[1] : 1))
            return bad;
    if (activation->mode != CUDNN_ACTIVATION_RELU && activation->mode != CUDNN_ACTIVATION_IDENTITY)
        return dnn_refuse(__func__, "an activation other than RELU and IDENTITY");
    dnn_convolution c = problem(DNN_FORWARD, d, x_of, x, w_of, w, y_of, y);
    c.alpha = dnn_factor(alpha1, y_of->type), c.beta = dnn_factor(alpha2, y_of->type);
    c.fused = true, c.z = dnn_view_of_five(z_of, z), c.activation = *activation;
    c.bias = bias, c.bias_type = bias_of->type, c.bias_step = bias_of->stride[1];
    return dnn_convolve(handle, __func__, &c);
}
