/* cudnn_cnn.h: cuDNN's convolutions. Comes with cudnn.h, which says what holds for all of cuDNN. C-clean.
 *
 * x is N x C x (D x) H x W, the filter K x C / groups x ..., y N x K x ... with (in + 2 pad - dilation (size - 1) -
 * 1) / stride + 1 elements in each of one to three dimensions. Every algorithm computes the same, by one loop of our
 * own that wants no workspace, for every shape; DIRECT, and by the filter WINOGRAD, are CUDNN_STATUS_NOT_SUPPORTED,
 * as in cuDNN. Reported times are estimates: Find... runs nothing. Types: float, double, half and bfloat16, of
 * all tensors the same. */
#ifndef CUDNN_CNN_H_
#define CUDNN_CNN_H_

#include "cudnn_ops.h"

typedef enum { CUDNN_CONVOLUTION = 0, CUDNN_CROSS_CORRELATION = 1 } cudnnConvolutionMode_t;
typedef enum { CUDNN_DEFAULT_REORDER = 0, CUDNN_NO_REORDER = 1 } cudnnReorderType_t;
typedef enum {
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM = 0,
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM = 1,
    CUDNN_CONVOLUTION_FWD_ALGO_GEMM = 2,
    CUDNN_CONVOLUTION_FWD_ALGO_DIRECT = 3,
    CUDNN_CONVOLUTION_FWD_ALGO_FFT = 4,
    CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING = 5,
    CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD = 6,
    CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED = 7,
    CUDNN_CONVOLUTION_FWD_ALGO_COUNT = 8
} cudnnConvolutionFwdAlgo_t;
typedef enum {
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_0 = 0,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_1 = 1,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT = 2,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING = 3,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD = 4,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED = 5,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT = 6
} cudnnConvolutionBwdDataAlgo_t;
typedef enum {
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0 = 0,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1 = 1,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT = 2,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3 = 3,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD = 4,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED = 5,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING = 6,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT = 7
} cudnnConvolutionBwdFilterAlgo_t;

typedef struct cudnnConvolutionStruct *cudnnConvolutionDescriptor_t;

/* What a call returns of an algorithm: whether it exists, milliseconds, bytes of workspace. */
typedef struct cudnnConvolutionFwdAlgoPerfStruct {
    cudnnConvolutionFwdAlgo_t algo;
    cudnnStatus_t status;
    float time;
    size_t memory;
    cudnnDeterminism_t determinism;
    cudnnMathType_t mathType;
    int reserved[3];
} cudnnConvolutionFwdAlgoPerf_t;
typedef struct cudnnConvolutionBwdDataAlgoPerfStruct {
    cudnnConvolutionBwdDataAlgo_t algo;
    cudnnStatus_t status;
    float time;
    size_t memory;
    cudnnDeterminism_t determinism;
    cudnnMathType_t mathType;
    int reserved[3];
} cudnnConvolutionBwdDataAlgoPerf_t;
typedef struct cudnnConvolutionBwdFilterAlgoPerfStruct {
    cudnnConvolutionBwdFilterAlgo_t algo;
    cudnnStatus_t status;
    float time;
    size_t memory;
    cudnnDeterminism_t determinism;
    cudnnMathType_t mathType;
    int reserved[3];
} cudnnConvolutionBwdFilterAlgoPerf_t;

#ifdef __cplusplus
extern "C" {
#endif

cudnnStatus_t cudnnCnnVersionCheck(void);

/* 1 group, CUDNN_DEFAULT_MATH and CUDNN_DEFAULT_REORDER unless set; the math type and the order change nothing here. */
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *d);
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t d);
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t d, int pad_h, int pad_w, int stride_h,
                                              int stride_w, int dilation_h, int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute);
cudnnStatus_t cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t d, int *pad_h, int *pad_w,
                                              int *stride_h, int *stride_w, int *dilation_h, int *dilation_w,
                                              cudnnConvolutionMode_t *mode, cudnnDataType_t *compute);
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t d, int dims, const int pad[],
                                              const int stride[], const int dilation[], cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute);
cudnnStatus_t cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t d, int wanted, int *dims, int pad[],
                                              int stride[], int dilation[], cudnnConvolutionMode_t *mode,
                                              cudnnDataType_t *compute);
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t d, int groups);
cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t d, int *groups);
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t d, cudnnMathType_t math);
cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t d, cudnnMathType_t *math);
cudnnStatus_t cudnnSetConvolutionReorderType(cudnnConvolutionDescriptor_t d, cudnnReorderType_t order);
cudnnStatus_t cudnnGetConvolutionReorderType(cudnnConvolutionDescriptor_t d, cudnnReorderType_t *order);
cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t d,
                                                    const cudnnTensorDescriptor_t x_of,
                                                    const cudnnFilterDescriptor_t w_of, int *n, int *c, int *h, int *w);
cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t d,
                                                    const cudnnTensorDescriptor_t x_of,
                                                    const cudnnFilterDescriptor_t w_of, int dims, int size[]);

/* y = alpha conv(x, w) + beta y */
cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int *count);
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle, const cudnnTensorDescriptor_t x_of,
                                                     const cudnnFilterDescriptor_t w_of,
                                                     const cudnnConvolutionDescriptor_t d,
                                                     const cudnnTensorDescriptor_t y_of, const int wanted, int *found,
                                                     cudnnConvolutionFwdAlgoPerf_t *results);
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(cudnnHandle_t handle, const cudnnTensorDescriptor_t x_of,
                                                   const cudnnFilterDescriptor_t w_of,
                                                   const cudnnConvolutionDescriptor_t d,
                                                   const cudnnTensorDescriptor_t y_of, const int wanted, int *found,
                                                   cudnnConvolutionFwdAlgoPerf_t *results);
cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(cudnnHandle_t handle, const cudnnTensorDescriptor_t x_of,
                                                     const void *x, const cudnnFilterDescriptor_t w_of, const void *w,
                                                     const cudnnConvolutionDescriptor_t d,
                                                     const cudnnTensorDescriptor_t y_of, void *y, const int wanted,
                                                     int *found, cudnnConvolutionFwdAlgoPerf_t *results,
                                                     void *workspace, size_t workspace_bytes);
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t handle, const cudnnTensorDescriptor_t x_of,
                                                      const cudnnFilterDescriptor_t w_of,
                                                      const cudnnConvolutionDescriptor_t d,
                                                      const cudnnTensorDescriptor_t y_of,
                                                      cudnnConvolutionFwdAlgo_t algo, size_t *bytes);
cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t x_of,
                                      const void *x, const cudnnFilterDescriptor_t w_of, const void *w,
                                      const cudnnConvolutionDescriptor_t d, cudnnConvolutionFwdAlgo_t algo,
                                      void *workspace, size_t workspace_bytes, const void *beta,
                                      const cudnnTensorDescriptor_t y_of, void *y);
/* y = activation(alpha1 conv(x, w) + alpha2 z + bias), a bias of 1 x K x 1 x 1; RELU or IDENTITY, as cuDNN has it. */
cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1, const cudnnTensorDescriptor_t x_of, const void *x,
    const cudnnFilterDescriptor_t w_of, const void *w, const cudnnConvolutionDescriptor_t d,
    cudnnConvolutionFwdAlgo_t algo, void *workspace, size_t workspace_bytes, const void *alpha2,
    const cudnnTensorDescriptor_t z_of, const void *z, const cudnnTensorDescriptor_t bias_of, const void *bias,
    const cudnnActivationDescriptor_t activation, const cudnnTensorDescriptor_t y_of, void *y);

/* db = alpha (sum of dy over all but K) + beta db */
cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t dy_of,
                                           const void *dy, const void *beta, const cudnnTensorDescriptor_t db_of,
                                           void *db);

/* dx = alpha (gradient by x) + beta dx */
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t handle, int *count);
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t handle, const cudnnFilterDescriptor_t w_of,
                                                          const cudnnTensorDescriptor_t dy_of,
                                                          const cudnnConvolutionDescriptor_t d,
                                                          const cudnnTensorDescriptor_t dx_of, const int wanted,
                                                          int *found, cudnnConvolutionBwdDataAlgoPerf_t *results);
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithm(cudnnHandle_t handle, const cudnnFilterDescriptor_t w_of,
                                                        const cudnnTensorDescriptor_t dy_of,
                                                        const cudnnConvolutionDescriptor_t d,
                                                        const cudnnTensorDescriptor_t dx_of, const int wanted,
                                                        int *found, cudnnConvolutionBwdDataAlgoPerf_t *results);
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w_of, const void *w, const cudnnTensorDescriptor_t dy_of,
    const void *dy, const cudnnConvolutionDescriptor_t d, const cudnnTensorDescriptor_t dx_of, void *dx,
    const int wanted, int *found, cudnnConvolutionBwdDataAlgoPerf_t *results, void *workspace, size_t workspace_bytes);
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t handle, const cudnnFilterDescriptor_t w_of,
                                                           const cudnnTensorDescriptor_t dy_of,
                                                           const cudnnConvolutionDescriptor_t d,
                                                           const cudnnTensorDescriptor_t dx_of,
                                                           cudnnConvolutionBwdDataAlgo_t algo, size_t *bytes);
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t w_of,
                                           const void *w, const cudnnTensorDescriptor_t dy_of, const void *dy,
                                           const cudnnConvolutionDescriptor_t d, cudnnConvolutionBwdDataAlgo_t algo,
                                           void *workspace, size_t workspace_bytes, const void *beta,
                                           const cudnnTensorDescriptor_t dx_of, void *dx);

/* dw = alpha (gradient by w) + beta dw */
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t handle, int *count);
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t handle, const cudnnTensorDescriptor_t x_of,
                                                            const cudnnTensorDescriptor_t dy_of,
                                                            const cudnnConvolutionDescriptor_t d,
                                                            const cudnnFilterDescriptor_t dw_of, const int wanted,
                                                            int *found, cudnnConvolutionBwdFilterAlgoPerf_t *results);
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithm(cudnnHandle_t handle, const cudnnTensorDescriptor_t x_of,
                                                          const cudnnTensorDescriptor_t dy_of,
                                                          const cudnnConvolutionDescriptor_t d,
                                                          const cudnnFilterDescriptor_t dw_of, const int wanted,
                                                          int *found, cudnnConvolutionBwdFilterAlgoPerf_t *results);
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(cudnnHandle_t handle, const cudnnTensorDescriptor_t x_of,
                                                            const void *x, const cudnnTensorDescriptor_t dy_of,
                                                            const void *dy, const cudnnConvolutionDescriptor_t d,
                                                            const cudnnFilterDescriptor_t dw_of, void *dw,
                                                            const int wanted, int *found,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t *results,
                                                            void *workspace, size_t workspace_bytes);
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnnHandle_t handle, const cudnnTensorDescriptor_t x_of,
                                                             const cudnnTensorDescriptor_t dy_of,
                                                             const cudnnConvolutionDescriptor_t d,
                                                             const cudnnFilterDescriptor_t dw_of,
                                                             cudnnConvolutionBwdFilterAlgo_t algo, size_t *bytes);
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void *alpha,
                                             const cudnnTensorDescriptor_t x_of, const void *x,
                                             const cudnnTensorDescriptor_t dy_of, const void *dy,
                                             const cudnnConvolutionDescriptor_t d, cudnnConvolutionBwdFilterAlgo_t algo,
                                             void *workspace, size_t workspace_bytes, const void *beta,
                                             const cudnnFilterDescriptor_t dw_of, void *dw);

#ifdef __cplusplus
}
#endif
#endif
