/* missing.c: functions of the runtime that the CPU device does not have (include/cpudev_missing.inc). Each fails with
 * cudaErrorNotSupported, as any call fails, and says its name on stderr at its first call. */
#include "device/missing.h"
#include "cuda_runtime_api.h"
#include "device/call.h"
#include "device/message.h"

cudaError_t missing_call(const char *name, const char *error, atomic_flag *said)
{
    if (!atomic_flag_test_and_set(said))
        message("%s is not supported (%s)", name, error);
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
        RETURN(missing_call(#name, "cudaErrorNotSupported", &said));                                                   \
    }
#include "cpudev_missing.inc"
