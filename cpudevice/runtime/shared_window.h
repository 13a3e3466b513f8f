/* shared_window.h: where an address lies in a block's shared memory, in words. */
#ifndef SHARED_WINDOW_H
#define SHARED_WINDOW_H

#include <stddef.h>

void shared_place(const void *p, char *text, size_t size); /* "shared+64"; of __shared__ variables "static shared+64" */

#endif
