/* sched.c: workers, streams, events and launches.
 *
 * A command waits for the commands before it in its stream (and in the streams that the default stream orders), then
 * its units (a kernel's blocks, a copy's pieces) are handed out to workers.  A host thread that waits helps: it runs
 * units too, so an empty launch and its synchronize need no switch of threads.  With no work every thread sleeps. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"
#include "tell.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_to_do = PTHREAD_COND_INITIALIZER, something_done = PTHREAD_COND_INITIALIZER;
static command *ready_first, *ready_last;
static command *free_commands;
static int workers, idle_workers, host_waiters, base_workers, processors;
static bool started, start_failed, exiting;
static struct CUstream_st default_stream;
static struct CUstream_st *streams;            /* all but per-thread ones, the default stream first */
static __thread struct CUstream_st *per_thread;
static _Atomic int sticky;
static unsigned long long unfinished;
static bool device_open;
static int protect_budget = 256;               /* how often host access is made to fault again after a synchronize */
static pid_t home_process;

void scheduler_lock(void) { pthread_mutex_lock(&lock); }
void scheduler_unlock(void) { pthread_mutex_unlock(&lock); }
int processor_count(void) { return processors; }
cudaError_t sticky_error(void) { return (cudaError_t)atomic_load_explicit(&sticky, memory_order_relaxed); }

void set_sticky(cudaError_t e)
{
    int none = 0;
    if (e)
        atomic_compare_exchange_strong(&sticky, &none, (int)e);
}

/* ---- commands ------------------------------------------------------------------------------ */

command *command_new(command_kind kind)
{
    command *c;
    pthread_mutex_lock(&lock);
    c = free_commands;
    if (c)
        free_commands = c->next_ready;
    pthread_mutex_unlock(&lock);
    if (!c) {
        c = aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
        if (!c)
            abort();
        c->dependents = NULL;
        c->cap = 0;
    }
    command **dependents = c->dependents;
    int cap = c->cap;
    memset(c, 0, offsetof(command, inline_closure));
    c->dependents = dependents;
    c->cap = cap;
    c->kind = kind;
    c->units = kind == C_EVENT || kind == C_MARKER ? 0 : 1;
    c->correlation = current_correlation;
    return c;
}

/* with the lock */
static void command_recycle(command *c)
{
    if (c->kind == C_KERNEL && c->closure) {
        if (c->closure != c->inline_closure)
            free(c->closure);
    }
    if (c->staging)
        free(c->staging);
    c->next_ready = free_commands;
    free_commands = c;
}

void command_free(command *c)
{
    pthread_mutex_lock(&lock);
    command_recycle(c);
    pthread_mutex_unlock(&lock);
}

static void *closure_room(const cpudev_work *work)
{
    size_t align = work->align < 16 ? 16 : work->align;
    void *room = aligned_alloc(align, (work->size + align - 1) / align * align);
    if (!room)
        abort();
    return room;
}

static void depend(command *later, command *earlier)
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

/* with the lock: all that c waited for has happened */
static void make_ready(command *c)
{
    c->ready = true;
    if (c->units == 0) {
        finish(c);
        return;
    }
    c->next_ready = NULL;
    if (ready_last)
        ready_last->next_ready = c;
    else
        ready_first = c;
    ready_last = c;
    if (c->cooperative)
        while (workers < MAX_OS_THREADS && (unsigned long long)idle_workers < c->units && (unsigned long long)workers < c->units + (unsigned)base_workers) {
            spawn_worker();
        }
    if (c->units > 1 && idle_workers > 1)
        pthread_cond_broadcast(&work_to_do);
    else if (idle_workers > 0)
        pthread_cond_signal(&work_to_do);
    if (host_waiters)
        pthread_cond_broadcast(&something_done);
}

/* with the lock */
static void finish(command *c)
{
    c->finished = true;
    struct CUstream_st *s = c->stream;
    if (c->seq) {                          /* a graph's inner nodes have none */
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
    unfinished--;
    if (host_waiters)
        pthread_cond_broadcast(&something_done);
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

/* with the lock: c's own work is done.  A kernel is over when those that it launched are, and then those that it put
 * behind itself, one by one. */
static void end(command *c)
{
    c->ended = true;
    if (c->children)
        return;                            /* the last of them comes here */
    command *behind = c->tail;
    if (!behind) {
        finish(c);
        return;
    }
    c->tail = behind->next_ready;
    c->children++;
    make_ready(behind);
}

static __thread bool in_callback;     /* host functions may not wait for the device: they would wait for themselves */

/* ---- running ------------------------------------------------------------------------------- */

static void run_units(command *c, unsigned long long first, unsigned long long end)
{
    if (sticky_error() && c->kind != C_HOST && c->kind != C_CALLBACK && c->kind != C_FREE)
        return;
    switch (c->kind) {
    case C_KERNEL:
        run_blocks(worker_of_this_thread(), c, first, end);
        break;
    case C_COPY:
    case C_SET:
        run_copy_units(c, first, end);
        break;
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
    case C_FREE:
        memory_free(c->user, R_DEVICE);
        break;
    default:
        break;
    }
}

/* Runs some units of a ready command, if there is one.  With the lock, which it drops in between. */
static bool work_once(bool host)
{
    command *previous = NULL, *c = ready_first;
    while (c && host && (c->kind == C_HOST || c->kind == C_CALLBACK)) {
        previous = c;
        c = c->next_ready;
    }
    if (!c || exiting)
        return false;
    unsigned long long left = c->units - c->next_unit, take = 1;
    if (!c->cooperative) {
        take = left / (unsigned)(processors * 4);
        if (take < 1)
            take = 1;
        if (processors == 1 || (c->kind == C_KERNEL && c->units <= 4096 && left <= (unsigned long long)processors))
            take = processors == 1 ? left : 1;
    }
    unsigned long long first = c->next_unit;
    c->next_unit += take;
    if (c->next_unit == c->units) {
        if (previous)
            previous->next_ready = c->next_ready;
        else
            ready_first = c->next_ready;
        if (ready_last == c)
            ready_last = previous;
    }
    if (!c->start) {
        c->start = now_ticks();
        TELL(op_begin, &c->op);
    }
    c->running++;
    if (!device_open) {
        device_memory_open();
        device_open = true;
    }
    bool whole = take == c->units;         /* nobody else runs a part of it: its end can be told before the lock is back */
    pthread_mutex_unlock(&lock);
    run_units(c, first, first + take);
    if (whole) {
        c->end = now_ticks();
        tell_done(c);
    }
    pthread_mutex_lock(&lock);
    c->running--;
    c->done_units += take;
    if (c->done_units == c->units) {
        if (!whole) {
            c->end = now_ticks();
            if (observed.any) {
                pthread_mutex_unlock(&lock);
                tell_done(c);
                pthread_mutex_lock(&lock);
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
    pthread_mutex_lock(&lock);
    for (;;) {
        while (work_once(false))
            ;
        idle_workers++;
        if (workers > base_workers) {
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_sec += 1;
            if (pthread_cond_timedwait(&work_to_do, &lock, &until) == ETIMEDOUT && workers > base_workers && !ready_first) {
                idle_workers--;
                workers--;
                pthread_mutex_unlock(&lock);
                return NULL;
            }
        } else
            pthread_cond_wait(&work_to_do, &lock);
        idle_workers--;
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
        workers++;
}

void need_more_threads(void)
{
    pthread_mutex_lock(&lock);
    if (ready_first && idle_workers == 0 && workers < MAX_OS_THREADS)
        spawn_worker();
    else if (ready_first && idle_workers)
        pthread_cond_signal(&work_to_do);
    pthread_mutex_unlock(&lock);
}

static pthread_mutex_t grid_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t grid_cond = PTHREAD_COND_INITIALIZER;

unsigned grid_barrier(command *c)
{
    unsigned left = 0;
    pthread_mutex_lock(&grid_mutex);
    unsigned generation = c->grid_generation;
    if (++c->grid_arrived == c->units) {
        c->grid_arrived = 0;
        c->grid_generation++;
        pthread_cond_broadcast(&grid_cond);
    } else
        while (c->grid_generation == generation && !sticky_error()) {
            if (c->grid_left && c->grid_arrived + c->grid_left == c->units) {
                left = c->grid_left;
                break;
            }
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_nsec += 50000000;
            if (until.tv_nsec >= 1000000000) {
                until.tv_nsec -= 1000000000;
                until.tv_sec++;
            }
            pthread_cond_timedwait(&grid_cond, &grid_mutex, &until);
        }
    pthread_mutex_unlock(&grid_mutex);
    return left;
}

void grid_left(command *c)
{
    pthread_mutex_lock(&grid_mutex);
    c->grid_left++;
    pthread_cond_broadcast(&grid_cond);
    pthread_mutex_unlock(&grid_mutex);
}

/* ---- starting and ending ------------------------------------------------------------------- */

static void at_exit(void)
{
    if (getpid() != home_process)
        return;
    if (observed.waits_at_exit)
        wait_for_everything();
    pthread_mutex_lock(&lock);
    exiting = true;
    pthread_mutex_unlock(&lock);
}

static void start(void)
{
    home_process = getpid();
    cpu_set_t set;
    CPU_ZERO(&set);
    processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    const char *wish = getenv("CUDA_CPU_WORKERS");
    if (wish && atoi(wish) > 0)
        processors = atoi(wish);
    if (processors > MAX_OS_THREADS / 2)
        processors = MAX_OS_THREADS / 2;
    base_workers = processors > 1 ? processors - 1 : 1;
    find_clock();
    memory_init();
    install_fault_handler();
    arm_alternate_stack();
    default_stream.magic = STREAM_MAGIC;
    default_stream.legacy = true;
    streams = &default_stream;
    atexit(at_exit);
    started = true;
    const char *injection = getenv("CUDA_CPU_INJECTION");
    if (injection && *injection) {
        void *so = dlopen(injection, RTLD_NOW | RTLD_GLOBAL);
        int (*init)(void) = so ? (int (*)(void))dlsym(so, "InitializeInjection") : NULL;
        if (!init)
            message("CUDA_CPU_INJECTION=%s: %s", injection, dlerror());
        else
            init();
    }
}

cudaError_t device_ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (__builtin_expect(!started, 0))
        pthread_once(&once, start);
    if (__builtin_expect(start_failed, 0))
        return cudaErrorInitializationError;
    if (__builtin_expect(in_callback, 0)) /* a host function may not call CUDA */
        return cudaErrorNotPermitted;
    return sticky_error();
}

void start_for_injection(void)
{
    const char *injection = getenv("CUDA_CPU_INJECTION");
    if (injection && *injection)
        device_ready();
}

static void child_after_fork(void)
{
    if (started)
        start_failed = true;    /* as with CUDA: a child cannot use what its parent has initialised */
}

__attribute__((constructor)) static void watch_fork(void) { pthread_atfork(NULL, NULL, child_after_fork); }

/* ---- streams ------------------------------------------------------------------------------- */

static bool default_is_per_thread;

/* --default-stream per-thread: the default stream of each host thread is its own. */
int cpudev_default_stream_per_thread(void)
{
    default_is_per_thread = true;
    return 0;
}

struct CUstream_st *stream_of(cudaStream_t s)
{
    if (__builtin_expect(cpudev_on_device(), 0))
        return nested_stream_of(s);
    if (s == cudaStreamLegacy || (s == NULL && !default_is_per_thread))
        return &default_stream;
    if (s == cudaStreamPerThread || s == NULL) {
        if (!per_thread) {
            cudaStream_t made;
            cudaStreamCreate(&made);
            per_thread = made;
        }
        return per_thread;
    }
    if (s == cudaStreamTailLaunch || s == cudaStreamFireAndForget)   /* a kernel's */
        return NULL;
    return region_of(s) == R_NONE && handle_ok(s) && s->magic == STREAM_MAGIC && !s->grid ? s : NULL;
}

static pthread_cond_t watch_cond = PTHREAD_COND_INITIALIZER;
static bool watch_asleep;

/* For the watchdog: returns at once while there is work, and for a second after; then it sleeps until there is some. */
void wait_for_work(void)
{
    static int quiet;
    pthread_mutex_lock(&lock);
    quiet = unfinished ? 0 : quiet + 1;
    if (quiet > 20) {
        watch_asleep = true;
        while (unfinished == 0)
            pthread_cond_wait(&watch_cond, &lock);
        watch_asleep = false;
        quiet = 0;
    }
    pthread_mutex_unlock(&lock);
}

static void ready_workers(void)
{
    if (watch_asleep)
        pthread_cond_signal(&watch_cond);
    static bool watched;
    if (!watched) {
        watched = true;
        start_watchdog();
    }
    while (workers < base_workers) {
        int before = workers;
        spawn_worker();
        if (workers == before)
            break;
    }
}

/* with the lock: c comes after what is in its stream, and in the streams that the default stream orders */
static void depend_on_stream(command *c, struct CUstream_st *s)
{
    depend(c, s->last);
    if (s->legacy) {
        for (struct CUstream_st *o = s->next; o; o = o->next)
            if (!(o->flags & cudaStreamNonBlocking))
                depend(c, o->last);
    } else if (!(s->flags & cudaStreamNonBlocking))
        depend(c, default_stream.last);
}

/* A copy that can be queued, with its own closure. */
command *command_clone(const command *from)
{
    command *c = command_new(from->kind), keep = *c;
    memcpy(c, from, sizeof *c);
    c->dependents = keep.dependents;
    c->ndependents = 0;
    c->cap = keep.cap;
    c->deps = 0;
    c->stream = NULL;
    c->next_ready = NULL;
    c->staging = NULL;
    if (c->kind == C_KERNEL) {
        c->closure = from->closure == from->inline_closure ? c->inline_closure : closure_room(c->work);
        memcpy(c->closure, from->closure, c->work->size);
    }
    return c;
}

/* Queues a graph's commands: all after what is in the stream, and what comes next in the stream after all of them. */
cudaError_t graph_queue(command **nodes, int *const *deps, const int *ndeps, int count, struct CUstream_st *s)
{
    command *begin = command_new(C_MARKER), *end = command_new(C_MARKER);
    for (int i = 0; i < count; i++)
        tell_queue(nodes[i], s);            /* to observers they come one after the other */
    pthread_mutex_lock(&lock);
    ready_workers();
    begin->stream = end->stream = s;
    depend_on_stream(begin, s);
    begin->deps++;                          /* not before everything is tied together */
    for (int i = 0; i < count; i++) {
        nodes[i]->stream = s;
        for (int k = 0; k < ndeps[i]; k++)
            depend(nodes[i], nodes[deps[i][k]]);
        if (ndeps[i] == 0)
            depend(nodes[i], begin);
        depend(end, nodes[i]);
        unfinished++;
    }
    depend(end, begin);
    begin->seq = 0;
    end->seq = ++s->issued;
    s->last = end;
    unfinished += 2;
    if (--begin->deps == 0)
        make_ready(begin);
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

_Atomic int captures;
__thread enum cudaStreamCaptureMode thread_capture_mode;

cudaError_t capture_forbids(bool legacy)
{
    cudaError_t e = cudaSuccess;
    if (__builtin_expect(!captures, 1))
        return e;
    pthread_mutex_lock(&lock);
    for (struct CUstream_st *s = &default_stream; s; s = s->next) {
        if (!s->capture || !s->capture_origin)
            continue;
        bool mine = s->capture_mode == cudaStreamCaptureModeGlobal || (s->capture_mode == cudaStreamCaptureModeThreadLocal && pthread_equal(s->capture_thread, pthread_self()));
        if (legacy ? s->flags & cudaStreamNonBlocking : !mine || thread_capture_mode == cudaStreamCaptureModeRelaxed)
            continue;
        s->capture_invalid = 1;
        e = legacy ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureUnsupported;
    }
    pthread_mutex_unlock(&lock);
    return e;
}

void streams_leave_capture(struct CUgraph_st *g)
{
    pthread_mutex_lock(&lock);
    for (struct CUstream_st *o = &default_stream; o; o = o->next)
        if (o->capture == g) {
            o->capture = NULL;
            o->capture_origin = false;
            o->capture_invalid = 0;
            o->ncapture_deps = 0;
        }
    pthread_mutex_unlock(&lock);
}

/* with the lock: what c waits for of events, and what it is to them */
static void tie_event(command *c)
{
    if (c->kind == C_MARKER && c->event)   /* a wait for an event */
        depend(c, c->event->command), c->event = NULL;
    if (c->kind == C_EVENT) {
        c->event->command = c;
        c->event->recorded = true;
        c->event->pending = true;
    }
}

/* A kernel puts c on one of its streams. */
static void queue_nested(command *c, struct CUstream_st *s)
{
    command *parent = s->grid;
    pthread_mutex_lock(&lock);
    c->stream = s;
    c->parent = parent;
    c->generation = parent->generation + 1;
    c->correlation = parent->correlation;
    c->seq = ++s->issued;
    unfinished++;
    if (s->order == TAIL_LAUNCH) {
        c->next_ready = NULL;
        if (parent->tail)
            parent->tail_last->next_ready = c;
        else
            parent->tail = c;
        parent->tail_last = c;
    } else {
        parent->children++;
        if (s->order == IN_ORDER) {
            depend(c, s->last);
            s->last = c;
        }
        tie_event(c);
        if (c->deps == 0)
            make_ready(c);
    }
    pthread_mutex_unlock(&lock);
}

cudaError_t command_queue(command *c, struct CUstream_st *s)
{
    if (s->capture)
        return capture_command(s, c);
    cudaError_t refused = s->legacy ? capture_forbids(true) : cudaSuccess;
    if (refused) {
        command_free(c);
        return refused;
    }
    tell_queue(c, s);
    if (s->grid) {
        queue_nested(c, s);
        return cudaSuccess;
    }
    pthread_mutex_lock(&lock);
    ready_workers();
    c->stream = s;
    c->seq = ++s->issued;
    depend_on_stream(c, s);
    tie_event(c);
    s->last = c;
    unfinished++;
    if (c->deps == 0)
        make_ready(c);
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

/* with the lock: helps until the condition holds */
#define HELP_UNTIL(condition)                                                 \
    while (!(condition)) {                                                    \
        if (processors > 1 && !cpudev_tls.worker && work_once(true))          \
            continue;                                                         \
        if (condition)                                                        \
            break;                                                            \
        host_waiters++;                                                       \
        pthread_cond_wait(&something_done, &lock);                            \
        host_waiters--;                                                       \
    }

static void maybe_close(void)
{
    if (unfinished == 0 && device_open && protect_budget > 0) {
        protect_budget--;
        device_memory_close();
        device_open = false;
    }
}

cudaError_t stream_wait_all(struct CUstream_st *s)
{
    if (in_callback)
        return cudaErrorNotPermitted;
    pthread_mutex_lock(&lock);
    unsigned long long target = s->issued;
    HELP_UNTIL(s->completed >= target);
    maybe_close();
    pthread_mutex_unlock(&lock);
    TELL(stream_sync, s->id);
    return sticky_error();
}

static cudaError_t all_done(void)
{
    if (in_callback)
        return cudaErrorNotPermitted;
    pthread_mutex_lock(&lock);
    HELP_UNTIL(unfinished == 0);
    maybe_close();
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t wait_for_everything(void)
{
    cudaError_t e = all_done();
    if (e)
        return e;
    TELL(device_sync);
    return sticky_error();
}

cudaError_t cudaDeviceSynchronize(void)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if ((e = capture_forbids(false)))
        RETURN(e);
    RETURN(wait_for_everything());
}

cudaError_t cudaThreadSynchronize(void)
{
    API;
    return call_.status = cudaDeviceSynchronize();
}

/* The record of a destroyed stream or event. It is kept for a while, so that a handle used after its end is found out by
 * its magic number. With the lock held. */
static void retire(void *record)
{
    enum { KEPT = 1024 };
    static void *kept[KEPT];
    static unsigned next;
    free(kept[next % KEPT]);
    kept[next++ % KEPT] = record;
}

/* One that is in no list yet; NULL without memory. */
struct CUstream_st *stream_new(unsigned flags, int priority)
{
    static _Atomic uint32_t id = 1;
    struct CUstream_st *s = calloc(1, sizeof *s);
    if (s) {
        s->magic = STREAM_MAGIC;
        s->flags = flags;
        s->priority = priority;
        s->id = atomic_fetch_add(&id, 1);
    }
    return s;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!stream || flags > 1)
        RETURN(cudaErrorInvalidValue);
    struct CUstream_st *s = stream_new(flags, priority > 0 ? 0 : priority < -5 ? -5 : priority);
    if (!s)
        RETURN(cudaErrorMemoryAllocation);
    pthread_mutex_lock(&lock);
    s->next = default_stream.next;
    default_stream.next = s;
    pthread_mutex_unlock(&lock);
    TELL(stream_create, s->id, (s->flags & cudaStreamNonBlocking) != 0);
    TELL(handle_made, "stream", s, (void *)stream);
    *stream = s;
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    API;
    return call_.status = cudaStreamCreateWithPriority(stream, 0, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    API;
    if (call_.nested)
        RETURN(nested_stream_create(stream, flags));
    return call_.status = cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || s == &default_stream || (uintptr_t)stream < 16)   /* the default streams have no other names */
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->grid) {                         /* what is in it still runs: it goes with its grid */
        s->magic = 0;
        RETURN(cudaSuccess);
    }
    pthread_mutex_lock(&lock);
    for (struct CUstream_st **p = &default_stream.next; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            break;
        }
    unsigned long long target = s->issued;
    HELP_UNTIL(s->completed >= target);
    s->magic = 0;
    TELL(stream_destroy, s->id);
    TELL(handle_gone, s);
    retire(s);
    pthread_mutex_unlock(&lock);
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s)
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture_invalid = 1;
        RETURN(cudaErrorStreamCaptureUnsupported);
    }
    if (!s->legacy)
        RETURN(stream_wait_all(s));
    e = all_done();
    if (e)
        RETURN(e);
    TELL(stream_sync, s->id); /* nobody may count on streams that the default stream does not wait for */
    RETURN(sticky_error());
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s)
        RETURN(cudaErrorInvalidResourceHandle);
    pthread_mutex_lock(&lock);
    bool done = s->completed >= s->issued;
    pthread_mutex_unlock(&lock);
    if (!done) {
        sched_yield();
        return call_.status = cudaErrorNotReady;
    }
    TELL(stream_sync, s->id);
    RETURN(sticky_error());
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    API;
    (void)flags;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !event || !handle_ok(event) || event->magic != EVENT_MAGIC)
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->order != IN_ORDER)
        RETURN(cudaErrorInvalidValue);
    if (event->capture)
        RETURN(capture_event_wait(s, event));
    tell_stream_wait(s, event);
    command *c = command_new(C_MARKER);
    c->event = event;
    RETURN(command_queue(c, s));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    API;
    struct CUstream_st *s = stream_of(stream);
    if (!s || !flags)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *flags = s->flags;
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    API;
    struct CUstream_st *s = stream_of(stream);
    if (!s || !priority)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *priority = s->priority;
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    API;
    struct CUstream_st *s = stream_of(stream);
    if (!s || !id)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *id = s->id;
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    API;
    if (!stream_of(stream) || !device)
        RETURN(cudaErrorInvalidValue);
    *device = 0;
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *value)
{
    API;
    (void)attr;
    RETURN(stream_of(stream) && value ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !fn)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    command *c = command_new(C_HOST);
    c->fn = fn;
    c->user = userData;
    RETURN(command_queue(c, s));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned int flags)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !callback || flags)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    command *c = command_new(C_CALLBACK);
    c->callback = callback;
    c->user = userData;
    c->user_stream = stream;
    RETURN(command_queue(c, s));
}

/* ---- events -------------------------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!event || flags > 7 || (call_.nested && flags != cudaEventDisableTiming))
        RETURN(cudaErrorInvalidValue);
    struct CUevent_st *v = calloc(1, sizeof *v);
    if (!v)
        RETURN(cudaErrorMemoryAllocation);
    v->magic = EVENT_MAGIC;
    v->flags = flags;
    TELL(handle_made, "event", v, (void *)event);
    *event = v;
    RETURN(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    API;
    return call_.status = cudaEventCreateWithFlags(event, 0);
}

static bool is_event(cudaEvent_t event) { return event && handle_ok(event) && event->magic == EVENT_MAGIC; }

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!is_event(event))
        RETURN(event ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    pthread_mutex_lock(&lock);
    event->magic = 0;
    TELL(event_destroy, event);
    TELL(handle_gone, event);
    if (event->command) {
        event->command->event = NULL;
        event->command = NULL;
    }
    retire(event);
    pthread_mutex_unlock(&lock);
    RETURN(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    API;
    (void)flags;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !is_event(event))
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->order != IN_ORDER)
        RETURN(cudaErrorInvalidValue);
    event->stream = s;
    if (s->capture)
        RETURN(capture_event_record(s, event));
    event->capture = NULL;
    tell_event_record(event, s);
    command *c = command_new(C_EVENT);
    pthread_mutex_lock(&lock);
    if (event->command)                   /* recorded anew before the old record came true */
        event->command->event = NULL;
    pthread_mutex_unlock(&lock);
    c->event = event;
    RETURN(command_queue(c, s));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    API;
    return call_.status = cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!is_event(event))
        RETURN(cudaErrorInvalidResourceHandle);
    pthread_mutex_lock(&lock);
    HELP_UNTIL(!event->pending);
    maybe_close();
    pthread_mutex_unlock(&lock);
    TELL(event_sync, event);
    RETURN(sticky_error());
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!is_event(event))
        RETURN(cudaErrorInvalidResourceHandle);
    pthread_mutex_lock(&lock);
    bool pending = event->pending;
    pthread_mutex_unlock(&lock);
    if (pending) {
        sched_yield();
        return call_.status = cudaErrorNotReady;
    }
    TELL(event_sync, event);
    RETURN(sticky_error());
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start_event, cudaEvent_t end)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!ms)
        RETURN(cudaErrorInvalidValue);
    if (!is_event(start_event) || !is_event(end))
        RETURN(cudaErrorInvalidResourceHandle);
    if ((start_event->flags | end->flags) & cudaEventDisableTiming || !start_event->recorded || !end->recorded)
        RETURN(cudaErrorInvalidResourceHandle);
    TELL(event_elapsed, start_event);
    TELL(event_elapsed, end);
    pthread_mutex_lock(&lock);
    bool pending = start_event->pending || end->pending;
    *ms = (float)((double)((int64_t)(end->time_ns - start_event->time_ns)) * 1e-6);
    pthread_mutex_unlock(&lock);
    if (pending)
        return call_.status = cudaErrorNotReady;
    RETURN(cudaSuccess);
}

/* ---- launches ------------------------------------------------------------------------------ */

static __thread launch pending[8];
static __thread int npending;
static __thread enum { LAUNCH, DESCRIBE, ARGUMENTS } enter_mode;
static __thread cpudev_kernel *described;
static __thread void **current_args;
static __thread const void *current_function;

int cpudev_push_launch_at(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const char *file, int line)
{
    launch l = {grid, block, shared, stream, file, line, false, false, NULL, __builtin_return_address(0), 0};
    if (cpudev_on_device()) {
        nested_push(&l);
        return 0;
    }
    if (npending == 8) {
        message("%s:%d: launches nested too deeply in each other's arguments", file, line);
        abort();
    }
    pending[npending++] = l;
    return 0;
}

int cpudev_enter(cpudev_kernel *k, const char *name, const char *pretty, const char *file, int line, unsigned max_threads)
{
    if (!k->name) {
        k->pretty = pretty;
        k->file = file;
        k->line = line;
        k->max_threads = max_threads;
        __atomic_store_n(&k->name, name, __ATOMIC_RELEASE);
    }
    if (enter_mode == DESCRIBE) {
        described = k;
        return 1;
    }
    if (enter_mode == ARGUMENTS) {
        enter_mode = LAUNCH;
        return 2;
    }
    if (cpudev_on_device() ? !nested_pending() : npending == 0) {
        message("%s:%d: kernel %s called like a function; a kernel needs <<<grid, block>>>", file, line, name);
        abort();
    }
    return 0;
}

void cpudev_current_args(void ***args, void (**function)(void))
{
    *args = current_args;
    memcpy(function, &current_function, sizeof *function);
}

cpudev_kernel *kernel_of_function(const void *function)
{
    if (!function)
        return NULL;
    void (*f)(void);
    memcpy(&f, &function, sizeof f);
    described = NULL;
    enter_mode = DESCRIBE;
    f();
    enter_mode = LAUNCH;
    return described;
}

/* CUDA 13 says cudaErrorInvalidValue to every impossible shape; `why` is for the reader. */
static cudaError_t launch_error(const launch *l, const cpudev_kernel *k, const char **why)
{
    unsigned long long threads = (unsigned long long)l->block.x * l->block.y * l->block.z;
    *why = "";
    if (!l->grid.x || !l->grid.y || !l->grid.z || !l->block.x || !l->block.y || !l->block.z)
        return *why = "a dimension of the grid or block is 0", cudaErrorInvalidValue;
    if (l->block.x > 1024 || l->block.y > 1024 || l->block.z > 64 || threads > MAX_THREADS)
        return *why = "a block has at most 1024 threads (1024 x 1024 x 64)", cudaErrorInvalidValue;
    if (l->grid.x > 2147483647u || l->grid.y > 65535 || l->grid.z > 65535)
        return *why = "a grid has at most 2147483647 x 65535 x 65535 blocks", cudaErrorInvalidValue;
    if (k->max_threads && threads > k->max_threads)
        return *why = "more threads than the kernel's __launch_bounds__ allow", cudaErrorLaunchOutOfResources;
    size_t most = k->max_dynamic_shared > 0 ? (size_t)k->max_dynamic_shared : MAX_SHARED - (k->static_shared < MAX_SHARED ? k->static_shared : MAX_SHARED);
    if (l->shared > most)
        return *why = "too much dynamic shared memory (48 KB a block, unless cudaFuncSetAttribute raises it)", cudaErrorInvalidValue;
    if (l->cooperative) {
        int blocks = 0;
        int shared_blocks = MAX_RESIDENT_BLOCKS;
        size_t used = k->static_shared + l->shared + 1024;
        shared_blocks = (int)(SHARED_PER_SM / used);
        blocks = MAX_RESIDENT_THREADS / (int)((threads + 31) / 32 * 32);
        if (blocks > MAX_RESIDENT_BLOCKS)
            blocks = MAX_RESIDENT_BLOCKS;
        if (blocks > shared_blocks)
            blocks = shared_blocks;
        if ((unsigned long long)l->grid.x * l->grid.y * l->grid.z > (unsigned long long)blocks * (unsigned)processors)
            return *why = "a cooperative grid must fit on the device at once", cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

void cpudev_submit(cpudev_kernel *k, const void *closure, const cpudev_work *work)
{
    launch l = cpudev_on_device() ? nested_pop() : pending[--npending];
    api_call call_ __attribute__((cleanup(api_leave))) = {0};
    if (!l.told)
        call_ = api_enter_from("cudaLaunchKernel", l.caller);
    cudaError_t e = device_ready();
    const char *why;
    struct CUstream_st *s = NULL;
    if (!e && !(s = stream_of(l.stream)))
        e = cudaErrorInvalidResourceHandle;
    if (!e && (e = launch_error(&l, k, &why)))
        tell_why(why);
    if (!e && s->grid && s->grid->generation == MAX_DEPTH)
        e = cudaErrorLaunchMaxDepthExceeded;
    if (e && !call_.nested)
        TELL(launch_failed, kernel_display(k), (int)e);
    if (!e) {
        command *c = command_new(C_KERNEL);
        c->kernel = k;
        c->work = work;
        c->grid = l.grid;
        c->block = l.block;
        c->shared = l.shared;
        c->cooperative = l.cooperative;
        c->file = l.file;
        c->line = l.line;
        c->units = (unsigned long long)l.grid.x * l.grid.y * l.grid.z;
        c->closure = work->size <= sizeof c->inline_closure && work->align <= 16 ? c->inline_closure : closure_room(work);
        memcpy(c->closure, closure, work->size);
        k->launches++;
        k->tag = work->tag;
        e = command_queue(c, s);
    }
    if (l.result)
        *l.result = e;
    call_.status = record_error(e);
}

static cudaError_t launch_with_args(const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream, bool cooperative)
{
    if (!func)
        return cudaErrorInvalidDeviceFunction;
    cudaError_t e = device_ready(), result = cudaSuccess;
    if (e)
        return e;
    launch l = {grid, block, shared, stream, "", 0, cooperative, true, &result, NULL, 0};
    if (npending == 8)
        return cudaErrorLaunchFailure;
    pending[npending++] = l;
    current_args = args;
    current_function = func;
    enter_mode = ARGUMENTS;
    void (*f)(void);
    memcpy(&f, &func, sizeof f);
    f();
    return result;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    API;
    RETURN(launch_with_args(func, grid, block, args, shared, stream, false));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    API;
    RETURN(launch_with_args(func, grid, block, args, shared, stream, true));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    API;
    if (!config)
        RETURN(cudaErrorInvalidValue);
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        if (config->attrs[i].id == cudaLaunchAttributeCooperative)
            cooperative = config->attrs[i].val.cooperative;
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension &&
            config->attrs[i].val.clusterDim.x * config->attrs[i].val.clusterDim.y * config->attrs[i].val.clusterDim.z > 1) {
            message("thread block clusters are not supported by the CPU device");
            RETURN(cudaErrorNotSupported);
        }
    }
    RETURN(launch_with_args(func, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream, cooperative));
}

cudaError_t cudaDeviceReset(void)
{
    API;
    device_ready();
    pthread_mutex_lock(&lock);
    HELP_UNTIL(unfinished == 0);
    pthread_mutex_unlock(&lock);
    memory_reset();
    atomic_store(&sticky, 0);
    RETURN(cudaSuccess);
}
cudaError_t cudaThreadExit(void)
{
    API;
    return call_.status = cudaDeviceReset();
}
