/* cudnn_pooling.c: cuDNN's pooling, a plane of one image and channel at a time: see cudnn.h. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dnn/dnn.h"

typedef cudnnStatus_t Status;
static const Status ok = CUDNN_STATUS_SUCCESS, bad = CUDNN_STATUS_BAD_PARAM;
enum { SPATIAL = 3 };

/* ---- the descriptor ---- */

Status cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t d, cudnnPoolingMode_t mode, cudnnNanPropagation_t nan,
                                   int dims, const int window[], const int pad[], const int stride[])
{
    if (!d || (int)mode < CUDNN_POOLING_MAX || mode > CUDNN_POOLING_MAX_DETERMINISTIC || dims < 1 ||
        dims > CUDNN_DIM_MAX - 2 || !window || !pad || !stride)
        return bad;
    *d = (struct cudnnPoolingStruct){.mode = mode, .nan = nan};
    for (int i = 0; i < dims; i++) {
        if (window[i] < 1 || pad[i] < 0 || pad[i] >= window[i] || stride[i] < 1)
            return bad;
        d->window[i] = window[i], d->pad[i] = pad[i], d->stride[i] = stride[i];
    }
    d->dims = dims;
    return ok;
}
Status cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t d, cudnnPoolingMode_t mode, cudnnNanPropagation_t nan,
                                   int height, int width, int pad_h, int pad_w, int stride_h, int stride_w)
{
    const int window[2] = {height, width}, pad[2] = {pad_h, pad_w}, stride[2] = {stride_h, stride_w};
    return cudnnSetPoolingNdDescriptor(d, mode, nan, 2, window, pad, stride);
}
Status cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t d, int wanted, cudnnPoolingMode_t *mode,
                                   cudnnNanPropagation_t *nan, int *dims, int window[], int pad[], int stride[])
{
    if (!d || !d->dims || !mode || !nan || !dims || wanted < 0)
        return bad;
    *mode = d->mode, *nan = d->nan, *dims = d->dims;
    for (int i = 0; i < d->dims && i < wanted; i++)
        window[i] = d->window[i], pad[i] = d->pad[i], stride[i] = d->stride[i];
    return ok;
}
Status cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t d, cudnnPoolingMode_t *mode,
                                   cudnnNanPropagation_t *nan, int *height, int *width, int *pad_h, int *pad_w,
                                   int *stride_h, int *stride_w)
{
    if (!d || d->dims != 2 || !mode || !nan || !height || !width || !pad_h || !pad_w || !stride_h || !stride_w)
        return bad;
    *mode = d->mode, *nan = d->nan;
    *height = d->window[0], *width = d->window[1], *pad_h = d->pad[0], *pad_w = d->pad[1];
    *stride_h = d->stride[0], *stride_w = d->stride[1];
    return ok;
}

/* The i-th spatial size of the output; below 1: the window does not fit. */
static int output_size(cudnnPoolingDescriptor_t d, cudnnTensorDescriptor_t x_of, int i)
{
    const int room = x_of->size[2 + i] + 2 * d->pad[i] - d->window[i];
    return room < 0 ? 0 : room / d->stride[i] + 1;
}
Status cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t d, const cudnnTensorDescriptor_t x_of, int dims,
                                         int size[])
{
    if (!d || !d->dims || !x_of || x_of->dims != d->dims + 2 || dims != x_of->dims || !size)
        return bad;
    size[0] = x_of->size[0], size[1] = x_of->size[1];
    for (int i = 0; i < d->dims; i++)
        if ((size[2 + i] = output_size(d, x_of, i)) < 1)
            return bad;
    return ok;
}
Status cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t d, const cudnnTensorDescriptor_t x_of, int *n,
                                         int *c, int *h, int *w)
{
    int size[4];
    if (!d || d->dims != 2 || !n || !c || !h || !w)
        return bad;
    const Status s = cudnnGetPoolingNdForwardOutputDim(d, x_of, 4, size);
    if (!s)
        *n = size[0], *c = size[1], *h = size[2], *w = size[3];
    return s;
}

/* ---- kernels ---- */

/* Views of x, y (forward), or dx, x, dy (backward): N, C and three spatial dimensions, the first of them perhaps of
 * one. */
typedef struct pooling {
    dnn_work work;
    cudnnPoolingMode_t mode;
    bool nan;
    int window[SPATIAL], pad[SPATIAL], stride[SPATIAL];
    dnn_view in, out, gradient;
    double alpha, beta;
} pooling;

/* A window's part in the tensor, and the number of elements that an average divides by. */
typedef struct window {
    int from[SPATIAL], to[SPATIAL], count;
} window;
static window window_of(const pooling *p, const int *at)
{
    window w = {.count = 1};
    int inside = 1;
    for (int i = 0; i < SPATIAL; i++) {
        const int from = at[i] * p->stride[i] - p->pad[i], to = from + p->window[i], size = p->in.size[2 + i];
        w.from[i] = from < 0 ? 0 : from, w.to[i] = to > size ? size : to;
        inside *= w.to[i] - w.from[i];
        w.count *= p->window[i];
    }
    if (p->mode == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING)
        w.count = inside;
    return w;
}

static bool is_maximum(const pooling *p)
{
    return p->mode == CUDNN_POOLING_MAX || p->mode == CUDNN_POOLING_MAX_DETERMINISTIC;
}

/* The window's sum, or its maximum, which is at *place. */
static double pool(const pooling *p, const window *w, const double *plane, int64_t *place)
{
    const bool maximum = is_maximum(p);
    double result = maximum ? -INFINITY : 0;
    *place = -1;
    for (int i = w->from[0]; i < w->to[0]; i++)
        for (int j = w->from[1]; j < w->to[1]; j++) {
            const int64_t row = ((int64_t)i * p->in.size[3] + j) * p->in.size[4];
            for (int k = w->from[2]; k < w->to[2]; k++) {
                const double x = plane[row + k];
                if (!maximum)
                    result += x;
                else if (*place < 0 || x > result ||
                         (x != x ? p->nan && result == result : !p->nan && result != result))
                    result = x, *place = row + k;
            }
        }
    return result;
}

static void give_back(const pooling *p, const window *w, double gradient, double *plane)
{
    for (int i = w->from[0]; i < w->to[0]; i++)
        for (int j = w->from[1]; j < w->to[1]; j++)
            for (int k = w->from[2]; k < w->to[2]; k++)
                plane[((int64_t)i * p->in.size[3] + j) * p->in.size[4] + k] += gradient;
}

/* `out` holds y's plane: forward writes it, backward (where `gradient` is) reads dy from it. */
static void pool_plane(const pooling *p, const double *in, double *out, double *gradient)
{
    int at[SPATIAL];
    for (at[0] = 0; at[0] < p->out.size[2]; at[0]++)
        for (at[1] = 0; at[1] < p->out.size[3]; at[1]++)
            for (at[2] = 0; at[2] < p->out.size[4]; at[2]++, out++) {
                const window w = window_of(p, at);
                int64_t place;
                if (!gradient)
                    *out = pool(p, &w, in, &place) / (is_maximum(p) ? 1 : w.count);
                else if (!is_maximum(p))
                    give_back(p, &w, *out / w.count, gradient);
                else if (pool(p, &w, in, &place), place >= 0)
                    gradient[place] += *out;
            }
}

static void run_planes(const void *arguments)
{
    const pooling *p = arguments;
    const bool backward = p->gradient.p != NULL, needs_input = !backward || is_maximum(p);
    const size_t n = (size_t)dnn_count(&p->in, 2, 5), m = (size_t)dnn_count(&p->out, 2, 5);
    double *const in = dnn_buffer((2 * n + m) * sizeof *in), *const out = in + n, *const gradient = out + m;
    for (int64_t item = dnn_first(&p->work); item < dnn_last(&p->work); item++) {
        if (needs_input)
            dnn_fetch_all(&p->in, 2, dnn_place(&p->in, 0, 2, item), in);
        if (backward) {
            dnn_fetch_all(&p->out, 2, dnn_place(&p->out, 0, 2, item), out);
            memset(gradient, 0, n * sizeof *gradient);
        }
        pool_plane(p, in, out, backward ? gradient : NULL);
        if (backward)
            dnn_blend_all(&p->gradient, 2, dnn_place(&p->gradient, 0, 2, item), gradient, p->alpha, p->beta);
        else
            dnn_blend_all(&p->out, 2, dnn_place(&p->out, 0, 2, item), out, p->alpha, p->beta);
    }
    free(in);
}

/* ---- the interface ---- */

static Status check(const char *function, cudnnPoolingDescriptor_t d, cudnnTensorDescriptor_t x_of,
                    cudnnTensorDescriptor_t y_of)
{
    int size[CUDNN_DIM_MAX];
    if (!d || !d->dims || x_of->dims != d->dims + 2 || y_of->dims != x_of->dims)
        return bad;
    if (d->dims > SPATIAL)
        return dnn_refuse(function, "pooling over more than three dimensions");
    if (cudnnGetPoolingNdForwardOutputDim(d, x_of, x_of->dims, size) ||
        memcmp(size, y_of->size, sizeof(int) * (size_t)y_of->dims))
        return bad;
    return ok;
}

static Status run(cudnnHandle_t handle, const char *name, cudnnPoolingDescriptor_t d, pooling *p)
{
    const int missing = SPATIAL - d->dims;
    p->mode = d->mode, p->nan = d->nan == CUDNN_PROPAGATE_NAN;
    for (int i = 0; i < SPATIAL; i++) {
        p->window[i] = i < missing ? 1 : d->window[i - missing];
        p->pad[i] = i < missing ? 0 : d->pad[i - missing];
        p->stride[i] = i < missing ? 1 : d->stride[i - missing];
    }
    const double window = (double)p->window[0] * p->window[1] * p->window[2];
    return dnn_run(handle, name, run_planes, &p->work, sizeof *p, dnn_count(&p->in, 0, 2),
                   (double)dnn_count(&p->in, 2, 5) + window * (double)dnn_count(&p->out, 2, 5));
}

Status cudnnPoolingForward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t d, const void *alpha,
                           const cudnnTensorDescriptor_t x_of, const void *x, const void *beta,
                           const cudnnTensorDescriptor_t y_of, void *y)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = DNN_TENSORS(x_of, y_of);
    s = s ? s : check(__func__, d, x_of, y_of);
    if (s || !alpha || !beta || !x || !y)
        return s ? s : bad;
    pooling p = {.in = dnn_view_of_five(x_of, x), .out = dnn_view_of_five(y_of, y)};
    p.alpha = dnn_factor(alpha, y_of->type), p.beta = dnn_factor(beta, y_of->type);
    return run(handle, __func__, d, &p);
}

Status cudnnPoolingBackward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t d, const void *alpha,
                            const cudnnTensorDescriptor_t y_of, const void *y, const cudnnTensorDescriptor_t dy_of,
                            const void *dy, const cudnnTensorDescriptor_t x_of, const void *x, const void *beta,
                            const cudnnTensorDescriptor_t dx_of, void *dx)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = DNN_TENSORS(y_of, dy_of, x_of, dx_of);
    s = s ? s : check(__func__, d, x_of, y_of);
    if (s || !alpha || !beta || !y || !dy || !x || !dx || !dnn_same_sizes(y_of, dy_of) || !dnn_same_sizes(x_of, dx_of))
        return s ? s : bad;
    pooling p = {.in = dnn_view_of_five(x_of, x), .out = dnn_view_of_five(dy_of, dy)};
    p.gradient = dnn_view_of_five(dx_of, dx);
    p.alpha = dnn_factor(alpha, dx_of->type), p.beta = dnn_factor(beta, dx_of->type);
    return run(handle, __func__, d, &p);
}
