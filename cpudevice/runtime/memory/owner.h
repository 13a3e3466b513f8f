/* owner.h: which device an allocation belongs to. With one device nothing is kept. */
#ifndef OWNER_H
#define OWNER_H

#include <stddef.h>

void memory_owned(const void *p, size_t bytes); /* from now on: by the current device */
void memory_disowned(const void *p);            /* freed */
void memory_disown_all(void);
void *memory_owned_by(int device); /* one of its allocations; NULL: it has none */
int memory_owner(const void *p);   /* the device; 0 for what is not known */

#endif
