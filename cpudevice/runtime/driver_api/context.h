/* context.h: what the rest of the driver interface asks of contexts. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include <stdbool.h>

#include "cuda.h"

bool context_is_valid(CUcontext context); /* one, and not destroyed */
CUcontext context_primary(int device);

#endif
