/* worker.c: an OS thread becomes a worker. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exec/worker.h"
#include "device/hooks.h"
#include "async/async.h"
#include "exec/fault.h"
#include "device/message.h"
#include "device/sizes.h"
#include "exec/thread.h"
#include "exec/watchdog.h"
#include "cpudev_must.h"

static pthread_key_t worker_key;

static pthread_once_t worker_once = PTHREAD_ONCE_INIT;

static _Atomic int worker_count;

static void worker_free(void *p)
{
    cpudev_worker *w = p;
    unwatch_worker(w);
    async_free(w);
    if (w->own_cluster)
        runtime_hooks.free_cluster(w);
    if (w->stacks.memory)
        munmap(w->stacks.memory, w->stacks.bytes * w->stacks.count);
    munmap(w->dynamic_shared - 4096, MAX_SHARED_OPTIN + 8192);
    free(w->fibers);
    free(w->calls.launches);
    free(w->calls.errors);
    free(w);
}

static void worker_key_make(void)
{
    if ((errno = pthread_key_create(&worker_key, worker_free))) {
        message("no thread-local storage: %s", strerror(errno));
        _exit(2);
    }
}

cpudev_worker *worker_of_this_thread(void)
{
    if (this_worker)
        return this_worker;
    pthread_once(&worker_once, worker_key_make);
    cpudev_worker *w = calloc(1, sizeof *w);
    if (!w)
        out_of_memory();
    w->fibers = aligned_alloc(64, MAX_THREADS * sizeof(cpudev_fiber));
    char *shared =
        mmap(NULL, MAX_SHARED_OPTIN + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!w->fibers || shared == MAP_FAILED)
        out_of_memory();
    memset(w->fibers, 0, MAX_THREADS * sizeof(cpudev_fiber));
    w->dynamic_shared = shared + 4096;
    w->index = atomic_fetch_add(&worker_count, 1);
    w->pthread = pthread_self();
    arm_alternate_stack();
    pthread_setspecific(worker_key, w);
    watch_worker(w);
    return this_worker = w;
}
