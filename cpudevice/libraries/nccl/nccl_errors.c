/* nccl_errors.c: NCCL's errors: the text of a thread's last one, and the first of its group. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl/nccl_comm.h"

static __thread char last_error[512];
static __thread ncclResult_t first_error;

static bool warns(void)
{
    const char *level = getenv("NCCL_DEBUG");
    return level && (!strcmp(level, "WARN") || !strcmp(level, "INFO") || !strcmp(level, "TRACE"));
}

ncclResult_t nccl_fail(ncclResult_t error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    if (warns())
        fprintf(stderr, "CPU device: NCCL WARN %s\n", last_error);
    if (!first_error)
        first_error = error;
    return error;
}

ncclResult_t nccl_first_error(bool forget)
{
    if (forget)
        first_error = ncclSuccess;
    return first_error;
}

ncclResult_t nccl_failed_call(cudaError_t error)
{
    cudaGetLastError();
    return nccl_fail(ncclUnhandledCudaError, "Cuda failure '%s'", cudaGetErrorString(error));
}

const char *ncclGetLastError(ncclComm_t comm)
{
    (void)comm;
    return last_error;
}
