/* nvToolsExt.h: the older place of NVTX. */
#include <nvtx3/nvToolsExt.h>
