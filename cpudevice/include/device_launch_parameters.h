/* device_launch_parameters.h: threadIdx and its like; they come with cuda_runtime.h. */
#include "cuda_runtime.h"
