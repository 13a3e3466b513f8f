/* missing.c: functions of the runtime that the CPU device does not have (include/cpudev_missing.inc). Each fails with
 * cudaErrorNotSupported, as any call fails, and says its name on stderr at its first call. */
#include <stdatomic.h>

#include "cuda_runtime_api.h"
#include "device/call.h"
#include "device/message.h"

static cudaError_t missing(const char *name, atomic_flag *said)
{
    if (!atomic_flag_test_and_set(said))
        message("%s is not supported (cudaErrorNotSupported)", name);
    return cudaErrorNotSupported;
}

#pragma GCC diagnostic ignored "-Wunused-parameter"
#undef CPUDEV_DEFAULT /* declared with it already */
#define CPUDEV_DEFAULT(value)
#define CPUDEV_MISSING(name, parameters)                                                                               \
    cudaError_t name parameters                                                                                        \
    {                                                                                                                  \
        static atomic_flag said = ATOMIC_FLAG_INIT;                                                                    \
        API;                                                                                                           \
        RETURN(missing(#name, &said));                                                                                 \
    }
#include "cpudev_missing.inc"
