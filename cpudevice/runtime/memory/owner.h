/* owner.h: which device an allocation belongs to. With one device nothing is kept. */
#ifndef OWNER_H
#define OWNER_H

#include <stddef.h>

void memory_owned(const void *p, size_t bytes); /* from now on: by the current device */
void memory_disowned(const void *p);            /* freed */
void memory_disown_all(void);
void *memory_owned_by(int device); /* one of its allocations; NULL: it has none */
int memory_owner(const void *p);   /* the device; 0 for what is not known */

/* Memory of a pool is open to the devices in `readers`, a bit each, whatever cudaDeviceEnablePeerAccess() said. */
void memory_of_pool(const void *p, const void *pool, int device, unsigned readers); /* after memory_owned() */
void memory_pool_access(const void *pool, unsigned readers);                        /* of all that it gave out */
void memory_pool_ends(const void *pool); /* what it gave out keeps its readers */

#endif
