/* shared_file.c: what other processes may map of this one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ipc/shared_file.h"
#include "device/message.h"
#include "cpudev_must.h"

#define FILE_NAME "cuda-cpu-ipc"

enum { PAGE = 4096 };

_Static_assert(MEMORY_SLOTS * sizeof(memory_slot) <= EVENTS_AT, "events lie behind the memory's slots");
_Static_assert(sizeof(event_slot) % PAGE == 0, "an event can be mapped alone");
_Static_assert(EVENTS_AT + EVENT_SLOTS * sizeof(event_slot) <= PAGES_AT, "pages lie behind the events");

static struct {
    int file;
    memory_slot *slots; /* mapped; NULL: nothing was ever exported */
    int used;           /* slots from 0 on that were ever taken */
    event_slot *events; /* mapped with them */
} shared;

static bool make_file(void)
{
    const uint64_t bytes = PAGES_AT + ((uint64_t)1 << 47);
    struct rlimit limit;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < bytes) {
        message("memory is shared between processes as a large file: the size of files is limited (ulimit -f)");
        return false;
    }
    const int file = memfd_create(FILE_NAME, MFD_CLOEXEC);
    if (file < 0)
        return false;
    void *slots = MAP_FAILED;
    if (!ftruncate(file, (off_t)bytes))
        slots = mmap(NULL, PAGES_AT, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (slots == MAP_FAILED) {
        close(file);
        return false;
    }
    shared.file = file;
    shared.slots = slots;
    shared.events = (event_slot *)(void *)((char *)slots + EVENTS_AT);
    return true;
}

/* Might another process use this page now? Then it is the file's, and stays so. */
static bool is_shared(uint64_t page)
{
    for (int i = 0; i < shared.used; i++) {
        const memory_slot *s = &shared.slots[i];
        if (s->number && page >= page_down(s->start) && page < page_up(s->start + s->bytes))
            return true;
    }
    return false;
}

/* Writes pages into the file, or onto themselves if they are its already; those of zeros are so without it. */
static bool write_pages(uint64_t from, uint64_t to)
{
    static const char zeros[PAGE];
    for (uint64_t page = from; page < to; page += PAGE)
        if (memcmp((const void *)page, zeros, PAGE) != 0 &&
            pwrite(shared.file, (const void *)page, PAGE, (off_t)(PAGES_AT + page)) != PAGE)
            return false;
    return true;
}

static bool share_pages(uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t end = from;
        while (end < to && !is_shared(end))
            end += PAGE;
        if (end > from &&
            (!write_pages(from, end) || mmap((void *)from, end - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                                             shared.file, (off_t)(PAGES_AT + from)) == MAP_FAILED))
            return false;
        while (end < to && is_shared(end))
            end += PAGE;
        from = end;
    }
    return true;
}

static memory_slot *free_slot(void)
{
    for (int i = 0; i < shared.used; i++)
        if (!shared.slots[i].number)
            return &shared.slots[i];
    return shared.used < MEMORY_SLOTS ? &shared.slots[shared.used++] : NULL;
}

static memory_slot *slot_of(uintptr_t start)
{
    for (int i = 0; i < shared.used; i++)
        if (shared.slots[i].number && shared.slots[i].start == start)
            return &shared.slots[i];
    return NULL;
}

static bool random_number(uint64_t *number) /* never 0 */
{
    do {
        if (getrandom(number, sizeof *number, 0) != sizeof *number)
            return false;
    } while (!*number);
    return true;
}

cudaError_t shared_export(uintptr_t start, size_t bytes, size_t reserved, shared_key *key)
{
    if (!shared.slots && !make_file())
        return cudaErrorMapBufferObjectFailed;
    memory_slot *slot = slot_of(start);
    if (!slot) {
        uint64_t number;
        slot = free_slot();
        if (!slot || !share_pages(page_down(start), page_up(start + bytes)))
            return cudaErrorMemoryAllocation;
        if (!random_number(&number))
            return cudaErrorMapBufferObjectFailed;
        *slot = (memory_slot){number, start, bytes, reserved};
    }
    *key = (shared_key){MEMORY_KEY, (uint32_t)(slot - shared.slots), getpid(), shared.file, slot->number};
    return cudaSuccess;
}

static void make_void(memory_slot *slot, int protection)
{
    const uint64_t from = page_up(slot->start), to = page_down(slot->start + slot->reserved);
    slot->number = 0;
    /* the pages at both ends may hold other memory, which may be in use: they stay the file's */
    if (from >= to)
        return;
    if (mmap((void *)from, to - from, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
        out_of_memory();
    fallocate(shared.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(PAGES_AT + from), (off_t)(to - from));
}

void shared_revoke(uintptr_t start, int protection)
{
    memory_slot *slot = slot_of(start);
    if (slot)
        make_void(slot, protection);
}

void shared_revoke_all(int protection)
{
    for (int i = 0; i < shared.used; i++)
        if (shared.slots[i].number)
            make_void(&shared.slots[i], protection);
}

cudaError_t shared_open(const shared_key *key, uint32_t magic, int *file)
{
    char path[64], target[64] = "";
    if (key->magic != magic || key->process <= 0)
        return cudaErrorInvalidResourceHandle;
    if (key->process == getpid())
        return cudaErrorDeviceUninitialized;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", key->process, key->file);
    /* not just anything that the descriptor is by now: opening a pipe or a device has effects */
    if (readlink(path, target, sizeof target - 1) < 0 ||
        strncmp(target, "/memfd:" FILE_NAME, sizeof "/memfd:" FILE_NAME - 1))
        return cudaErrorInvalidResourceHandle;
    *file = open(path, O_RDWR | O_CLOEXEC);
    return *file < 0 ? cudaErrorMapBufferObjectFailed : cudaSuccess;
}

cudaError_t shared_memory_slot(const shared_key *key, int file, memory_slot *slot)
{
    if (key->slot >= MEMORY_SLOTS ||
        pread(file, slot, sizeof *slot, (off_t)(key->slot * sizeof *slot)) != sizeof *slot || !key->number ||
        slot->number != key->number)
        return cudaErrorInvalidResourceHandle;
    return cudaSuccess;
}

cudaError_t shared_export_event(shared_key *key, event_slot **slot)
{
    uint64_t number;
    if ((!shared.slots && !make_file()) || !random_number(&number))
        return cudaErrorMapBufferObjectFailed;
    for (uint32_t i = 0; i < EVENT_SLOTS; i++) {
        uint64_t none = 0;
        if (!atomic_compare_exchange_strong(&shared.events[i].number, &none, number))
            continue;
        *slot = &shared.events[i];
        *key = (shared_key){EVENT_KEY, i, getpid(), shared.file, number};
        return cudaSuccess;
    }
    return cudaErrorMemoryAllocation;
}

cudaError_t shared_map_event(const shared_key *key, int file, event_slot **slot)
{
    if (key->slot >= EVENT_SLOTS || !key->number)
        return cudaErrorInvalidResourceHandle;
    event_slot *s =
        mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)(EVENTS_AT + key->slot * sizeof *s));
    if (s == MAP_FAILED)
        return cudaErrorMapBufferObjectFailed;
    if (s->number != key->number) {
        munmap(s, sizeof *s);
        return cudaErrorInvalidResourceHandle;
    }
    *slot = s;
    return cudaSuccess;
}
