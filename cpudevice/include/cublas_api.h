/* cublas_api.h: what it declares comes with cublas_v2.h. */
#include "cublas_v2.h"
