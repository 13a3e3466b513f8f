/* curand_philox4x32_x.h: what it declares comes with curand_kernel.h. */
#include "curand_kernel.h"
