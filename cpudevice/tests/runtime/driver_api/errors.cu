// The driver interface's error codes: numbers, names and words, against what NVIDIA's documentation of CUDA 13 says.
// BUILD: $cucc -O1 -o $exe $case -lcuda
// TEST: error codes have their numbers and names
// RUN: $exe
#include <cuda.h>

#include <cstdio>
#include <cstring>

static int failures;

static void named(CUresult error, int number, const char *name)
{
    const char *said = "", *words = "";
    const CUresult known = cuGetErrorName(error, &said), meant = cuGetErrorString(error, &words);
    if (error != number || known != CUDA_SUCCESS || strcmp(said, name) != 0 || meant != CUDA_SUCCESS || !words || !*words) {
        printf("%s: %d and \"%s\", expected %d\n", name, (int)error, said ? said : "(null)", number);
        failures++;
    }
}

int main()
{
#define NAMED(error, number) named(error, number, #error)
    NAMED(CUDA_SUCCESS, 0);
    NAMED(CUDA_ERROR_INVALID_VALUE, 1);
    NAMED(CUDA_ERROR_NOT_INITIALIZED, 3);
    NAMED(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225);
    NAMED(CUDA_ERROR_INVALID_HANDLE, 400);
    NAMED(CUDA_ERROR_NOT_FOUND, 500);
    NAMED(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810);
    NAMED(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908);
    NAMED(CUDA_ERROR_TIMEOUT, 909);
    NAMED(CUDA_ERROR_KEY_ROTATION, 916);
    NAMED(CUDA_ERROR_UNKNOWN, 999);
    const char *said = "not touched", *words = said;
    if (cuGetErrorName((CUresult)12345, &said) != CUDA_ERROR_INVALID_VALUE || said ||
        cuGetErrorString((CUresult)12345, &words) != CUDA_ERROR_INVALID_VALUE || words) {
        printf("12345 is no error, but has a name\n");
        failures++;
    }
    return failures != 0;
}
