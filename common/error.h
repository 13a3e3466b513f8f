/* error.h: what a program does when something fails: one line on stderr, then exit.
 * Status 1: a CUDA call failed or an answer was wrong. Status 2: the user's input was bad. */
#ifndef ERROR_H
#define ERROR_H

#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "PROGRAM: message" on stderr, exit status 2. */
void die_usage(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* "PROGRAM: message" on stderr, exit status 1. */
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* Reports a failed CUDA call with its place and ends the program with status 1. */
void cuda_check_failed(cudaError_t error, const char *call, const char *file, int line) __attribute__((noreturn));

/* After each launch: CUDA_CHECK(cudaGetLastError()); after each synchronize: CUDA_CHECK(cudaDeviceSynchronize()). A
 * rung's launcher may leave the first to the framework (see Lab's run() in lab.h). */
#define CUDA_CHECK(call)                                                                                               \
    do {                                                                                                               \
        cudaError_t error_ = (call);                                                                                   \
        if (error_ != cudaSuccess)                                                                                     \
            cuda_check_failed(error_, #call, __FILE__, __LINE__);                                                      \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
