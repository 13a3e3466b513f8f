/* units.c: commands' units are handed out to workers and run. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "stream/units.h"
#include "device/hooks.h"
#include "exec/block.h"
#include "device/clock.h"
#include "stream/command.h"
#include "memory/copy_units.h"
#include "device/device_state.h"
#include "device/devices.h"
#include "graph/graph_memory.h"
#include "memory/memory.h"
#include "observe/observers.h"
#include "exec/os_thread.h"
#include "stream/scheduler.h"
#include "device/sizes.h"
#include "observe/tell_command.h"
#include "exec/thread.h"
#include "exec/turn.h"
#include "exec/watchdog.h"
#include "exec/worker.h"

static __thread bool in_callback; /* host functions may not wait for the device: they would wait for themselves */

bool in_host_function(void) { return in_callback; }

/* Returns how many units it has run, counted from the first. */
static unsigned long long run_units(command *c, unsigned long long first, unsigned long long end)
{
    const bool memory = c->kind == C_FREE || c->kind == C_ALLOC || c->kind == C_RELEASE || c->kind == C_ASSIGN;
    if (sticky_error() && c->kind == C_CONDITIONAL)
        c->family.again = false;
    if (sticky_error() && c->kind != C_HOST && c->kind != C_CALLBACK && !memory)
        return end - first;
    switch (c->kind) {
    case C_KERNEL: return run_blocks(worker_of_this_thread(), c, first, end);
    case C_COPY:
    case C_SET: run_copy_units(c, first, end); break;
    case C_HOST:
        in_callback = true;
        c->fn(c->user);
        in_callback = false;
        break;
    case C_CALLBACK:
        in_callback = true;
        c->callback(c->user_stream, sticky_error(), c->user);
        in_callback = false;
        break;
    case C_FREE: memory_free(c->user, R_DEVICE); break;
    case C_ALLOC: graph_memory_allocated(c->user, c->copy.width); break;
    case C_RELEASE: graph_memory_freed(c->user); break;
    case C_CONDITIONAL:
    case C_ASSIGN: runtime_hooks.run_conditional(c); break;
    default: break;
    }
    return end - first;
}

static bool units_left(const command *c) { return c->next_unit < c->units || c->back < c->back_end; }

/* With the lock: reserves units for a worker. Returns how many; *first is the number of the first. */
static unsigned long long take_units(command *c, unsigned long long *first)
{
    unsigned long long left = c->units - c->next_unit, take = 1;
    if (c->back < c->back_end) {
        *first = c->back++;
        return 1;
    }
    if (!c->cooperative && !(observed.turns && c->kind == C_KERNEL)) {
        take = left / (unsigned)(processor_count() * 4);
        if (take < 1)
            take = 1;
        if (processor_count() == 1 ||
            (c->kind == C_KERNEL && c->units <= 4096 && left <= (unsigned long long)processor_count()))
            take = processor_count() == 1 ? left : 1;
    }
    *first = c->next_unit;
    c->next_unit += take;
    return take;
}

/* With the lock: the running block waits, perhaps for one of the blocks that this worker has reserved for itself. The worker
 * gives those back, so that any worker can take them. */
static void give_blocks_back(cpudev_worker *w)
{
    command *c = w ? w->command : NULL;
    if (!c || c->cooperative || w->unit + 1 >= w->block_end || c->back < c->back_end)
        return;
    if (!units_left(c)) {
        c->next_ready = scheduler.ready_first;
        scheduler.ready_first = c;
        if (!scheduler.ready_last)
            scheduler.ready_last = c;
    }
    c->back = w->unit + 1;
    c->back_end = w->block_end;
    w->block_end = w->unit + 1;
}

/* May a host thread that waits run it? Not the program's own function, and of several devices no kernel, which may be
 * another device's and wait for what this host thread has yet to do. */
static bool for_host(const command *c)
{
    return c->kind != C_HOST && c->kind != C_CALLBACK && (device_count() == 1 || c->kind != C_KERNEL);
}

bool work_once(bool host)
{
    command *previous = NULL, *c = scheduler.ready_first;
    while (c && host && !for_host(c)) {
        previous = c;
        c = c->next_ready;
    }
    if (!c || scheduler.exiting)
        return false;
    unsigned long long first, take = take_units(c, &first);
    if (!units_left(c)) {
        if (previous)
            previous->next_ready = c->next_ready;
        else
            scheduler.ready_first = c->next_ready;
        if (scheduler.ready_last == c)
            scheduler.ready_last = previous;
    }
    if (!c->start) {
        c->start = now_ticks();
        TELL(op_begin, &c->op);
        if (observed.turns && c->kind == C_KERNEL && c->units > 1)
            c->turns = turns_new(c);
    }
    c->running++;
    if (!scheduler.device_open) {
        device_memory_open();
        scheduler.device_open = true;
    }
    bool whole = take == c->units; /* nobody else runs a part of it: its end can be told without the lock */
    pthread_mutex_unlock(&scheduler.lock);
    const int before = current_device();
    make_current(c->stream ? c->stream->device : before);
    unsigned long long ran = run_units(c, first, first + take);
    make_current(before);
    whole = whole && ran == take;
    if (whole) {
        c->end = now_ticks();
        tell_done(c);
    }
    pthread_mutex_lock(&scheduler.lock);
    c->running--;
    c->done_units += ran;
    if (c->done_units == c->units) {
        if (!whole) {
            c->end = now_ticks();
            if (observed.any) {
                pthread_mutex_unlock(&scheduler.lock);
                tell_done(c);
                pthread_mutex_lock(&scheduler.lock);
            }
        }
        turns_free(c->turns);
        c->turns = NULL;
        command_ended(c);
    }
    return true;
}

static void *worker_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&scheduler.lock);
    for (;;) {
        while (work_once(false))
            ;
        scheduler.idle_workers++;
        if (scheduler.workers > scheduler.base_workers) {
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_sec += 1;
            if (pthread_cond_timedwait(&scheduler.work_to_do, &scheduler.lock, &until) == ETIMEDOUT &&
                scheduler.workers > scheduler.base_workers && !scheduler.ready_first) {
                scheduler.idle_workers--;
                scheduler.workers--;
                pthread_mutex_unlock(&scheduler.lock);
                return NULL;
            }
        } else
            pthread_cond_wait(&scheduler.work_to_do, &scheduler.lock);
        scheduler.idle_workers--;
    }
    return NULL;
}

void spawn_worker(void)
{
    if (start_os_thread(worker_main, NULL))
        scheduler.workers++;
}

void need_more_threads(cpudev_worker *w)
{
    pthread_mutex_lock(&scheduler.lock);
    give_blocks_back(w);
    if (scheduler.ready_first && scheduler.idle_workers == 0 && scheduler.workers < MAX_OS_THREADS)
        spawn_worker();
    else if (scheduler.ready_first && scheduler.idle_workers)
        pthread_cond_signal(&scheduler.work_to_do);
    pthread_mutex_unlock(&scheduler.lock);
}

static pthread_cond_t watch_cond = PTHREAD_COND_INITIALIZER;

static bool watch_asleep;

void wait_for_work(void)
{
    static int quiet;
    pthread_mutex_lock(&scheduler.lock);
    quiet = scheduler.unfinished ? 0 : quiet + 1;
    if (quiet > 20) {
        watch_asleep = true;
        while (scheduler.unfinished == 0)
            pthread_cond_wait(&watch_cond, &scheduler.lock);
        watch_asleep = false;
        quiet = 0;
    }
    pthread_mutex_unlock(&scheduler.lock);
}

void ready_workers(void)
{
    if (watch_asleep)
        pthread_cond_signal(&watch_cond);
    static bool watched;
    if (!watched) {
        watched = true;
        start_watchdog();
    }
    while (scheduler.workers < scheduler.base_workers) {
        int before = scheduler.workers;
        spawn_worker();
        if (scheduler.workers == before)
            break;
    }
    if (!scheduler.workers)
        _exit(2); /* refused() has said it; what is queued would wait for ever */
}
