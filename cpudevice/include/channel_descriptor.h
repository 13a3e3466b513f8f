/* channel_descriptor.h: what it declares comes with cuda_runtime.h. */
#include "cuda_runtime.h"
