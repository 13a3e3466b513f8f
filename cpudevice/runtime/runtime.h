/* runtime.h: the inside of the CPU device's runtime.
 *
 *   block.h       block, worker, wait, meet, warp, fault, watchdog: one block on one OS thread
 *   scheduler.h   command, scheduler, queue, stream, event, launch, grid, process, graph, nested: work on streams
 *   this file     memory, allocation, pool, copy, texture: the device's memory;
 *                 call, error, profile, kernel, device: the rest of the API
 *   tell.h        what observers are told (observer.h): the profiler and the checker watch through it, no file here
 *                 knows them */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cpudev_core.h"
#include "observer.h"

enum {
    WARP = 32,
    MAX_THREADS = 1024, /* a block */
    MAX_WARPS = MAX_THREADS / WARP,
    MAX_SHARED = 48 * 1024, /* a block, unless the kernel opts in */
    MAX_SHARED_OPTIN = 227 * 1024,
    MAX_RESIDENT_THREADS = 2048, /* a multiprocessor */
    MAX_RESIDENT_BLOCKS = 32,
    SHARED_PER_SM = 228 * 1024,
    MAX_DEPTH = 24,      /* of kernels launched by kernels */
    MAX_OS_THREADS = 512 /* workers, the extra ones for blocks that wait for other blocks included */
};

#include "block.h"
#include "scheduler.h"

/* ---- memory.c, allocation.c, copy.c ---- */

typedef enum { R_NONE, R_DEVICE, R_MANAGED, R_PINNED, R_REGISTERED } region_kind;
typedef struct {
    uintptr_t start;
    size_t size;     /* as asked for */
    size_t reserved; /* with padding */
    region_kind kind;
    bool used;
    unsigned flags;
} allocation;

extern struct device_memory {
    pthread_mutex_t lock;
    allocation *registered; /* host memory of cudaHostRegister */
    int nregistered;
    size_t total_bytes, used_bytes;
} device_memory;

void memory_init(void);
void *allocate(region_kind k, size_t size, unsigned flags); /* with the lock; NULL: out of memory */
void junk(void *p, size_t size); /* fresh memory of a GPU holds whatever was there: small allocations get 0xff */
cudaError_t allocate_now(region_kind k, void **ptr, size_t size, unsigned flags);
region_kind region_of(const void *p);
/* The live allocation that holds p; false if there is none. */
bool allocation_of(const void *p, allocation *a);
void device_memory_open(void);  /* a kernel or copy is about to use it */
void device_memory_close(void); /* all work is done: host access faults again */
void report_host_fault(uintptr_t address);
cudaError_t memory_free(void *p, region_kind kind);
void memory_reset(void);

void run_copy_units(command *c, unsigned long long first, unsigned long long end);

/* Device memory, and copies as cudaMemcpy3D's, for those who are within an API call. */
cudaError_t memory_device(char **p, size_t bytes);
cudaError_t memory_copy(void *dst, size_t dpitch, size_t dslice, const void *src, size_t spitch, size_t sslice,
                        size_t width, size_t height, size_t depth, enum cudaMemcpyKind kind, cudaStream_t stream,
                        bool async);

/* ---- texture.c ---- */

struct cudaArray {
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent; /* in texels; height and depth may be 0 */
    unsigned flags;
    char *data;
};
void array_place(struct cudaArray *a, struct cudaPos at, char **place, size_t *pitch, size_t *slice, size_t *texel);

/* ---- call.c, error.c, profile.c, kernel.c, device.c ---- */

typedef struct {
    const char *name;
    uint64_t start; /* now_ticks(); 0 if nobody listened */
    cudaError_t status;
    bool nested; /* by a kernel */
} api_call;
void api_leave(api_call *call);
cudaError_t record_error(cudaError_t e); /* as cudaGetLastError will return it */
#define API api_call call_ __attribute__((cleanup(api_leave))) = api_enter_from(__func__, __builtin_return_address(0))
api_call api_enter_from(const char *name, const void *caller);
#define RETURN(e) return call_.status = record_error(e)

extern __thread uint32_t current_correlation;
uint64_t now_ns(void);    /* CLOCK_MONOTONIC */
uint64_t now_ticks(void); /* the clock of the events */
void find_clock(void);
uint32_t os_thread_id(void);
const char *kernel_symbol(cpudev_kernel *k); /* mangled, for tools that demangle it */
const char *kernel_display(cpudev_kernel *k);
cpudev_kernel *kernel_of_function(const void *function);
extern size_t device_limits[8];
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
