/* event_watch.h: streams wait for events that other processes record.
 *
 * Nobody here finishes such a record: a thread for each event sleeps until it is true, and lets go what waits. */
#ifndef EVENT_WATCH_H
#define EVENT_WATCH_H

#include <stdbool.h>

#include "stream/command.h"
#include "stream/stream_record.h"

/* Before a wait for a shared event is queued. False: no thread could be started. */
bool event_watch_ready(struct shared_event *e);

/* These with the scheduler's lock. */
void event_watch(command *c, const struct CUevent_st *event); /* c waits for the shared event's last record */
void event_watch_end(struct shared_event *e);                 /* its event is destroyed */

#endif
