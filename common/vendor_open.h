/* vendor_open.h: what vendor*.c share: how a library is found at run time, and which of its algorithms is taken. */
#ifndef VENDOR_OPEN_H
#define VENDOR_OPEN_H

#include "vendor.h"

/* dlopen()s the first of the NULL-terminated names that it finds: on the loader's path, then in the toolkit.
 * Returns NULL if none is. */
void *vendor_open(const char *const *names);

/* The function that vendor_fastest_by() was given, or one that takes the first. */
VendorFastest vendor_fastest;

/* Gives back what vendor_lt.c keeps, for vendor_close(). */
void vendor_lt_close(void);

#endif
