/* cudaTypedefs.h for the CPU device: types of pointers to the driver's functions that cudaGetDriverEntryPoint() finds. */
#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include "cuda.h"

typedef __typeof__(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled_v12000;
typedef __typeof__(&cuTensorMapEncodeIm2col) PFN_cuTensorMapEncodeIm2col_v12000;
typedef __typeof__(&cuTensorMapReplaceAddress) PFN_cuTensorMapReplaceAddress_v12000;

#define PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000
#define PFN_cuTensorMapEncodeIm2col PFN_cuTensorMapEncodeIm2col_v12000
#define PFN_cuTensorMapReplaceAddress PFN_cuTensorMapReplaceAddress_v12000

#endif
