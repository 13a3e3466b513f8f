/* code.h: what the compiler sees of a file: neither comments nor how it is laid out. */
#ifndef CODE_H
#define CODE_H

#include "support.h"

/* The hash of a file's C or CUDA code, continued from `hash`: without comments, and with one blank for any white space, or
 * with `lines` one line's end where there is one. */
uint64_t hash_code(uint64_t hash, const char *path, int lines);

#endif
