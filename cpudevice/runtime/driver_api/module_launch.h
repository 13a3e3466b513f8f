/* module_launch.h: launches of a module's functions, for the driver interface's other launches. */
#ifndef MODULE_LAUNCH_H
#define MODULE_LAUNCH_H

#include <stdbool.h>

#include "cuda.h"

bool function_usable(CUfunction f); /* one, of a module that is loaded */
/* As cuLaunchKernel(); a cluster of no blocks is none. */
CUresult launch_function(CUfunction f, dim3 grid, dim3 block, unsigned shared, CUstream stream, void **parameters,
                         void **extra, bool cooperative, dim3 cluster);

#endif
