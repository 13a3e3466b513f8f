/* cudnn_descriptors.c: what cuDNN's descriptors are set to and tell: see cudnn.h. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dnn/dnn.h"

typedef cudnnStatus_t Status;
static const Status ok = CUDNN_STATUS_SUCCESS, bad = CUDNN_STATUS_BAD_PARAM;

/* Create and Destroy of each kind. */
#define DESCRIPTOR(Kind)                                                                                               \
    Status cudnnCreate##Kind##Descriptor(cudnn##Kind##Descriptor_t *d)                                                 \
    {                                                                                                                  \
        if (!d)                                                                                                        \
            return bad;                                                                                                \
        *d = calloc(1, sizeof **d);                                                                                    \
        return *d ? ok : CUDNN_STATUS_ALLOC_FAILED;                                                                    \
    }                                                                                                                  \
    Status cudnnDestroy##Kind##Descriptor(cudnn##Kind##Descriptor_t d)                                                 \
    {                                                                                                                  \
        free(d);                                                                                                       \
        return ok;                                                                                                     \
    }
DESCRIPTOR(Tensor)
DESCRIPTOR(Filter)
DESCRIPTOR(Activation)
DESCRIPTOR(Pooling)
DESCRIPTOR(OpTensor)
DESCRIPTOR(ReduceTensor)
DESCRIPTOR(Convolution)
DESCRIPTOR(Dropout)

static void give(int *to, int value)
{
    if (to)
        *to = value;
}
static bool is_nan_option(cudnnNanPropagation_t nan)
{
    return nan == CUDNN_PROPAGATE_NAN || nan == CUDNN_NOT_PROPAGATE_NAN;
}
static bool all_at_least(int least, int count, const int *x)
{
    for (int i = 0; i < count; i++)
        if (x[i] < least)
            return false;
    return true;
}

/* ---- tensors ---- */

void dnn_dense_strides(cudnnTensorFormat_t format, int dims, const int *size, int *stride)
{
    int next = 1;
    if (format == CUDNN_TENSOR_NHWC)
        stride[1] = next, next *= size[1];
    for (int i = dims - 1; i >= 0; i--)
        if (i != 1 || format != CUDNN_TENSOR_NHWC)
            stride[i] = next, next *= size[i];
}

bool dnn_same_sizes(const struct cudnnTensorStruct *a, const struct cudnnTensorStruct *b)
{
    return a->dims == b->dims && !memcmp(a->size, b->size, sizeof(int) * (size_t)a->dims);
}

/* Sizes that are there; cuDNN's tensors have fewer than 2^31 elements. */
static Status check_sizes(int dims, const int *size)
{
    if (!size || dims < 3 || dims > CUDNN_DIM_MAX || !all_at_least(1, dims, size))
        return bad;
    int64_t n = 1;
    for (int i = 0; i < dims; i++)
        if ((n *= size[i]) > INT_MAX)
            return CUDNN_STATUS_NOT_SUPPORTED;
    return ok;
}
static bool is_type(cudnnDataType_t type) { return (int)type >= CUDNN_DATA_FLOAT && (int)type <= CUDNN_DATA_FP8_E5M2; }

/* A format that is here. */
static Status check_format(const char *function, cudnnTensorFormat_t format)
{
    if (format == CUDNN_TENSOR_NCHW_VECT_C)
        return dnn_refuse(function, "CUDNN_TENSOR_NCHW_VECT_C");
    return format == CUDNN_TENSOR_NCHW || format == CUDNN_TENSOR_NHWC ? ok : bad;
}

Status cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t d, cudnnDataType_t type, int dims, const int size[],
                                  const int stride[])
{
    const Status s = check_sizes(dims, size);
    if (s || !d || !stride || !is_type(type) || !all_at_least(1, dims, stride))
        return s ? s : bad;
    d->type = type, d->dims = dims;
    memcpy(d->size, size, sizeof(int) * (size_t)dims);
    memcpy(d->stride, stride, sizeof(int) * (size_t)dims);
    return ok;
}

Status cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t d, cudnnTensorFormat_t format, cudnnDataType_t type,
                                    int dims, const int size[])
{
    int stride[CUDNN_DIM_MAX];
    Status s = check_sizes(dims, size);
    s = s ? s : check_format(__func__, format);
    if (s)
        return s;
    dnn_dense_strides(format, dims, size, stride);
    return cudnnSetTensorNdDescriptor(d, type, dims, size, stride);
}

Status cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t d, cudnnTensorFormat_t format, cudnnDataType_t type, int n,
                                  int c, int h, int w)
{
    const int size[4] = {n, c, h, w};
    return cudnnSetTensorNdDescriptorEx(d, format, type, 4, size);
}

Status cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t d, cudnnDataType_t type, int n, int c, int h, int w,
                                    int n_stride, int c_stride, int h_stride, int w_stride)
{
    const int size[4] = {n, c, h, w}, stride[4] = {n_stride, c_stride, h_stride, w_stride};
    return cudnnSetTensorNdDescriptor(d, type, 4, size, stride);
}

Status cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t d, cudnnDataType_t *type, int *n, int *c, int *h,
                                  int *w, int *n_stride, int *c_stride, int *h_stride, int *w_stride)
{
    if (!d || d->dims != 4)
        return bad;
    if (type)
        *type = d->type;
    give(n, d->size[0]), give(c, d->size[1]), give(h, d->size[2]), give(w, d->size[3]);
    give(n_stride, d->stride[0]), give(c_stride, d->stride[1]);
    give(h_stride, d->stride[2]), give(w_stride, d->stride[3]);
    return ok;
}

Status cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t d, int wanted, cudnnDataType_t *type, int *dims,
                                  int size[], int stride[])
{
    if (!d || !d->dims || wanted < 0)
        return bad;
    if (type)
        *type = d->type;
    give(dims, d->dims);
    for (int i = 0; i < d->dims && i < wanted; i++) {
        if (size)
            size[i] = d->size[i];
        if (stride)
            stride[i] = d->stride[i];
    }
    return ok;
}

Status cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t d, size_t *bytes)
{
    if (!d || !d->dims || !bytes)
        return bad;
    size_t last = 0;
    for (int i = 0; i < d->dims; i++)
        last += (size_t)(d->size[i] - 1) * (size_t)d->stride[i];
    *bytes = (last + 1) * dnn_bytes_of(d->type);
    return ok;
}

/* ---- filters ---- */

Status cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t d, cudnnDataType_t type, cudnnTensorFormat_t format, int dims,
                                  const int size[])
{
    Status s = check_sizes(dims, size);
    s = s ? s : check_format(__func__, format);
    if (s || !d || !is_type(type))
        return s ? s : bad;
    d->type = type, d->format = format, d->dims = dims;
    memcpy(d->size, size, sizeof(int) * (size_t)dims);
    return ok;
}
Status cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t d, cudnnDataType_t type, cudnnTensorFormat_t format, int k,
                                  int c, int h, int w)
{
    const int size[4] = {k, c, h, w};
    return cudnnSetFilterNdDescriptor(d, type, format, 4, size);
}
Status cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t d, int wanted, cudnnDataType_t *type,
                                  cudnnTensorFormat_t *format, int *dims, int size[])
{
    if (!d || !d->dims || wanted < 0)
        return bad;
    if (type)
        *type = d->type;
    if (format)
        *format = d->format;
    give(dims, d->dims);
    for (int i = 0; size && i < d->dims && i < wanted; i++)
        size[i] = d->size[i];
    return ok;
}
Status cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t d, cudnnDataType_t *type, cudnnTensorFormat_t *format,
                                  int *k, int *c, int *h, int *w)
{
    int size[4];
    if (!d || d->dims != 4)
        return bad;
    cudnnGetFilterNdDescriptor(d, 4, type, format, NULL, size);
    give(k, size[0]), give(c, size[1]), give(h, size[2]), give(w, size[3]);
    return ok;
}
Status cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t d, size_t *bytes)
{
    if (!d || !d->dims || !bytes)
        return bad;
    *bytes = dnn_bytes_of(d->type);
    for (int i = 0; i < d->dims; i++)
        *bytes *= (size_t)d->size[i];
    return ok;
}

/* ---- activations, operations, reductions ---- */

Status cudnnSetActivationDescriptor(cudnnActivationDescriptor_t d, cudnnActivationMode_t mode,
                                    cudnnNanPropagation_t nan, double coef)
{
    if (!d || (int)mode < CUDNN_ACTIVATION_SIGMOID || mode > CUDNN_ACTIVATION_SWISH || !is_nan_option(nan))
        return bad;
    *d = (struct cudnnActivationStruct){mode, nan, coef, 1};
    return ok;
}
Status cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t d, cudnnActivationMode_t *mode,
                                    cudnnNanPropagation_t *nan, double *coef)
{
    if (!d || !mode || !nan || !coef)
        return bad;
    *mode = d->mode, *nan = d->nan, *coef = d->coef;
    return ok;
}
Status cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t d, double beta)
{
    return d ? d->swish_beta = beta, ok : bad;
}
Status cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t d, double *beta)
{
    return d && beta ? *beta = d->swish_beta, ok : bad;
}

Status cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t d, cudnnOpTensorOp_t op, cudnnDataType_t compute,
                                  cudnnNanPropagation_t nan)
{
    if (!d || (int)op < CUDNN_OP_TENSOR_ADD || op > CUDNN_OP_TENSOR_NOT || !is_nan_option(nan))
        return bad;
    *d = (struct cudnnOpTensorStruct){op, compute, nan};
    return ok;
}
Status cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t d, cudnnOpTensorOp_t *op, cudnnDataType_t *compute,
                                  cudnnNanPropagation_t *nan)
{
    if (!d || !op || !compute || !nan)
        return bad;
    *op = d->op, *compute = d->compute, *nan = d->nan;
    return ok;
}

Status cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t d, cudnnReduceTensorOp_t op,
                                      cudnnDataType_t compute, cudnnNanPropagation_t nan,
                                      cudnnReduceTensorIndices_t indices, cudnnIndicesType_t indices_type)
{
    if (!d || (int)op < CUDNN_REDUCE_TENSOR_ADD || op > CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS || !is_nan_option(nan))
        return bad;
    *d = (struct cudnnReduceTensorStruct){op, compute, nan, indices, indices_type};
    return ok;
}
Status cudnnGetReduceTensorDescriptor(const cudnnReduceTensorDescriptor_t d, cudnnReduceTensorOp_t *op,
                                      cudnnDataType_t *compute, cudnnNanPropagation_t *nan,
                                      cudnnReduceTensorIndices_t *indices, cudnnIndicesType_t *indices_type)
{
    if (!d || !op || !compute || !nan || !indices || !indices_type)
        return bad;
    *op = d->op, *compute = d->compute, *nan = d->nan, *indices = d->indices, *indices_type = d->indices_type;
    return ok;
}
