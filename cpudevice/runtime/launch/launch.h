/* launch.h: kernels are launched, and found by their functions' addresses. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>

#include "cpudev_abi.h"
#include "driver_types.h"

cpudev_kernel *kernel_of_function(const void *function); /* NULL if it is no kernel's */

/* A kernel's parameters: sizes and alignments in bytes, in their order. */
const cpudev_parameter *kernel_parameters(const void *function, size_t *count);

/* As cudaLaunchKernel; records nothing. */
cudaError_t launch_with_args(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream, bool cooperative, dim3 cluster);

#endif
