/* cuda_bf16.hpp: what it declares comes with cuda_bf16.h. */
#include "cuda_bf16.h"
