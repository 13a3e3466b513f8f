/* last_error.h: the error state: what the last call that failed said. */
#ifndef LAST_ERROR_H
#define LAST_ERROR_H

#include "driver_types.h"

cudaError_t record_error(cudaError_t e); /* as cudaGetLastError will return it; returns e */
extern int cpudev_errors_expected;       /* as cpudev_expect_errors() has said; for the checker */

#endif
