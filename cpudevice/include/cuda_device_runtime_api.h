/* cuda_device_runtime_api.h: what it declares comes with cuda_runtime.h. */
#include "cuda_runtime.h"
