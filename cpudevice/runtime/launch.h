/* launch.h: kernels are launched, and found by their functions' addresses. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "cpudev_core.h"

cpudev_kernel *kernel_of_function(const void *function); /* NULL if it is no kernel's */

#endif
