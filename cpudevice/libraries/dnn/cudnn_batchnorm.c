/* cudnn_batchnorm.c: cuDNN's batch normalization: see cudnn.h. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#include "dnn/dnn.h"

typedef cudnnStatus_t Status;
static const Status bad = CUDNN_STATUS_BAD_PARAM;

/* Views whose first `kept` dimensions have a mean each, taken over the others; of the values' view those alone are
 * used. */
typedef struct normalization {
    dnn_work work;
    int kept;
    dnn_view x, y, dy, values; /* y is dx in the backward pass */
    const void *scale, *bias, *mean, *variance;
    void *running_mean, *running_variance, *saved_mean, *saved_inverse, *d_scale, *d_bias;
    double alpha, beta, alpha_values, beta_values, factor, epsilon;
} normalization;

static double get(const normalization *b, const void *p, int64_t at)
{
    dnn_view v = b->values;
    double x;
    v.p = (void *)p;
    dnn_fetch(&v, at, 1, 1, &x);
    return x;
}
/* p[at] = alpha x + beta p[at] */
static void put(const normalization *b, void *p, int64_t at, double x, double alpha, double beta)
{
    dnn_view v = b->values;
    v.p = p;
    if (p)
        dnn_blend(&v, at, 1, 1, &x, alpha, beta);
}

typedef struct moments {
    double mean, variance; /* of n */
} moments;
static moments moments_of(int64_t n, const double *x)
{
    moments m = {0, 0};
    for (int64_t i = 0; i < n; i++)
        m.mean += x[i];
    m.mean /= (double)n;
    for (int64_t i = 0; i < n; i++)
        m.variance += (x[i] - m.mean) * (x[i] - m.mean);
    m.variance /= (double)n;
    return m;
}

/* y = scale (x - mean) inverse + bias, in place */
static void normalize(const normalization *b, int64_t n, double *x, int64_t at, double mean, double inverse)
{
    const double scale = get(b, b->scale, at), bias = get(b, b->bias, at);
    for (int64_t i = 0; i < n; i++)
        x[i] = scale * ((x[i] - mean) * inverse) + bias;
}

/* What training keeps of a mean that was taken over n. */
static void keep(const normalization *b, int64_t n, int64_t at, moments m, double inverse)
{
    const double unbiased = n > 1 ? m.variance * (double)n / (double)(n - 1) : m.variance;
    put(b, b->running_mean, at, m.mean, b->factor, 1 - b->factor);
    put(b, b->running_variance, at, unbiased, b->factor, 1 - b->factor);
    put(b, b->saved_mean, at, m.mean, 1, 0);
    put(b, b->saved_inverse, at, inverse, 1, 0);
}

/* With the moments that are given, or with x's own, in training. */
static void forward(const void *arguments)
{
    const normalization *b = arguments;
    const int64_t n = dnn_count(&b->x, b->kept, b->x.dims);
    double *const x = dnn_buffer((size_t)n * sizeof *x);
    for (int64_t item = dnn_first(&b->work); item < dnn_last(&b->work); item++) {
        const int64_t at = dnn_place(&b->values, 0, b->kept, item);
        dnn_fetch_all(&b->x, b->kept, dnn_place(&b->x, 0, b->kept, item), x);
        const moments m = b->mean ? (moments){get(b, b->mean, at), get(b, b->variance, at)} : moments_of(n, x);
        const double inverse = 1 / sqrt(m.variance + b->epsilon);
        if (!b->mean)
            keep(b, n, at, m, inverse);
        normalize(b, n, x, at, m.mean, inverse);
        dnn_blend_all(&b->y, b->kept, dnn_place(&b->y, 0, b->kept, item), x, b->alpha, b->beta);
    }
    free(x);
}

/* With x' = (x - mean) inverse: d_bias = sum of dy, d_scale = sum of dy x',
 * dx = scale inverse (dy - d_bias / n - x' d_scale / n). */
static void differentiate(const void *arguments)
{
    const normalization *b = arguments;
    const int64_t n = dnn_count(&b->x, b->kept, b->x.dims);
    double *const x = dnn_buffer(2 * (size_t)n * sizeof *x), *const dy = x + n;
    for (int64_t item = dnn_first(&b->work); item < dnn_last(&b->work); item++) {
        const int64_t at = dnn_place(&b->values, 0, b->kept, item);
        dnn_fetch_all(&b->x, b->kept, dnn_place(&b->x, 0, b->kept, item), x);
        dnn_fetch_all(&b->dy, b->kept, dnn_place(&b->dy, 0, b->kept, item), dy);
        const moments m = b->saved_mean ? (moments){get(b, b->saved_mean, at), 0} : moments_of(n, x);
        const double inverse = b->saved_inverse ? get(b, b->saved_inverse, at) : 1 / sqrt(m.variance + b->epsilon);
        const double factor = get(b, b->scale, at) * inverse;
        double d_bias = 0, d_scale = 0;
        for (int64_t i = 0; i < n; i++) {
            x[i] = (x[i] - m.mean) * inverse;
            d_bias += dy[i];
            d_scale += dy[i] * x[i];
        }
        for (int64_t i = 0; i < n; i++)
            dy[i] = factor * (dy[i] - d_bias / (double)n - x[i] * (d_scale / (double)n));
        put(b, b->d_bias, at, d_bias, b->alpha_values, b->beta_values);
        put(b, b->d_scale, at, d_scale, b->alpha_values, b->beta_values);
        dnn_blend_all(&b->y, b->kept, dnn_place(&b->y, 0, b->kept, item), dy, b->alpha, b->beta);
    }
    free(x);
}

/* ---- the interface ---- */

static bool is_mode(cudnnBatchNormMode_t mode)
{
    return (int)mode >= CUDNN_BATCHNORM_PER_ACTIVATION && mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
}

Status cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derived, const cudnnTensorDescriptor_t x_of,
                                     cudnnBatchNormMode_t mode)
{
    if (!derived || !x_of || !x_of->dims || !is_mode(mode))
        return bad;
    struct cudnnTensorStruct d = {.type = x_of->type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT};
    d.dims = x_of->dims;
    for (int i = 0; i < d.dims; i++)
        d.size[i] = i == 0 || (i > 1 && mode != CUDNN_BATCHNORM_PER_ACTIVATION) ? 1 : x_of->size[i];
    dnn_dense_strides(CUDNN_TENSOR_NCHW, d.dims, d.size, d.stride);
    *derived = d;
    return CUDNN_STATUS_SUCCESS;
}

static Status check_values(const char *function, cudnnBatchNormMode_t mode, cudnnTensorDescriptor_t x_of,
                           cudnnTensorDescriptor_t values_of)
{
    struct cudnnTensorStruct want;
    if (cudnnDeriveBNTensorDescriptor(&want, x_of, mode) || !dnn_same_sizes(&want, values_of))
        return bad;
    return values_of->type == want.type
               ? CUDNN_STATUS_SUCCESS
               : dnn_refuse(function, "scale and bias of a type other than float, or double for double");
}

/* N behind the places that have a mean each: C, or C and all places in it. */
static dnn_view arranged(cudnnTensorDescriptor_t d, const void *p, cudnnBatchNormMode_t mode)
{
    dnn_view v = dnn_view_of(d, p);
    const int size = v.size[0], stride = v.stride[0], to = mode == CUDNN_BATCHNORM_PER_ACTIVATION ? v.dims - 1 : 1;
    for (int i = 0; i < to; i++)
        v.size[i] = v.size[i + 1], v.stride[i] = v.stride[i + 1];
    v.size[to] = size, v.stride[to] = stride;
    return v;
}

/* The views of x, y and dy (which may be NULL) and of the values, and a launch. */
static Status run(cudnnHandle_t handle, const char *name, void (*body)(const void *), normalization *b,
                  cudnnBatchNormMode_t mode, const cudnnTensorDescriptor_t d[4], const void *const p[3])
{
    dnn_view v[3] = {0};
    const int count = p[2] ? 3 : 2;
    for (int i = 0; i < count; i++)
        v[i] = arranged(d[i], p[i], mode);
    b->values = arranged(d[3], NULL, mode);
    b->kept = mode == CUDNN_BATCHNORM_PER_ACTIVATION ? v[0].dims - 1 : 1;
    const int64_t items = dnn_count(&v[0], 0, b->kept), each = dnn_count(&v[0], b->kept, v[0].dims);
    dnn_join(v, count, b->kept);
    b->x = v[0], b->y = v[1], b->dy = v[count - 1];
    return dnn_run(handle, name, body, &b->work, sizeof *b, items, 4 * (double)each);
}

Status cudnnBatchNormalizationForwardInference(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
                                               const void *beta, const cudnnTensorDescriptor_t x_of, const void *x,
                                               const cudnnTensorDescriptor_t y_of, void *y,
                                               const cudnnTensorDescriptor_t values_of, const void *scale,
                                               const void *bias, const void *mean, const void *variance, double epsilon)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = DNN_TENSORS(x_of, y_of, values_of);
    s = s ? s : check_values(__func__, mode, x_of, values_of);
    if (s || !alpha || !beta || !x || !y || !scale || !bias || !mean || !variance || !dnn_same_sizes(x_of, y_of) ||
        !(epsilon >= CUDNN_BN_MIN_EPSILON))
        return s ? s : bad;
    normalization b = {.scale = scale, .bias = bias, .mean = mean, .variance = variance, .epsilon = epsilon};
    b.alpha = dnn_factor(alpha, y_of->type), b.beta = dnn_factor(beta, y_of->type);
    return run(handle, __func__, forward, &b, mode, (const cudnnTensorDescriptor_t[]){x_of, y_of, NULL, values_of},
               (const void *const[]){x, y, NULL});
}

Status cudnnBatchNormalizationForwardTraining(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
                                              const void *beta, const cudnnTensorDescriptor_t x_of, const void *x,
                                              const cudnnTensorDescriptor_t y_of, void *y,
                                              const cudnnTensorDescriptor_t values_of, const void *scale,
                                              const void *bias, double factor, void *running_mean,
                                              void *running_variance, double epsilon, void *saved_mean,
                                              void *saved_inverse)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = DNN_TENSORS(x_of, y_of, values_of);
    s = s ? s : check_values(__func__, mode, x_of, values_of);
    if (s || !alpha || !beta || !x || !y || !scale || !bias || !dnn_same_sizes(x_of, y_of) ||
        !running_mean != !running_variance || !saved_mean != !saved_inverse || !(epsilon >= CUDNN_BN_MIN_EPSILON))
        return s ? s : bad;
    normalization b = {.scale = scale, .bias = bias, .factor = factor, .epsilon = epsilon};
    b.running_mean = running_mean, b.running_variance = running_variance;
    b.saved_mean = saved_mean, b.saved_inverse = saved_inverse;
    b.alpha = dnn_factor(alpha, y_of->type), b.beta = dnn_factor(beta, y_of->type);
    return run(handle, __func__, forward, &b, mode, (const cudnnTensorDescriptor_t[]){x_of, y_of, NULL, values_of},
               (const void *const[]){x, y, NULL});
}

Status cudnnBatchNormalizationBackward(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha_data,
                                       const void *beta_data, const void *alpha_values, const void *beta_values,
                                       const cudnnTensorDescriptor_t x_of, const void *x,
                                       const cudnnTensorDescriptor_t dy_of, const void *dy,
                                       const cudnnTensorDescriptor_t dx_of, void *dx,
                                       const cudnnTensorDescriptor_t values_of, const void *scale, void *d_scale,
                                       void *d_bias, double epsilon, const void *saved_mean, const void *saved_inverse)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = DNN_TENSORS(x_of, dy_of, dx_of, values_of);
    s = s ? s : check_values(__func__, mode, x_of, values_of);
    if (s || !alpha_data || !beta_data || !alpha_values || !beta_values || !x || !dy || !dx || !scale || !d_scale ||
        !d_bias || !dnn_same_sizes(x_of, dy_of) || !dnn_same_sizes(x_of, dx_of) || !saved_mean != !saved_inverse ||
        !(epsilon >= CUDNN_BN_MIN_EPSILON))
        return s ? s : bad;
    normalization b = {.scale = scale, .d_scale = d_scale, .d_bias = d_bias, .epsilon = epsilon};
    b.saved_mean = (void *)saved_mean, b.saved_inverse = (void *)saved_inverse;
    b.alpha = dnn_factor(alpha_data, dx_of->type), b.beta = dnn_factor(beta_data, dx_of->type);
    b.alpha_values = dnn_factor(alpha_values, dx_of->type), b.beta_values = dnn_factor(beta_values, dx_of->type);
    return run(handle, __func__, differentiate, &b, mode,
               (const cudnnTensorDescriptor_t[]){x_of, dx_of, dy_of, values_of}, (const void *const[]){x, dx, dy});
}
