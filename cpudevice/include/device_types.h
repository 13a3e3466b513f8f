/* device_types.h: nothing of its own on the CPU device. */
#include "driver_types.h"
