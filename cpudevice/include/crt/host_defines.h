/* crt/host_defines.h: see ../host_defines.h */
#include "../host_defines.h"
