/* vendor_open.h: how vendor*.c find a library at run time. */
#ifndef VENDOR_OPEN_H
#define VENDOR_OPEN_H

/* dlopen()s the first of the NULL-terminated names that it finds: on the loader's path, then in the toolkit.
 * Returns NULL if none is. */
void *vendor_open(const char *const *names);

/* Opens cuSPARSELt if that has not been tried: whether it can be used. */
int vendor_load_sparselt(void);

#endif
