/* cuda_runtime.h for the CPU device: the runtime API, the vector types and, in C++, everything that device code uses.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus
#ifdef __CUDACC__
#include "cpudev_device.h"
#include "cpudev_math.h"
#include "cpudev_nv_atomic.h"
#include "cpudev_texture.h"
#endif
#include "cpudev_templates.h"
#endif

#endif
