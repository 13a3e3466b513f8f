/* driver_entry.c: the driver's functions that a program asks of the runtime by name. */
#define _GNU_SOURCE
#include <string.h>

#include "device/call.h"
#include "cuda.h"

static const struct {
    const char *name;
    unsigned since; /* the CUDA version that brought it */
    void *function;
} functions[] = {
    {"cuTensorMapEncodeTiled", 12000, (void *)cuTensorMapEncodeTiled},
    {"cuTensorMapEncodeIm2col", 12000, (void *)cuTensorMapEncodeIm2col},
    {"cuTensorMapReplaceAddress", 12000, (void *)cuTensorMapReplaceAddress},
};

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int version,
                                             unsigned long long flags, enum cudaDriverEntryPointQueryResult *status)
{
    API;
    RESULT_AT(function);
    RESULT_AT(status);
    if (!symbol || !function || flags > cudaEnablePerThreadDefaultStream)
        RETURN(cudaErrorInvalidValue);
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    *function = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(symbol, functions[i].name)) {
            found =
                version < functions[i].since ? cudaDriverEntryPointVersionNotSufficent : cudaDriverEntryPointSuccess;
            *function = found == cudaDriverEntryPointSuccess ? functions[i].function : NULL;
        }
    if (status)
        *status = found;
    RETURN(found == cudaDriverEntryPointSuccess || status ? cudaSuccess : cudaErrorSymbolNotFound);
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status)
{
    API;
    RESULT_AT(function);
    RESULT_AT(status);
    return call_.status = cudaGetDriverEntryPointByVersion(symbol, function, CUDA_VERSION, flags, status);
}
