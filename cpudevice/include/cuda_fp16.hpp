/* cuda_fp16.hpp: what it declares comes with cuda_fp16.h. */
#include "cuda_fp16.h"
