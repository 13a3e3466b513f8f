/* missing.h: what a call of a function that the CPU device does not have says, at the first such call, and returns. */
#ifndef MISSING_H
#define MISSING_H

#include <stdatomic.h>

#include "driver_types.h"

/* cudaErrorNotSupported, which has the number of CUDA_ERROR_NOT_SUPPORTED; the message calls it `error`. */
cudaError_t missing_call(const char *name, const char *error, atomic_flag *said);

#endif
