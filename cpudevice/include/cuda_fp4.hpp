/* cuda_fp4.hpp: what it declares comes with cuda_fp4.h. */
#include "cuda_fp4.h"
