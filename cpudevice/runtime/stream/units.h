/* units.h: commands' units (a kernel's blocks, a copy's pieces) are handed out to workers and run.
 *
 * A host thread that waits helps: it runs units too, so an empty launch and its synchronize need no switch of threads.
 * With no work every thread sleeps. */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>

#include "exec/thread.h"

/* With the scheduler's lock, which it drops in between: runs some units of a ready command, if there is one. `host`: by
 * a host thread that waits, which runs no host functions. */
bool work_once(bool host);
void ready_workers(void);    /* with the lock: work is about to be queued */
bool in_host_function(void); /* of a stream, on this thread: it may not wait for the device */

/* Called by way of hooks.h. */
void spawn_worker(void); /* with the lock */
/* The worker's block waits: what the worker has taken beside it goes back, and another thread takes it. */
void need_more_threads(cpudev_worker *w);
/* Returns at once while there is work, and for a second after; then it sleeps until there is some. */
void wait_for_work(void);

#endif
