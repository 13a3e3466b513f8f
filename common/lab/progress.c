#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

void progress(const char *what, long done, long total)
{
    static double last;
    if (!isatty(STDERR_FILENO))
        return;
    if (done >= total) {
        fputs("\r\033[K", stderr);
        last = 0;
        return;
    }
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    if (now - last < 0.1)
        return;
    last = now;
    fprintf(stderr, "\r\033[K    %s: %ld/%ld", what, done, total);
    fflush(stderr);
}
