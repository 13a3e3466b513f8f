#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* program_invocation_short_name */
#endif
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void complain(const char *format, va_list args)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void die_usage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(format, args);
    va_end(args);
    exit(2);
}

void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(format, args);
    va_end(args);
    exit(1);
}

void cuda_check_failed(cudaError_t error, const char *call, const char *file, int line)
{
    die("%s:%d: %s: %s (%s)", file, line, call, cudaGetErrorString(error), cudaGetErrorName(error));
}
