/* cublas.h: the older interface of cuBLAS is not there; cublas_v2.h has some of the newer one. */
#error "the CPU device has no cublas.h (the interface before version 2); a few routines are in cublas_v2.h"
