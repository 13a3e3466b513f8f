/* cpudevice.h: what the CPU device offers to tools beside CUDA's own API.  C-clean. What kernels call is in cpudev_abi.h. */
#ifndef CPUDEVICE_H
#define CPUDEVICE_H

#include <stddef.h>
#include <stdint.h>
#include "cpudev_abi.h"

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

/* CUDA_CPU_MODEL=CHIP, cucc --check: what the model says of a launch that has ended (docs/model.md). */
typedef struct cpudev_model_time {
    const char *kernel, *chip, *limiter;
    const char *unknown;        /* why there is no time, in words; NULL: there is one */
    double us, low_us, high_us; /* caches empty; low and high are 0 where too few such launches were compared */
} cpudev_model_time;

/* Launch i of the process, from 0, in the order in which they began. 0: it is not there, or no model runs. A program that
 * was not built by cucc --check has no such function: its address is NULL. */
int cpudev_model_launch(unsigned i, cpudev_model_time *t) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
