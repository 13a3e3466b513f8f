/* shared_file.h: what other processes may map of this one.
 *
 * It is one file of no name (a memfd), made when something is first exported: slots, then device memory, where each page
 * stands at PAGES_AT + its address; pages that are not exported take no room.  A key names the process, the file's
 * descriptor there, a slot, and a random number that the slot holds for as long as what it stands for exists. */
#ifndef SHARED_FILE_H
#define SHARED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"

/* In the first bytes of a cudaIpcMemHandle_t or cudaIpcEventHandle_t. */
typedef struct {
    uint32_t magic, slot;
    int32_t process, file;
    uint64_t number;
} shared_key;

enum { MEMORY_KEY = 0x4d635049, EVENT_KEY = 0x45635049, MEMORY_SLOTS = 8192 };

#define PAGES_AT ((uint64_t)4 << 20)

typedef struct {
    uint64_t number; /* 0: free */
    uint64_t start, bytes;
    uint64_t reserved; /* `bytes` with padding that is no other allocation's */
} memory_slot;

static inline uint64_t page_down(uint64_t address) { return address & ~(uint64_t)4095; }
static inline uint64_t page_up(uint64_t address) { return (address + 4095) & ~(uint64_t)4095; }

/* These three one at a time. The memory can be read and written, and nothing uses it; its pages become the file's, at the
 * same addresses. Memory that is exported already gets the same key. */
cudaError_t shared_export(uintptr_t start, size_t bytes, size_t reserved, shared_key *key);
/* The memory is freed: its key is void, and its pages are the process's own again, with the access `protection`. Other
 * processes that still have them mapped read zeros. Nothing happens if it was not exported. */
void shared_revoke(uintptr_t start, int protection);
void shared_revoke_all(int protection);

/* Opens the file of the process that a key names, if that is another; *file is then for close(). */
cudaError_t shared_open(const shared_key *key, uint32_t magic, int *file);
/* The slot of exported memory that a key names, in its opened file. */
cudaError_t shared_memory_slot(const shared_key *key, int file, memory_slot *slot);

#endif
