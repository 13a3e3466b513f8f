/* curand_lognormal.h: what it declares comes with curand_kernel.h. */
#include "curand_kernel.h"
