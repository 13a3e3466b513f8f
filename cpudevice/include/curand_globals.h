/* curand_globals.h: what it declares comes with curand.h. */
#include "curand.h"
