/* shared_event.c: an event that several processes record and wait for. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ipc/shared_event.h"

shared_event *shared_event_new(event_slot *slot, const shared_key *key, bool imported)
{
    shared_event *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->slot = slot;
    e->imported = imported;
    e->key = *key;
    e->uses = 1;
    pthread_cond_init(&e->some_wait, NULL);
    return e;
}

void shared_event_drop(shared_event *e)
{
    if (--e->uses)
        return;
    if (e->imported)
        munmap(e->slot, sizeof *e->slot);
    else
        atomic_store(&e->slot->number, 0);
    pthread_cond_destroy(&e->some_wait);
    free(e);
}

static _Atomic uint64_t *place(const shared_event *e, uint64_t record)
{
    return &e->slot->pending[record % EVENT_RECORDS];
}

uint64_t shared_event_record(shared_event *e)
{
    uint64_t last = atomic_load(&e->slot->recorded);
    for (;;) {
        const uint32_t seen = shared_event_word(e);
        if (atomic_load(place(e, last + 1))) {
            shared_event_sleep(e, seen);
            last = atomic_load(&e->slot->recorded);
        } else if (atomic_compare_exchange_strong(&e->slot->recorded, &last, last + 1))
            break;
    }
    atomic_store(place(e, last + 1), last + 1);
    return last + 1;
}

void shared_event_true(shared_event *e, uint64_t record)
{
    atomic_store(place(e, record), 0);
    atomic_fetch_add(&e->slot->word, 1);
    syscall(SYS_futex, &e->slot->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

uint64_t shared_event_last(const shared_event *e) { return atomic_load(&e->slot->recorded); }

bool shared_event_pending(const shared_event *e, uint64_t record)
{
    return record && atomic_load(place(e, record)) == record;
}

uint32_t shared_event_word(const shared_event *e) { return atomic_load(&e->slot->word); }

void shared_event_sleep(const shared_event *e, uint32_t seen)
{
    syscall(SYS_futex, &e->slot->word, FUTEX_WAIT, seen, NULL, NULL, 0);
}

void shared_event_wait(const shared_event *e, uint64_t record)
{
    for (;;) {
        const uint32_t seen = shared_event_word(e);
        if (!shared_event_pending(e, record))
            return;
        shared_event_sleep(e, seen);
    }
}
