/* shared_file.h: what other processes may map of this one.
 *
 * It is one file of no name (a memfd), made when something is first exported: slots of memory, slots of events, then device
 * memory, where each page stands at PAGES_AT + its address; pages that are not exported take no room.  A key names the process, the file's
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

enum { MEMORY_KEY = 0x4d635049, EVENT_KEY = 0x45635049, MEMORY_SLOTS = 8192, EVENT_SLOTS = 1024 };

#define EVENTS_AT ((uint64_t)1 << 20)
#define PAGES_AT ((uint64_t)32 << 20)

typedef struct {
    uint64_t number; /* 0: free */
    uint64_t start, bytes;
    uint64_t reserved; /* `bytes` with padding that is no other allocation's */
} memory_slot;

/* An event: its records are numbered from 1 on, whichever process makes them. The counts go on when another event gets the
 * slot. */
enum { EVENT_RECORDS = 2045 };
typedef struct {
    _Atomic uint64_t number;   /* 0: free */
    _Atomic uint64_t recorded; /* the last record */
    _Atomic uint32_t word;     /* a futex's: another value with each record that comes true */
    _Atomic uint64_t
        pending[EVENT_RECORDS]; /* the record whose number leaves this rest, until it has come true; then 0 */
} event_slot;

static inline uint64_t page_down(uint64_t address) { return address & ~(uint64_t)4095; }
static inline uint64_t page_up(uint64_t address) { return (address + 4095) & ~(uint64_t)4095; }

/* These three one at a time. The memory can be read and written, and nothing uses it; its pages become the file's, at the
 * same addresses. Memory that is exported already gets the same key. */
cudaError_t shared_export(uintptr_t start, size_t bytes, size_t reserved, shared_key *key);
/* The memory is freed: its key is void, and its pages are the process's own again, with the access `protection`. Other
 * processes that still have them mapped read zeros. Nothing happens if it was not exported. */
void shared_revoke(uintptr_t start, int protection);
void shared_revoke_all(int protection);

/* Also one at a time. A slot of its own for an event, which no other process knows yet; *key stands for it. */
cudaError_t shared_export_event(shared_key *key, event_slot **slot);

/* Opens the file of the process that a key names, if that is another; *file is then for close(). */
cudaError_t shared_open(const shared_key *key, uint32_t magic, int *file);
/* The slot of exported memory that a key names, in its opened file. */
cudaError_t shared_memory_slot(const shared_key *key, int file, memory_slot *slot);
/* The same of an event: the slot is mapped, and is for munmap(). */
cudaError_t shared_map_event(const shared_key *key, int file, event_slot **slot);

#endif
