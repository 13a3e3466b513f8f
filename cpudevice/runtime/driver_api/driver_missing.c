/* driver_missing.c: functions of the driver interface that the CPU device does not have
 * (include/cpudev_driver_missing.inc). Each fails with CUDA_ERROR_NOT_SUPPORTED and says its name on stderr at its
 * first call. */
#include "device/missing.h"
#include "driver_api/module.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define CPUDEV_MISSING(name, parameters)                                                                               \
    CUresult name parameters                                                                                           \
    {                                                                                                                  \
        static atomic_flag said = ATOMIC_FLAG_INIT;                                                                    \
        DRIVER;                                                                                                        \
        RESULT(missing_call(#name, "CUDA_ERROR_NOT_SUPPORTED", &said));                                                \
    }
#include "cpudev_driver_missing.inc"
