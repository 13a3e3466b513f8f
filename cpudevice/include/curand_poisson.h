/* curand_poisson.h: what it declares comes with curand_kernel.h. */
#include "curand_kernel.h"
