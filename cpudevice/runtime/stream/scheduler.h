/* scheduler.h: the order in which commands run.
 *
 * A command waits for the commands before it in its stream (and in the streams that the default stream orders); then
 * its units are handed out (units.h). */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <pthread.h>
#include <stdbool.h>

#include "stream/command.h"

/* All of it under the lock. */
extern struct scheduler {
    pthread_mutex_t lock;
    pthread_cond_t work_to_do, something_done;
    command *ready_first, *ready_last; /* commands whose units may be taken */
    command *over_first, *over_last;   /* commands that end next; empty whenever the lock is free */
    int workers, idle_workers, host_waiters, base_workers;
    bool exiting;
    unsigned long long unfinished; /* commands */
    bool device_open;              /* host access to device memory does not fault */
    int protect_budget;            /* how often it is still made to fault again after a synchronize */
} scheduler;

void scheduler_lock(void);
void scheduler_unlock(void);

/* These with the lock. */
void depend(command *later, command *earlier); /* nothing if `earlier` is NULL or over */
void make_ready(command *c);                   /* all that c waited for has happened */
void command_ended(command *c);                /* its own units are done: it is over once what it launched is */

#endif
