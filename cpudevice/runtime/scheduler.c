/* scheduler.c: commands run.
 *
 * A command waits for the commands before it in its stream (and in the streams that the default stream orders), then
 * its units (a kernel's blocks, a copy's pieces) are handed out to workers.  A host thread that waits helps: it runs
 * units too, so an empty launch and its synchronize need no switch of threads.  With no work every thread sleeps. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "runtime.h"
#include "tell.h"

struct scheduler scheduler = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work_to_do = PTHREAD_COND_INITIALIZER,
    .something_done = PTHREAD_COND_INITIALIZER,
    .protect_budget = 256,
};

static __thread bool in_callback; /* host functions may not wait for the device: they would wait for themselves */

bool in_host_function(void) { return in_callback; }

static void end(command *c);
static void finish(command *c);

/* with the scheduler.lock: helps until the condition holds */
#define HELP_UNTIL(condition)                                                                                          \
    while (!(condition)) {                                                                                             \
        if (scheduler.processors > 1 && !cpudev_tls.worker && work_once(true))                                         \
            continue;                                                                                                  \
        if (condition)                                                                                                 \
            break;                                                                                                     \
        scheduler.host_waiters++;                                                                                      \
        pthread_cond_wait(&scheduler.something_done, &scheduler.lock);                                                 \
        scheduler.host_waiters--;                                                                                      \
    }

void scheduler_lock(void) { pthread_mutex_lock(&scheduler.lock); }

void scheduler_unlock(void) { pthread_mutex_unlock(&scheduler.lock); }

void depend(command *later, command *earlier)
{
    if (!earlier || earlier->finished || earlier == later)
        return;
    if (earlier->ndependents == earlier->cap) {
        earlier->cap = earlier->cap ? earlier->cap * 2 : 4;
        earlier->dependents = realloc(earlier->dependents, (size_t)earlier->cap * sizeof *earlier->dependents);
        if (!earlier->dependents)
            abort();
    }
    earlier->dependents[earlier->ndependents++] = later;
    later->deps++;
}

static void finish(command *c);

static void end(command *c);

static void spawn_worker(void);

/* with the scheduler.lock: all that c waited for has happened */
void make_ready(command *c)
{
    c->ready = true;
    if (c->units == 0) {
        finish(c);
        return;
    }
    c->next_ready = NULL;
    if (scheduler.ready_last)
        scheduler.ready_last->next_ready = c;
    else
        scheduler.ready_first = c;
    scheduler.ready_last = c;
    if (c->cooperative)
        while (scheduler.workers < MAX_OS_THREADS && (unsigned long long)scheduler.idle_workers < c->units &&
               (unsigned long long)scheduler.workers < c->units + (unsigned)scheduler.base_workers) {
            spawn_worker();
        }
    if (c->units > 1 && scheduler.idle_workers > 1)
        pthread_cond_broadcast(&scheduler.work_to_do);
    else if (scheduler.idle_workers > 0)
        pthread_cond_signal(&scheduler.work_to_do);
    if (scheduler.host_waiters)
        pthread_cond_broadcast(&scheduler.something_done);
}

/* with the scheduler.lock */
static void finish(command *c)
{
    c->finished = true;
    struct CUstream_st *s = c->stream;
    if (c->seq) { /* a graph's inner nodes have none */
        s->completed = c->seq;
        if (s->last == c)
            s->last = NULL;
    }
    if (c->event) {
        if (c->event->command == c) {
            c->event->time_ns = now_ns();
            c->event->command = NULL;
            c->event->pending = false;
        }
    }
    scheduler.unfinished--;
    if (scheduler.host_waiters)
        pthread_cond_broadcast(&scheduler.something_done);
    command *parent = c->parent;
    nested_streams_free(c->streams);
    for (int i = 0; i < c->ndependents; i++)
        if (--c->dependents[i]->deps == 0)
            make_ready(c->dependents[i]);
    c->ndependents = 0;
    command_recycle(c);
    if (parent) {
        parent->children--;
        if (parent->ended)
            end(parent);
    }
}

/* with the scheduler.lock: c's own work is done.  A kernel is over when those that it launched are, and then those that
 * it put behind itself, one by one. */
static void end(command *c)
{
    c->ended = true;
    if (c->children)
        return; /* the last of them comes here */
    command *behind = c->tail;
    if (!behind) {
        finish(c);
        return;
    }
    c->tail = behind->next_ready;
    c->children++;
    make_ready(behind);
}

static __thread bool in_callback; /* host functions may not wait for the device: they would wait for themselves */

/* Returns how many it has run, from the first on. */
static unsigned long long run_units(command *c, unsigned long long first, unsigned long long end)
{
    if (sticky_error() && c->kind != C_HOST && c->kind != C_CALLBACK && c->kind != C_FREE)
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
    default: break;
    }
    return end - first;
}

static bool units_left(const command *c) { return c->next_unit < c->units || c->back < c->back_end; }

/* With the lock: some units for a worker, from *first on. */
static unsigned long long take_units(command *c, unsigned long long *first)
{
    unsigned long long left = c->units - c->next_unit, take = 1;
    if (c->back < c->back_end) {
        *first = c->back++;
        return 1;
    }
    if (!c->cooperative) {
        take = left / (unsigned)(scheduler.processors * 4);
        if (take < 1)
            take = 1;
        if (scheduler.processors == 1 ||
            (c->kind == C_KERNEL && c->units <= 4096 && left <= (unsigned long long)scheduler.processors))
            take = scheduler.processors == 1 ? left : 1;
    }
    *first = c->next_unit;
    c->next_unit += take;
    return take;
}

/* With the lock: the running block waits for others. Those that this worker has taken to run behind it, one of which it
 * may be waiting for, are for any worker again. */
static void give_blocks_back(cpudev_worker *w)
{
    command *c = w ? w->command : NULL;
    if (!c || c->cooperative || w->block + 1 >= w->block_end || c->back < c->back_end)
        return;
    if (!units_left(c)) {
        c->next_ready = scheduler.ready_first;
        scheduler.ready_first = c;
        if (!scheduler.ready_last)
            scheduler.ready_last = c;
    }
    c->back = w->block + 1;
    c->back_end = w->block_end;
    w->block_end = w->block + 1;
}

/* Runs some units of a ready command, if there is one.  With the scheduler.lock, which it drops in between. */
static bool work_once(bool host)
{
    command *previous = NULL, *c = scheduler.ready_first;
    while (c && host && (c->kind == C_HOST || c->kind == C_CALLBACK)) {
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
    }
    c->running++;
    if (!scheduler.device_open) {
        device_memory_open();
        scheduler.device_open = true;
    }
    bool whole =
        take == c->units; /* nobody else runs a part of it: its end can be told before the scheduler.lock is back */
    pthread_mutex_unlock(&scheduler.lock);
    unsigned long long ran = run_units(c, first, first + take);
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
        end(c);
    }
    return true;
}

static void *worker_main(void *unused)
{
    (void)unused;
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGURG);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_setname_np(pthread_self(), "cpudevice");
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

static void spawn_worker(void)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    int e = EINVAL;
    /* a thread's static shared arrays lie on its stack's end: big ones need a bigger stack */
    for (size_t size = 8u << 20; e == EINVAL && size <= (size_t)1 << 32; size *= 2) {
        pthread_attr_setstacksize(&a, size);
        e = pthread_create(&t, &a, worker_main, NULL);
    }
    pthread_attr_destroy(&a);
    if (e == 0)
        scheduler.workers++;
}

void need_more_threads(void)
{
    pthread_mutex_lock(&scheduler.lock);
    give_blocks_back(this_worker);
    if (scheduler.ready_first && scheduler.idle_workers == 0 && scheduler.workers < MAX_OS_THREADS)
        spawn_worker();
    else if (scheduler.ready_first && scheduler.idle_workers)
        pthread_cond_signal(&scheduler.work_to_do);
    pthread_mutex_unlock(&scheduler.lock);
}

static pthread_cond_t watch_cond = PTHREAD_COND_INITIALIZER;

static bool watch_asleep;

/* For the watchdog: returns at once while there is work, and for a second after; then it sleeps until there is some. */
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
}

static void maybe_close(void)
{
    if (scheduler.unfinished == 0 && scheduler.device_open && scheduler.protect_budget > 0) {
        scheduler.protect_budget--;
        device_memory_close();
        scheduler.device_open = false;
    }
}

cudaError_t stream_wait_all(struct CUstream_st *s)
{
    if (in_callback)
        return cudaErrorNotPermitted;
    pthread_mutex_lock(&scheduler.lock);
    unsigned long long target = s->issued;
    HELP_UNTIL(s->completed >= target);
    maybe_close();
    pthread_mutex_unlock(&scheduler.lock);
    TELL(stream_sync, s->id);
    return sticky_error();
}

cudaError_t wait_for_all_work(void)
{
    if (in_callback)
        return cudaErrorNotPermitted;
    pthread_mutex_lock(&scheduler.lock);
    HELP_UNTIL(scheduler.unfinished == 0);
    maybe_close();
    pthread_mutex_unlock(&scheduler.lock);
    return cudaSuccess;
}

cudaError_t wait_for_everything(void)
{
    cudaError_t e = wait_for_all_work();
    if (e)
        return e;
    TELL(device_sync);
    return sticky_error();
}

/* With the lock. */
void help_until_completed(struct CUstream_st *s, unsigned long long seq) { HELP_UNTIL(s->completed >= seq); }

void wait_for_event(struct CUevent_st *event)
{
    pthread_mutex_lock(&scheduler.lock);
    HELP_UNTIL(!event->pending);
    maybe_close();
    pthread_mutex_unlock(&scheduler.lock);
}
