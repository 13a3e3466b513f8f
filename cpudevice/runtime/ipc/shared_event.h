/* shared_event.h: an event that several processes record and wait for.
 *
 * The event's slot (shared_file.h) has the number of the last record. A waiter sleeps at the slot's futex. */
#ifndef SHARED_EVENT_H
#define SHARED_EVENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "ipc/shared_file.h"

typedef struct shared_event {
    event_slot *slot;
    bool imported; /* the slot is another process's, mapped here */
    shared_key key;
    /* the rest with the scheduler's lock */
    int uses;                 /* the event, its unfinished records, its watch */
    struct event_wait *waits; /* event_watch.h */
    bool watched, destroyed;
    pthread_cond_t some_wait;
} shared_event;

/* With one use; NULL without memory. */
shared_event *shared_event_new(event_slot *slot, const shared_key *key, bool imported);
void shared_event_drop(shared_event *e); /* one use less; with the last it is freed */

/* A new record, not true yet; returns its number. Waits while as many as EVENT_RECORDS are not true. */
uint64_t shared_event_record(shared_event *e);
void shared_event_true(shared_event *e, uint64_t record); /* it is now; whoever waits for it wakes up */

uint64_t shared_event_last(const shared_event *e); /* the last record, 0: there was none */
bool shared_event_pending(const shared_event *e, uint64_t record);
/* Sleeps until a record has come true since the word was `seen`, or for no reason. */
uint32_t shared_event_word(const shared_event *e);
void shared_event_sleep(const shared_event *e, uint32_t seen);
void shared_event_wait(const shared_event *e, uint64_t record);

#endif
