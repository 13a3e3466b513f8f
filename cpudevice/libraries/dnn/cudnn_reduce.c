/* cudnn_reduce.c: cuDNN's reductions of tensors, softmax, and the gradient of a convolution's bias: see cudnn.h. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#include "dnn/dnn.h"

typedef cudnnStatus_t Status;
static const Status bad = CUDNN_STATUS_BAD_PARAM;

/* ---- reductions ---- */

/* Views of A and C over the same dimensions: first those that C keeps, from `kept` on those that are reduced. */
typedef struct reduction {
    dnn_work work;
    struct cudnnReduceTensorStruct op;
    dnn_view a, c;
    int kept;
    double alpha, beta;
    uint32_t *indices; /* or NULL */
} reduction;

typedef struct best {
    double value;
    uint32_t index;
} best;

static bool is_better(const reduction *r, double x, double than)
{
    const bool nan = r->op.nan == CUDNN_PROPAGATE_NAN;
    if (x != x || than != than)
        return than != than ? !nan && x == x : nan;
    return r->op.op == CUDNN_REDUCE_TENSOR_MIN ? x < than : x > than;
}

/* Takes a row of elements, the first of which is number `at` of its slice. */
static void take_row(const reduction *r, int64_t at, int n, const double *x, best *b)
{
    double sum = b->value;
    switch (r->op.op) {
    case CUDNN_REDUCE_TENSOR_ADD:
    case CUDNN_REDUCE_TENSOR_AVG:
        for (int i = 0; i < n; i++)
            sum += x[i];
        break;
    case CUDNN_REDUCE_TENSOR_MUL:
        for (int i = 0; i < n; i++)
            sum *= x[i];
        break;
    case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
        for (int i = 0; i < n; i++)
            sum *= x[i] == 0 ? 1 : x[i];
        break;
    case CUDNN_REDUCE_TENSOR_NORM1:
        for (int i = 0; i < n; i++)
            sum += fabs(x[i]);
        break;
    case CUDNN_REDUCE_TENSOR_NORM2:
        for (int i = 0; i < n; i++)
            sum += x[i] * x[i];
        break;
    default:
        for (int i = 0; i < n; i++) {
            const double y = r->op.op == CUDNN_REDUCE_TENSOR_AMAX ? fabs(x[i]) : x[i];
            if (at + i == 0 || is_better(r, y, sum))
                sum = y, b->index = (uint32_t)(at + i);
        }
    }
    b->value = sum;
}

static void reduce(const void *arguments)
{
    const reduction *r = arguments;
    const bool product = r->op.op == CUDNN_REDUCE_TENSOR_MUL || r->op.op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS;
    const int last = r->a.dims - 1, length = r->a.size[last];
    const int64_t rows = dnn_count(&r->a, r->kept, last), step = r->a.stride[last];
    double row[DNN_ROW];
    for (int64_t item = dnn_first(&r->work); item < dnn_last(&r->work); item++) {
        best b = {product, 0};
        const int64_t start = dnn_place(&r->a, 0, r->kept, item);
        for (int64_t i = 0; i < rows; i++)
            for (int k = 0; k < length; k += DNN_ROW) {
                const int n = length - k < DNN_ROW ? length - k : DNN_ROW;
                dnn_fetch(&r->a, start + dnn_place(&r->a, r->kept, last, i) + k * step, step, n, row);
                take_row(r, i * length + k, n, row, &b);
            }
        if (r->op.op == CUDNN_REDUCE_TENSOR_AVG)
            b.value /= (double)(rows * length);
        if (r->op.op == CUDNN_REDUCE_TENSOR_NORM2)
            b.value = sqrt(b.value);
        dnn_blend(&r->c, dnn_place(&r->c, 0, r->kept, item), 1, 1, &b.value, r->alpha, r->beta);
        if (r->indices) {
            r->indices[item] = b.index;
            library_writes(&r->indices[item], sizeof b.index);
        }
    }
}

/* Puts the dimensions that C keeps first, each kind in its order. False: the sizes do not fit. */
static bool arrange(reduction *r, cudnnTensorDescriptor_t a_of, const void *a, cudnnTensorDescriptor_t c_of, void *c)
{
    r->a = dnn_view_of(a_of, a), r->c = dnn_view_of(c_of, c);
    if (a_of->dims != c_of->dims)
        return false;
    int to = 0;
    for (int reduced = 0; reduced < 2; reduced++)
        for (int i = 0; i < a_of->dims; i++) {
            if (c_of->size[i] != 1 && c_of->size[i] != a_of->size[i])
                return false;
            if ((c_of->size[i] != a_of->size[i]) != reduced)
                continue;
            r->a.size[to] = a_of->size[i], r->a.stride[to] = a_of->stride[i];
            r->c.size[to] = c_of->size[i], r->c.stride[to] = c_of->stride[i];
            r->kept += !reduced;
            to++;
        }
    if (r->kept == r->a.dims) { /* nothing is reduced: a dimension of one element */
        if (r->a.dims == CUDNN_DIM_MAX)
            return false;
        r->a.size[r->a.dims] = 1, r->a.stride[r->a.dims++] = 1;
    }
    return true;
}

static Status run_reduction(cudnnHandle_t handle, const char *name, reduction *r)
{
    const int64_t items = dnn_count(&r->a, 0, r->kept), each = dnn_count(&r->a, r->kept, r->a.dims);
    if (r->indices)
        dnn_join_in_order(&r->a, 1, r->kept);
    else
        dnn_join(&r->a, 1, r->kept);
    return dnn_run(handle, name, reduce, &r->work, sizeof *r, items, (double)each);
}

static bool has_indices(cudnnReduceTensorDescriptor_t d)
{
    return d->indices == CUDNN_REDUCE_TENSOR_FLATTENED_INDICES &&
           (d->op == CUDNN_REDUCE_TENSOR_MIN || d->op == CUDNN_REDUCE_TENSOR_MAX || d->op == CUDNN_REDUCE_TENSOR_AMAX);
}

Status cudnnGetReductionIndicesSize(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t d,
                                    const cudnnTensorDescriptor_t a_of, const cudnnTensorDescriptor_t c_of,
                                    size_t *bytes)
{
    const Status s = DNN_TENSORS(a_of, c_of);
    if (!handle || s || !d || !bytes)
        return s ? s : bad;
    const dnn_view c = dnn_view_of(c_of, NULL);
    *bytes = has_indices(d) ? (size_t)dnn_count(&c, 0, c.dims) * sizeof(uint32_t) : 0;
    return CUDNN_STATUS_SUCCESS;
}
Status cudnnGetReductionWorkspaceSize(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t d,
                                      const cudnnTensorDescriptor_t a_of, const cudnnTensorDescriptor_t c_of,
                                      size_t *bytes)
{
    const Status s = DNN_TENSORS(a_of, c_of);
    if (!handle || s || !d || !bytes)
        return s ? s : bad;
    *bytes = 0;
    return CUDNN_STATUS_SUCCESS;
}

Status cudnnReduceTensor(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t d, void *indices,
                         size_t indices_bytes, void *workspace, size_t workspace_bytes, const void *alpha,
                         const cudnnTensorDescriptor_t a_of, const void *a, const void *beta,
                         const cudnnTensorDescriptor_t c_of, void *c)
{
    (void)workspace, (void)workspace_bytes;
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    const Status s = DNN_TENSORS(a_of, c_of);
    if (s || !d || !alpha || !beta || !a || !c)
        return s ? s : bad;
    reduction r = {.op = *d, .alpha = dnn_factor(alpha, c_of->type), .beta = dnn_factor(beta, c_of->type)};
    if (!arrange(&r, a_of, a, c_of, c))
        return bad;
    if (has_indices(d)) {
        if (d->indices_type != CUDNN_32BIT_INDICES)
            return dnn_refuse(__func__, "indices of other than 32 bits");
        if (!indices || indices_bytes < (size_t)dnn_count(&r.a, 0, r.kept) * sizeof(uint32_t))
            return bad;
        r.indices = indices;
    }
    return run_reduction(handle, __func__, &r);
}

Status cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t dy_of,
                                    const void *dy, const void *beta, const cudnnTensorDescriptor_t db_of, void *db)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    const Status s = DNN_TENSORS(dy_of, db_of);
    if (s || !alpha || !beta || !dy || !db)
        return s ? s : bad;
    for (int i = 0; i < db_of->dims; i++)
        if (db_of->size[i] != (i == 1 ? dy_of->size[1] : 1))
            return bad;
    reduction r = {.op.op = CUDNN_REDUCE_TENSOR_ADD, .alpha = dnn_factor(alpha, db_of->type)};
    r.beta = dnn_factor(beta, db_of->type);
    return arrange(&r, dy_of, dy, db_of, db) ? run_reduction(handle, __func__, &r) : bad;
}

/* ---- softmax ---- */

/* Views of the same sizes, N, the kept places and then, from `kept` on, what is summed over: x, y or y, dy, dx. */
typedef struct softmax {
    dnn_work work;
    cudnnSoftmaxAlgorithm_t algo;
    dnn_view view[3];
    int kept;
    double alpha, beta;
} softmax;

static void softmax_slice(cudnnSoftmaxAlgorithm_t algo, int n, double *x, double *e)
{
    double largest = algo == CUDNN_SOFTMAX_FAST ? 0 : -INFINITY, sum = 0;
    for (int i = 0; i < n && algo != CUDNN_SOFTMAX_FAST; i++)
        largest = x[i] > largest || x[i] != x[i] ? x[i] : largest;
    for (int i = 0; i < n; i++)
        x[i] -= largest;
    dnn_exp(n, x, e);
    for (int i = 0; i < n; i++)
        sum += e[i];
    /* cppcheck-suppress invalidFunctionArg ; a slice has an element: the sum is not 0 */
    const double shift = log(sum);
    for (int i = 0; i < n; i++)
        x[i] = algo == CUDNN_SOFTMAX_LOG ? x[i] - shift : e[i] / sum;
}

static void softmax_forward(const void *arguments)
{
    const softmax *s = arguments;
    const int64_t n = dnn_count(&s->view[0], s->kept, s->view[0].dims);
    double *const x = dnn_buffer(2 * (size_t)n * sizeof *x);
    for (int64_t item = dnn_first(&s->work); item < dnn_last(&s->work); item++) {
        dnn_fetch_all(&s->view[1], s->kept, dnn_place(&s->view[1], 0, s->kept, item), x);
        softmax_slice(s->algo, (int)n, x, x + n);
        dnn_blend_all(&s->view[0], s->kept, dnn_place(&s->view[0], 0, s->kept, item), x, s->alpha, s->beta);
    }
    free(x);
}

/* dx = y (dy - sum of dy y); of logarithms dx = dy - e^y (sum of dy). */
static void softmax_backward(const void *arguments)
{
    const softmax *s = arguments;
    const bool logarithms = s->algo == CUDNN_SOFTMAX_LOG;
    const int64_t n = dnn_count(&s->view[0], s->kept, s->view[0].dims);
    double *const y = dnn_buffer(2 * (size_t)n * sizeof *y), *const dy = y + n;
    for (int64_t item = dnn_first(&s->work); item < dnn_last(&s->work); item++) {
        double sum = 0;
        dnn_fetch_all(&s->view[1], s->kept, dnn_place(&s->view[1], 0, s->kept, item), y);
        dnn_fetch_all(&s->view[2], s->kept, dnn_place(&s->view[2], 0, s->kept, item), dy);
        if (logarithms)
            dnn_exp((int)n, y, y);
        for (int64_t i = 0; i < n; i++)
            sum += logarithms ? dy[i] : dy[i] * y[i];
        for (int64_t i = 0; i < n; i++)
            dy[i] = logarithms ? dy[i] - y[i] * sum : y[i] * (dy[i] - sum);
        dnn_blend_all(&s->view[0], s->kept, dnn_place(&s->view[0], 0, s->kept, item), dy, s->alpha, s->beta);
    }
    free(y);
}

/* Moves C behind the places, where the sums are over C alone. */
static Status run_softmax(cudnnHandle_t handle, const char *name, void (*body)(const void *), softmax *s, int views,
                          cudnnSoftmaxMode_t mode)
{
    s->kept = 1;
    if (mode == CUDNN_SOFTMAX_MODE_CHANNEL) {
        s->kept = s->view[0].dims - 1;
        for (int k = 0; k < views; k++) {
            dnn_view *const v = &s->view[k];
            const int size = v->size[1], stride = v->stride[1];
            for (int i = 1; i < s->kept; i++)
                v->size[i] = v->size[i + 1], v->stride[i] = v->stride[i + 1];
            v->size[s->kept] = size, v->stride[s->kept] = stride;
        }
    }
    dnn_join(s->view, views, s->kept);
    const int64_t each = dnn_count(&s->view[0], s->kept, s->view[0].dims);
    return dnn_run(handle, name, body, &s->work, sizeof *s, dnn_count(&s->view[0], 0, s->kept), 4 * (double)each);
}

static bool is_softmax(cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode)
{
    return (int)algo >= CUDNN_SOFTMAX_FAST && algo <= CUDNN_SOFTMAX_LOG &&
           (mode == CUDNN_SOFTMAX_MODE_INSTANCE || mode == CUDNN_SOFTMAX_MODE_CHANNEL);
}

Status cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode,
                           const void *alpha, const cudnnTensorDescriptor_t x_of, const void *x, const void *beta,
                           const cudnnTensorDescriptor_t y_of, void *y)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    const Status status = DNN_TENSORS(x_of, y_of);
    if (status || !alpha || !beta || !x || !y || !is_softmax(algo, mode) || !dnn_same_sizes(x_of, y_of))
        return status ? status : bad;
    softmax s = {.algo = algo, .view = {dnn_view_of(y_of, y), dnn_view_of(x_of, x)}};
    s.alpha = dnn_factor(alpha, y_of->type), s.beta = dnn_factor(beta, y_of->type);
    return run_softmax(handle, __func__, softmax_forward, &s, 2, mode);
}

Status cudnnSoftmaxBackward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode,
                            const void *alpha, const cudnnTensorDescriptor_t y_of, const void *y,
                            const cudnnTensorDescriptor_t dy_of, const void *dy, const void *beta,
                            const cudnnTensorDescriptor_t dx_of, void *dx)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    const Status status = DNN_TENSORS(y_of, dy_of, dx_of);
    if (status || !alpha || !beta || !y || !dy || !dx || !is_softmax(algo, mode) || !dnn_same_sizes(y_of, dx_of) ||
        !dnn_same_sizes(dy_of, dx_of))
        return status ? status : bad;
    softmax s = {.algo = algo, .view = {dnn_view_of(dx_of, dx), dnn_view_of(y_of, y), dnn_view_of(dy_of, dy)}};
    s.alpha = dnn_factor(alpha, dx_of->type), s.beta = dnn_factor(beta, dx_of->type);
    return run_softmax(handle, __func__, softmax_backward, &s, 3, mode);
}
