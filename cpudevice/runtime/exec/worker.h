/* worker.h: an OS thread becomes a worker. */
#ifndef WORKER_H
#define WORKER_H

#include "exec/thread.h"

cpudev_worker *worker_of_this_thread(void); /* made at first use; goes with the thread */

#endif
