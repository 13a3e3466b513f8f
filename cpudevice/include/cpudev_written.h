/* cpudev_written.h: is all that was written on the disk? For the CPU device and the course's programs. */
#ifndef CPUDEV_WRITTEN_H
#define CPUDEV_WRITTEN_H

#include <errno.h>
#include <stdio.h>

/* Closes a stream that was written to. 0, or -1: not all of it is in the file, and errno says why. A stream keeps that a
 * write has failed and not why, so one that has is written to once more, as the disk is still as full. */
static inline int written_close(FILE *f)
{
    int why = 0;
    if (ferror(f)) {
        clearerr(f);
        errno = 0;
        why = fputc('\n', f) == EOF || fflush(f) ? errno : 0;
        why = why ? why : EIO;
    }
    if (fclose(f) && !why)
        why = errno;
    errno = why;
    return why ? -1 : 0;
}

#endif
