/* dnn_convolution.h: a convolution of cuDNN's as its kernel takes it. */
#ifndef DNN_CONVOLUTION_H
#define DNN_CONVOLUTION_H

#include "dnn/dnn.h"

enum { DNN_SPATIAL = 3 };
typedef enum { DNN_FORWARD, DNN_BY_DATA, DNN_BY_FILTER } dnn_direction;

/* All tensors have N (K), C and three spatial dimensions. The result is y, x or w, by the direction. */
typedef struct dnn_convolution {
    dnn_work work;
    dnn_direction direction;
    dnn_view x, w, y;
    int groups, pad[DNN_SPATIAL], stride[DNN_SPATIAL], dilation[DNN_SPATIAL];
    bool turned; /* a convolution, whose filter is turned around; else a cross-correlation */
    double alpha, beta;
    bool fused; /* forward: y = activation(alpha conv + beta z + bias) */
    dnn_view z;
    const void *bias; /* K elements, of y's type, bias_step elements apart */
    cudnnDataType_t bias_type;
    int64_t bias_step;
    struct cudnnActivationStruct activation;
} dnn_convolution;

cudnnStatus_t dnn_convolve(cudnnHandle_t handle, const char *name, dnn_convolution *c);

#endif
