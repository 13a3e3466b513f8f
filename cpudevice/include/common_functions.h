/* common_functions.h: one of the names under which CUDA programs include device functions; all come with
 * cuda_runtime.h. */
#include "cuda_runtime.h"
