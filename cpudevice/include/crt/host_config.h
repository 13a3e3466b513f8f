/* crt/host_config.h: see ../host_config.h */
#include "../host_config.h"
