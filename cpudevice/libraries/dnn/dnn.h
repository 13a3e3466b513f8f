/* dnn.h: cuDNN's handles and descriptors, and how its kernels walk over tensors: elements are fetched into rows of
 * double, computed with, and stored. Each access is reported to the checker. */
#ifndef DNN_H
#define DNN_H

#include <stdbool.h>
#include <stdint.h>

#include "cudnn.h"
#include "library.h"

struct cudnnContext {
    cudaStream_t stream;
};
struct cudnnTensorStruct {
    cudnnDataType_t type;
    int dims, size[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX]; /* dims is 0: never set */
};
struct cudnnFilterStruct {
    cudnnDataType_t type;
    cudnnTensorFormat_t format;
    int dims, size[CUDNN_DIM_MAX];
};
struct cudnnActivationStruct {
    cudnnActivationMode_t mode;
    cudnnNanPropagation_t nan;
    double coef, swish_beta;
};
struct cudnnPoolingStruct {
    cudnnPoolingMode_t mode;
    cudnnNanPropagation_t nan;
    int dims, window[CUDNN_DIM_MAX], pad[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX];
};
struct cudnnOpTensorStruct {
    cudnnOpTensorOp_t op;
    cudnnDataType_t compute;
    cudnnNanPropagation_t nan;
};
struct cudnnReduceTensorStruct {
    cudnnReduceTensorOp_t op;
    cudnnDataType_t compute;
    cudnnNanPropagation_t nan;
    cudnnReduceTensorIndices_t indices;
    cudnnIndicesType_t indices_type;
};
struct cudnnConvolutionStruct {
    int dims, pad[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX], dilation[CUDNN_DIM_MAX];
    cudnnConvolutionMode_t mode;
    cudnnDataType_t compute;
    int groups;
    cudnnMathType_t math;
    cudnnReorderType_t order;
};
struct cudnnDropoutStruct {
    float dropout;
    void *states;
    unsigned long long seed;
};

/* ---- errors ---- */

/* Tells on stderr that the CPU device has not `what`: CUDNN_STATUS_NOT_SUPPORTED. */
cudnnStatus_t dnn_refuse(const char *function, const char *what);
/* Success, or what is wrong with the first of `count` tensors that has not been set or is of a type that is not
 * here. */
cudnnStatus_t dnn_tensors(const char *function, int count, const struct cudnnTensorStruct *const *d);
#define DNN_TENSORS(...)                                                                                               \
    dnn_tensors(__func__,                                                                                              \
                (int)(sizeof((const struct cudnnTensorStruct *[]){__VA_ARGS__}) / sizeof(struct cudnnTensorStruct *)), \
                (const struct cudnnTensorStruct *[]){__VA_ARGS__})
bool dnn_has_type(cudnnDataType_t type);
size_t dnn_bytes_of(cudnnDataType_t type); /* of an element */
bool dnn_same_sizes(const struct cudnnTensorStruct *a, const struct cudnnTensorStruct *b);
/* The strides of a tensor without gaps. */
void dnn_dense_strides(cudnnTensorFormat_t format, int dims, const int *size, int *stride);
/* alpha or beta: double for tensors of double, else float. */
double dnn_factor(const void *p, cudnnDataType_t type);
double dnn_number(const void *p, cudnnDataType_t type); /* a number on the host */

/* ---- tensors in kernels ---- */

enum { DNN_ROW = 256 }; /* elements that are computed with at a time */

typedef struct dnn_view {
    void *p;
    cudnnDataType_t type;
    int dims, size[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX];
} dnn_view;

dnn_view dnn_view_of(const struct cudnnTensorStruct *d, const void *p);
/* The same with dimensions of one element behind N and C, so that there are three behind them. */
dnn_view dnn_view_of_five(const struct cudnnTensorStruct *d, const void *p);
/* Makes v of the other's sizes: where it has 1 element, that one is every element (a stride of 0). False: it does
 * not fit. */
bool dnn_spread(dnn_view *v, const struct cudnnTensorStruct *over);
/* Views of the same sizes: orders their dimensions `from` ... by the first's strides, the smallest last, and joins
 * those that follow on each other in all. At least one dimension is left behind `from`. */
void dnn_join(dnn_view *v, int count, int from);
/* The same, in the order that the dimensions have. */
void dnn_join_in_order(dnn_view *v, int count, int from);

/* Rows of n elements, from element `at` on, `step` elements apart. */
void dnn_fetch(const dnn_view *v, int64_t at, int64_t step, int n, double *to);
void dnn_store(const dnn_view *v, int64_t at, int64_t step, int n, const double *from);
/* Stores alpha from + beta (what is there); changes `from`. */
void dnn_blend(const dnn_view *v, int64_t at, int64_t step, int n, double *from, double alpha, double beta);

int64_t dnn_count(const dnn_view *v, int from, int to); /* elements in the dimensions from ... to - 1 */
/* Where the i-th element lies of those in the dimensions from ... to - 1, the last of which runs fastest. */
int64_t dnn_place(const dnn_view *v, int from, int to, int64_t i);
/* All elements of the dimensions `from` ... of v that begin at element `at`, in their order. */
void dnn_fetch_all(const dnn_view *v, int from, int64_t at, double *to);
void dnn_blend_all(const dnn_view *v, int from, int64_t at, double *values, double alpha, double beta);

/* ---- kernels ---- */

/* A kernel's work: `items`, of which each block does `each`. Every body's arguments begin with this. */
typedef struct dnn_work {
    int64_t items, each;
} dnn_work;
/* Puts a body on the handle's stream that does `items` pieces of `cost` element operations each. */
cudnnStatus_t dnn_run(cudnnHandle_t handle, const char *name, void (*body)(const void *), dnn_work *arguments,
                      size_t bytes, int64_t items, double cost);
/* For bodies: their own items are first ... last - 1. */
int64_t dnn_first(const dnn_work *w);
int64_t dnn_last(const dnn_work *w);
void *dnn_buffer(size_t bytes); /* memory, or the process ends with a line */

/* y = activation(x), in place. */
void dnn_activate(const struct cudnnActivationStruct *a, int n, double *x);
/* to = e^x; x may be `to`. Vectorised: errors of about 1e-15 of the result; below -708 it is 0. */
void dnn_exp(int n, const double *x, double *to);

#endif
