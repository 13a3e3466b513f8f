// A convolution by cuDNN under --check, with one output too many, or of values that nothing has written.
// BUILD: $cucc --check -g -O1 -o $exe $case -lcudnn
// TEST: a convolution by cuDNN under --check: set
// RUN: $exe set
// TEST: a convolution by cuDNN under --check: unset
// RUN: $exe unset
// STATUS: 99
// MATCHES: ^initcheck: 
// SAYS: kernel cudnnConvolutionForward
// TEST: a convolution by cuDNN under --check: beyond
// RUN: $exe beyond
// STATUS: 99
// MATCHES: ^memcheck: 
// SAYS: kernel cudnnConvolutionForward
#include <cstring>
#include <cudnn.h>
int main(int, char **words)
{
    const bool unset = !strcmp(words[1], "unset");
    const int outputs = !strcmp(words[1], "beyond") ? 3 : 2;
    float *x, *w, *y, one = 1, zero = 0;
    cudnnHandle_t h;
    cudnnTensorDescriptor_t x_of, y_of;
    cudnnFilterDescriptor_t w_of;
    cudnnConvolutionDescriptor_t d;
    cudaMalloc(&x, 25 * sizeof *x), cudaMalloc(&w, 27 * sizeof *w), cudaMalloc(&y, 18 * sizeof *y);
    if (!unset)
        cudaMemset(x, 0, 25 * sizeof *x);
    cudaMemset(w, 0, 27 * sizeof *w);
    cudnnCreate(&h), cudnnCreateTensorDescriptor(&x_of), cudnnCreateTensorDescriptor(&y_of);
    cudnnCreateFilterDescriptor(&w_of), cudnnCreateConvolutionDescriptor(&d);
    cudnnSetTensor4dDescriptor(x_of, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 5, 5);
    cudnnSetTensor4dDescriptor(y_of, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, 1, outputs, 3, 3);
    cudnnSetFilter4dDescriptor(w_of, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, outputs, 1, 3, 3);
    cudnnSetConvolution2dDescriptor(d, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    if (cudnnConvolutionForward(h, &one, x_of, x, w_of, w, d, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, NULL, 0, &zero,
                                y_of, y))
        return 1;
    cudaFree(x), cudaFree(w), cudaFree(y);
    return cudnnDestroy(h);
}
