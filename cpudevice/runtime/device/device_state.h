/* device_state.h: the state of the one device: the error that it has failed with, its size, its limits. */
#ifndef DEVICE_STATE_H
#define DEVICE_STATE_H

#include <stdbool.h>

#include "driver_types.h"

/* The error of a kernel that failed.  Every call that uses the device returns it from then on, until a reset. */
cudaError_t sticky_error(void);
void set_sticky(cudaError_t e); /* the first one stays */
void clear_sticky(void);

int processor_count(void);      /* cores used */
int multiprocessor_count(void); /* of the device: so many, or one more, since programs halve it for clusters of two */
void set_processor_count(int count);
void set_multiprocessor_count(int count); /* whatever the cores are: CUDA_CPU_MULTIPROCESSORS */

/* May a kernel use the host's own memory, as on a device with pageable access? As CUDA_CPU_PAGEABLE says; without it
 * `unsaid`. */
bool pageable_access(bool unsaid);

extern _Atomic size_t device_limits[8]; /* by cudaLimit */

#endif
