/* memory.h: the device's memory, and host access that faults.
 *
 * Device, managed and pinned memory each lie in one reserved range of addresses, so that a pointer's kind is seen from
 * its value.  While no work runs, device memory is closed: host code that touches it faults, and the message says what
 * to do.  Opening and closing costs a system call; after the first few hundred synchronizes it stays open. */
#ifndef MEMORY_H
#define MEMORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"
#include "ipc/shared_file.h"

typedef enum { R_NONE, R_DEVICE, R_MANAGED, R_PINNED, R_REGISTERED } region_kind;
typedef struct {
    uintptr_t start;
    size_t size;     /* as asked for */
    size_t reserved; /* with padding */
    region_kind kind;
    bool used;
    unsigned flags;
} allocation;

extern struct device_memory {
    pthread_mutex_t lock;
    allocation *registered; /* host memory of cudaHostRegister */
    int nregistered;
    size_t total_bytes, used_bytes;
} device_memory;

/* A flag: an address for memory that a graph allocates; to a keeper there is no memory at it yet (CPUDEV_MEM_GRAPH). */
#define MEMORY_OF_GRAPH 0x80000000u
/* Another: memory of cudaMallocAsync, which has no handle for other processes. */
#define MEMORY_OF_POOL 0x40000000u

void memory_init(void);
void *allocate(region_kind k, size_t size, unsigned flags); /* with the lock; NULL: out of memory */
cudaError_t memory_free(void *p, region_kind kind);
void memory_reset(void);  /* frees all */
size_t memory_used(void); /* in bytes */
/* Fresh memory of a GPU holds whatever was there: small allocations get 0xff (NaN as float, -1 as int). */
void junk(void *p, size_t size);

region_kind region_of(const void *p);
bool allocation_of(const void *p, allocation *a); /* the live allocation that holds p; false if there is none */

/* Lets other processes map an allocation of device memory: while nothing runs. */
cudaError_t memory_share(const allocation *a, shared_key *key);
/* Memory that was not allocated here, and is known by the list of registered memory. */
bool memory_register(allocation a); /* false: no memory for it */
bool memory_unregister(uintptr_t start, region_kind kind);

void device_memory_open(void);  /* a kernel or copy is about to use it */
void device_memory_close(void); /* all work is done: host access faults again */
void report_host_fault(uintptr_t address);

#endif
