/* process.h: the runtime starts at the first call that uses the device, and ends with the process. */
#ifndef PROCESS_H
#define PROCESS_H

#include "driver_types.h"

cudaError_t device_ready(void);    /* starts the runtime; the sticky error if there is one */
cudaError_t device_ok(int device); /* the same; cudaErrorInvalidDevice for a device that is not there */
void start_for_injection(void);    /* starts it where CUDA_CPU_INJECTION names a profiler */

#endif
