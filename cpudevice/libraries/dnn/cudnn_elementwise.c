/* cudnn_elementwise.c: cuDNN's operations whose elements do not depend on each other: see cudnn.h. */
#define _GNU_SOURCE
#include <math.h>
#include <string.h>

#include "dnn/dnn.h"

typedef cudnnStatus_t Status;
static const Status bad = CUDNN_STATUS_BAD_PARAM;

/* out = alpha f(the inputs) + beta out, for views of the same sizes. Their last dimension is cut into parts. */
enum { INPUTS = 3, PART = 16 * DNN_ROW };
typedef struct elementwise {
    dnn_work work;
    void (*f)(const struct elementwise *e, int n, double row[INPUTS][DNN_ROW]); /* the result is row[0] */
    int inputs;
    dnn_view view[1 + INPUTS]; /* the output, then the inputs */
    double alpha, beta, factor[2];
    struct cudnnActivationStruct activation;
    struct cudnnOpTensorStruct op;
} elementwise;

static void compute_row(const elementwise *e, const int64_t *at, int n)
{
    double row[INPUTS][DNN_ROW];
    const int last = e->view[0].dims - 1;
    for (int k = 0; k < e->inputs; k++)
        dnn_fetch(&e->view[1 + k], at[1 + k], e->view[1 + k].stride[last], n, row[k]);
    e->f(e, n, row);
    dnn_blend(&e->view[0], at[0], e->view[0].stride[last], n, row[0], e->alpha, e->beta);
}

static void compute(const void *arguments)
{
    const elementwise *e = arguments;
    const int last = e->view[0].dims - 1, length = e->view[0].size[last], parts = (length + PART - 1) / PART;
    for (int64_t item = dnn_first(&e->work); item < dnn_last(&e->work); item++) {
        const int from = (int)(item % parts) * PART, to = length - from < PART ? length : from + PART;
        int64_t start[1 + INPUTS], at[1 + INPUTS];
        for (int k = 0; k <= e->inputs; k++)
            start[k] = dnn_place(&e->view[k], 0, last, item / parts);
        for (int i = from; i < to; i += DNN_ROW) {
            for (int k = 0; k <= e->inputs; k++)
                at[k] = start[k] + (int64_t)i * e->view[k].stride[last];
            compute_row(e, at, to - i < DNN_ROW ? to - i : DNN_ROW);
        }
    }
}

/* Adds an input, spread over the output. False: its sizes do not fit. */
static bool add_input(elementwise *e, const struct cudnnTensorStruct *d, const void *p,
                      const struct cudnnTensorStruct *out)
{
    dnn_view *const v = &e->view[1 + e->inputs++];
    *v = dnn_view_of(d, p);
    return dnn_spread(v, out);
}

static Status start(cudnnHandle_t handle, const char *name, elementwise *e)
{
    dnn_join(e->view, 1 + e->inputs, 0);
    const int last = e->view[0].dims - 1, length = e->view[0].size[last];
    const int64_t items = dnn_count(&e->view[0], 0, last) * ((length + PART - 1) / PART);
    return dnn_run(handle, name, compute, &e->work, sizeof *e, items, length < PART ? length : PART);
}

/* ---- the functions ---- */

static void f_copy(const elementwise *e, int n, double row[INPUTS][DNN_ROW]) { (void)e, (void)n, (void)row; }
static void f_value(const elementwise *e, int n, double row[INPUTS][DNN_ROW])
{
    for (int i = 0; i < n; i++)
        row[0][i] = e->factor[0];
}
static void f_activate(const elementwise *e, int n, double row[INPUTS][DNN_ROW])
{
    dnn_activate(&e->activation, n, row[0]);
}

static double smaller(double a, double b, bool nan) { return nan && a != a ? a : nan && b != b ? b : fmin(a, b); }
static double larger(double a, double b, bool nan) { return nan && a != a ? a : nan && b != b ? b : fmax(a, b); }

static void f_op(const elementwise *e, int n, double row[INPUTS][DNN_ROW])
{
    const bool nan = e->op.nan == CUDNN_PROPAGATE_NAN;
    double *const a = row[0], *const b = row[1];
    for (int i = 0; i < n; i++)
        a[i] *= e->factor[0];
    for (int i = 0; i < n && e->inputs > 1; i++)
        b[i] *= e->factor[1];
    switch (e->op.op) {
    case CUDNN_OP_TENSOR_ADD:
        for (int i = 0; i < n; i++)
            a[i] += b[i];
        break;
    case CUDNN_OP_TENSOR_MUL:
        for (int i = 0; i < n; i++)
            a[i] *= b[i];
        break;
    case CUDNN_OP_TENSOR_MIN:
        for (int i = 0; i < n; i++)
            a[i] = smaller(a[i], b[i], nan);
        break;
    case CUDNN_OP_TENSOR_MAX:
        for (int i = 0; i < n; i++)
            a[i] = larger(a[i], b[i], nan);
        break;
    case CUDNN_OP_TENSOR_SQRT:
        for (int i = 0; i < n; i++)
            a[i] = sqrt(a[i]);
        break;
    default:
        for (int i = 0; i < n; i++)
            a[i] = 1 - a[i];
    }
}

/* dy times the derivative, by y where that is enough. row: dy, x, y. */
static void f_gradient(const elementwise *e, int n, double row[INPUTS][DNN_ROW])
{
    const double coef = e->activation.coef, beta = e->activation.swish_beta;
    double *const d = row[0], *const x = row[1], *const y = row[2];
    switch (e->activation.mode) {
    case CUDNN_ACTIVATION_SIGMOID:
        for (int i = 0; i < n; i++)
            d[i] *= y[i] * (1 - y[i]);
        break;
    case CUDNN_ACTIVATION_RELU:
        for (int i = 0; i < n; i++)
            d[i] = x[i] > 0 ? d[i] : 0;
        break;
    case CUDNN_ACTIVATION_TANH:
        for (int i = 0; i < n; i++)
            d[i] *= 1 - y[i] * y[i];
        break;
    case CUDNN_ACTIVATION_CLIPPED_RELU:
        for (int i = 0; i < n; i++)
            d[i] = x[i] > 0 && x[i] < coef ? d[i] : 0;
        break;
    case CUDNN_ACTIVATION_ELU:
        for (int i = 0; i < n; i++)
            d[i] *= y[i] > 0 ? 1 : y[i] + coef;
        break;
    default: /* SWISH: s + beta x s (1 - s) with s = sigmoid(beta x) */
        for (int i = 0; i < n; i++)
            y[i] = -beta * x[i];
        dnn_exp(n, y, y);
        for (int i = 0; i < n; i++) {
            const double s = 1 / (1 + y[i]);
            d[i] *= s + beta * x[i] * s * (1 - s);
        }
    }
}

/* ---- the interface ---- */

/* out = alpha f(x) + beta out with one input, of the same sizes or (spread) of 1 where out has more. */
static Status one_input(cudnnHandle_t handle, const char *name, elementwise *e, bool spread, const void *alpha,
                        cudnnTensorDescriptor_t x_of, const void *x, const void *beta, cudnnTensorDescriptor_t y_of,
                        void *y)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    const struct cudnnTensorStruct *const both[2] = {x_of, y_of};
    const Status s = dnn_tensors(name, 2, both);
    if (s || !alpha || !beta || !x || !y || (!spread && !dnn_same_sizes(x_of, y_of)))
        return s ? s : bad;
    e->view[0] = dnn_view_of(y_of, y);
    e->alpha = dnn_factor(alpha, y_of->type), e->beta = dnn_factor(beta, y_of->type);
    return add_input(e, x_of, x, y_of) ? start(handle, name, e) : bad;
}

Status cudnnTransformTensor(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t x_of, const void *x,
                            const void *beta, const cudnnTensorDescriptor_t y_of, void *y)
{
    elementwise e = {.f = f_copy};
    return one_input(handle, __func__, &e, false, alpha, x_of, x, beta, y_of, y);
}

Status cudnnAddTensor(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t a_of, const void *a,
                      const void *beta, const cudnnTensorDescriptor_t c_of, void *c)
{
    elementwise e = {.f = f_copy};
    return one_input(handle, __func__, &e, true, alpha, a_of, a, beta, c_of, c);
}

Status cudnnActivationForward(cudnnHandle_t handle, cudnnActivationDescriptor_t d, const void *alpha,
                              const cudnnTensorDescriptor_t x_of, const void *x, const void *beta,
                              const cudnnTensorDescriptor_t y_of, void *y)
{
    if (!d || d->mode == CUDNN_ACTIVATION_IDENTITY)
        return bad;
    elementwise e = {.f = f_activate, .activation = *d};
    return one_input(handle, __func__, &e, false, alpha, x_of, x, beta, y_of, y);
}

Status cudnnActivationBackward(cudnnHandle_t handle, cudnnActivationDescriptor_t d, const void *alpha,
                               const cudnnTensorDescriptor_t y_of, const void *y, const cudnnTensorDescriptor_t dy_of,
                               const void *dy, const cudnnTensorDescriptor_t x_of, const void *x, const void *beta,
                               const cudnnTensorDescriptor_t dx_of, void *dx)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    const Status s = DNN_TENSORS(y_of, dy_of, x_of, dx_of);
    if (s || !d || d->mode == CUDNN_ACTIVATION_IDENTITY || !alpha || !beta || !y || !dy || !x || !dx ||
        !dnn_same_sizes(y_of, dx_of) || !dnn_same_sizes(dy_of, dx_of) || !dnn_same_sizes(x_of, dx_of))
        return s ? s : bad;
    elementwise e = {.f = f_gradient, .activation = *d};
    e.view[0] = dnn_view_of(dx_of, dx);
    e.alpha = dnn_factor(alpha, dx_of->type), e.beta = dnn_factor(beta, dx_of->type);
    return add_input(&e, dy_of, dy, dx_of) && add_input(&e, x_of, x, dx_of) && add_input(&e, y_of, y, dx_of)
               ? start(handle, __func__, &e)
               : bad;
}

Status cudnnSetTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t y_of, void *y, const void *value)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    const Status s = DNN_TENSORS(y_of);
    if (s || !y || !value)
        return s ? s : bad;
    elementwise e = {.f = f_value, .alpha = 1, .factor = {dnn_number(value, y_of->type)}};
    e.view[0] = dnn_view_of(y_of, y);
    return start(handle, __func__, &e);
}

Status cudnnScaleTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t y_of, void *y, const void *alpha)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    const Status s = DNN_TENSORS(y_of);
    if (s || !y || !alpha)
        return s ? s : bad;
    elementwise e = {.f = f_copy, .alpha = dnn_factor(alpha, y_of->type)};
    e.view[0] = dnn_view_of(y_of, y);
    return add_input(&e, y_of, y, y_of) ? start(handle, __func__, &e) : bad;
}

Status cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t d, const void *alpha1,
                     const cudnnTensorDescriptor_t a_of, const void *a, const void *alpha2,
                     const cudnnTensorDescriptor_t b_of, const void *b, const void *beta,
                     const cudnnTensorDescriptor_t c_of, void *c)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    Status s = DNN_TENSORS(a_of, c_of);
    if (s || !d || !alpha1 || !beta || !a || !c || !dnn_same_sizes(a_of, c_of))
        return s ? s : bad;
    elementwise e = {.f = f_op, .op = *d, .alpha = 1, .beta = dnn_factor(beta, c_of->type)};
    e.factor[0] = dnn_factor(alpha1, c_of->type);
    e.view[0] = dnn_view_of(c_of, c);
    if (!add_input(&e, a_of, a, c_of))
        return bad;
    if (d->op != CUDNN_OP_TENSOR_SQRT && d->op != CUDNN_OP_TENSOR_NOT) {
        s = DNN_TENSORS(b_of);
        if (s || !b || !alpha2 || !add_input(&e, b_of, b, c_of))
            return s ? s : bad;
        e.factor[1] = dnn_factor(alpha2, c_of->type);
    }
    return start(handle, __func__, &e);
}
