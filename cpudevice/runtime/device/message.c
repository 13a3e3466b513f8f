/* message.c: what the CPU device says to the user. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#include "device/message.h"

void message(const char *format, ...)
{
    va_list ap;
    char text[2048];
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    fflush(stdout);
    fprintf(stderr, "CPU device: %s\n", text);
}
