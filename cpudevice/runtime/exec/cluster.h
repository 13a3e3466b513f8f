/* cluster.h: the blocks of a thread block cluster, side by side.
 *
 * Each block has an OS thread of its own (its __shared__ variables are that thread's), but only one of them runs at a
 * time: it hands the baton on when none of its threads can go on, when they have polled for a whole round, and when it
 * ends. So what blocks do to each other's shared memory needs no lock, and comes in one order every time. */
#ifndef CLUSTER_H
#define CLUSTER_H

#include <stdbool.h>

#include "stream/command.h"
#include "exec/thread.h"

static inline unsigned volume(dim3 d) { return d.x * d.y * d.z; }

/* Runs the clusters from `first` to before `end` of a launch with clusters, on this worker and on its mates. Returns how
 * many: all. calls->run runs the block of the worker that calls it, whose blockIdx is set. */
typedef struct cluster_calls {
    cpudev_worker *(*ready)(void);             /* the OS thread's worker, with shared memory that others can look at */
    void (*run)(cpudev_worker *w, command *c); /* leaves w->abort_status, 0 unless the kernel failed */
} cluster_calls;
unsigned long long run_clusters(cpudev_worker *w, command *c, unsigned long long first, unsigned long long end,
                                const cluster_calls *calls);

/* No thread of the running block can go on. Another block of its cluster has the baton until it comes back: true. false:
 * there is none, or none of them can go on. */
bool cluster_pass(cpudev_worker *w);
/* The running block's threads poll: other blocks of the cluster run for a while. false: there are none. */
bool cluster_yield(cpudev_worker *w);
/* The running block waits in a way of its own: the others run meanwhile. */
void cluster_release(cpudev_worker *w);
void cluster_acquire(cpudev_worker *w);

/* The cluster's barrier: the running thread arrives; has the phase ended in which it did? */
void cluster_arrive(cpudev_worker *w, unsigned thread);
bool cluster_barrier_passed(cpudev_worker *w, unsigned thread);
/* What observers know the barrier by; NULL in a cluster of one block. */
const void *cluster_object(void);
/* Is the running thread the first of its block to see that the last phase has ended? */
bool cluster_barrier_news(cpudev_worker *w);
/* The running thread has ended, and is waited for no more. */
void cluster_thread_ended(cpudev_worker *w, unsigned thread);

/* The worker that runs block `rank` of the running block's cluster; NULL: there is no such block. It has not begun, runs
 * or has ended: its shared memory is there until all blocks of the cluster have ended. */
cpudev_worker *cluster_member(unsigned rank);
bool cluster_has_ended(unsigned rank);
unsigned cluster_rank(void);

void cluster_free(cpudev_worker *w); /* own_cluster. Called by way of hooks.h */

#endif
