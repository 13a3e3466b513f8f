/* cuda_fp6.hpp: what it declares comes with cuda_fp6.h. */
#include "cuda_fp6.h"
