/* cpudevice.h: what the CPU device offers beside CUDA's own API.  C-clean.
 *  - hooks for tools (cpudev_subscribe);
 *  - the primitives that shuffles, votes, cooperative groups and matrix fragments are built on. */
#ifndef CPUDEVICE_H
#define CPUDEVICE_H

#include <stddef.h>
#include <stdint.h>
#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tools ---- */

enum { CPUDEV_EVENT_API, CPUDEV_EVENT_KERNEL, CPUDEV_EVENT_MEMCPY, CPUDEV_EVENT_MEMSET };

typedef struct cpudev_event {
    int kind;
    const char *name;     /* API: "cudaMalloc"; kernel: mangled, "_Z1kPf"; lives for ever */
    uint32_t correlation; /* ties a kernel or copy to the API call that queued it */
    uint64_t start, end;  /* readings of the events' clock */
    uint32_t thread;      /* kernel thread id of the caller or worker */
    uint32_t stream, device;
    uint32_t grid[3], block[3];
    uint32_t registers, static_smem, dynamic_smem;
    uint64_t bytes;
    int copy_kind;
    int status; /* cudaError_t */
} cpudev_event;

/* The clock of the events, the processor's own counter where it can be trusted: a launch is over so soon that even
 * turning a reading into nanoseconds shows.  A reading t is at ns + (t - ticks) * rate / 2^32 on CLOCK_MONOTONIC, for
 * the life of the process; t - ticks may be negative. */
typedef struct cpudev_event_clock {
    uint64_t (*now)(void);
    uint64_t ticks, ns, rate;
} cpudev_event_clock;

/* One subscriber; 0 if ok, -1 if there is one.  fn is called on the thread where it happened, after it has ended; it
 * must be quick and must not call CUDA. */
int cpudev_subscribe(void (*fn)(void *user, const cpudev_event *e), void *user, cpudev_event_clock *clock);
void cpudev_unsubscribe(void);

/* cucc --check: from here on runtime calls that fail are meant to (on != 0), or are findings again (0). */
void cpudev_expect_errors(int on);

/* ---- inside kernels ---- */

unsigned cpudev_tid(void); /* linear thread index in the block */
unsigned cpudev_lane(void);
unsigned cpudev_smid(void);
unsigned cpudev_nsmid(void);
uint64_t cpudev_globaltimer(void);
long long cpudev_clock(void);

void cpudev_syncthreads(void);
void cpudev_fence(int scope); /* 0 block, 1 device, 2 system */
/* sum of pred over the block's threads (op 0), all (1), any (2) */
int cpudev_syncthreads_reduce(int pred, int op);

/* Lanes in mask meet; each gets all lanes' contributions, by lane number (32 * bytes; absent lanes zero). */
void cpudev_warp_allgather(unsigned mask, const void *mine, void *all, unsigned bytes);
/* Each lane gives bytes and gets those of lane src (its own if src >= 32 or absent). */
void cpudev_warp_shuffle(unsigned mask, const void *mine, void *result, unsigned bytes, unsigned src);
unsigned cpudev_ballot(unsigned mask, int pred);
void cpudev_syncwarp(unsigned mask);
unsigned cpudev_activemask(const void *site);
/* The lanes wait for each other where the order is the same, and for those whose order is smaller. */
void cpudev_lockstep(unsigned order);

/* Suspends the thread until ready(arg) != 0; counts as waiting for the deadlock report. */
void cpudev_wait(int (*ready)(void *), void *arg, const char *what);
void cpudev_yield(void); /* let other threads run now */
void cpudev_poll(void);  /* in a waiting loop: yields now and then */
void cpudev_grid_sync(void);

/* Clusters: of the running block, one of its own if the launch has none. */
void cpudev_cluster_arrive(void);
void cpudev_cluster_wait(void);
uint3 cpudev_cluster_place(void); /* the block's place in its cluster */
dim3 cpudev_cluster_size(void);   /* in blocks */
int cpudev_cluster_explicit(void);
void **cpudev_thread_slot(void); /* a pointer of the running thread's own: NULL at first, passed to free() in the end */
int cpudev_grid_is_cooperative(void);

/* This thread of the block is at a warp function, to which some lanes that its mask names do not come: a deadlock. */
void cpudev_lane_missing(unsigned thread, unsigned mask, unsigned lanes) __attribute__((noreturn, cold));

void cpudev_trap(void) __attribute__((noreturn));
/* The running thread leaves its kernel. */
void cpudev_thread_exit(void) __attribute__((noreturn));
/* Ends the kernel with `why` and cudaErrorNotSupported: what a library's header has and the CPU device has not. */
void cpudev_unsupported(const char *why) __attribute__((noreturn));
void cpudev_assert_fail(const char *expression, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));
int cpudev_on_device(void); /* is the caller a kernel's thread? */

#ifdef __cplusplus
}
#endif
#endif
