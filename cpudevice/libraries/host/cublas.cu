/* cublas.cu: cuBLAS, cuBLASLt and cuBLAS-XT for C and host C++, which have no kernels of their own: what the headers give a
 * kernel's file, with C's names. */
#define CPUDEV_BLAS extern "C"
#define CPUDEV_BLAS_LIBRARY
#include <cublasLt.h>
#include <cublasXt.h>
