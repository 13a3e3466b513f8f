/* cuda_fp8.hpp: what it declares comes with cuda_fp8.h. */
#include "cuda_fp8.h"
