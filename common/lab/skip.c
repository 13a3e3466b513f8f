#include "skip.h"

#include <stdarg.h>
#include <stdio.h>

static char reason[256];

void lab_skip(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
}

int lab_skipped(char *why, size_t bytes)
{
    if (!reason[0])
        return 0;
    snprintf(why, bytes, "%s", reason);
    reason[0] = 0;
    return 1;
}
