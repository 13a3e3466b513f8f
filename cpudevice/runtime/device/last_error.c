/* last_error.c: the error state, and the names of errors. */
#define _GNU_SOURCE
#include "device/last_error.h"
#include "cpudevice.h"
#include "cuda_runtime_api.h"
#include "launch/nested.h"
#include "observe/observers.h"

static __thread cudaError_t last_error;

/* Errors of a kernel that ran are kept by the device: every call that uses it returns them from then on (sticky_error),
 * and records them here. These two only tell and forget what was recorded, as on an H200. */
cudaError_t record_error(cudaError_t e)
{
    if (__builtin_expect(e != cudaSuccess, 0))
        *(cpudev_on_device() ? nested_error() : &last_error) = e;
    return e;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t *last = cpudev_on_device() ? nested_error() : &last_error, e = *last;
    *last = cudaSuccess;
    TELL(error_seen, (int)e);
    return e;
}

cudaError_t cudaPeekAtLastError(void)
{
    cudaError_t e = cpudev_on_device() ? *nested_error() : last_error;
    TELL(error_seen, (int)e);
    return e;
}

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
#define E(code, name, text) {code, #name, text},
#include "device/errors.inc"
#undef E
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == (int)error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == (int)error)
            return errors[i].text;
    return "unrecognized error code";
}

int cpudev_errors_expected;

void cpudev_expect_errors(int on) { cpudev_errors_expected = on; }
