/* watchdog.c: kernels that do not get on.
 *
 * A thread looks at the workers now and then.  One that has not got anywhere for 100 ms may be polling memory that
 * another thread of its block is to write: it is interrupted and lets the others run.  After CUDA_CPU_WATCHDOG seconds
 * without progress the kernel fails.  Barriers are progress, but a loop that never ends may go on passing them: the
 * watchdog warns observers after as many seconds in which no thread has ended, and after six times as many the kernel
 * fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#include "exec/os_thread.h"
#include "exec/watchdog.h"
#include "device/hooks.h"
#include "cpudevice.h"
#include "device/message.h"
#include "observe/observer.h"
#include "observe/observers.h"
#include "device/sizes.h"
#include "observe/tell_block.h"
#include "exec/thread.h"

enum { NOT_YET, TELL_ONLY, WHEN_IT_SUITS, NOW }; /* what watchdog_fired asks for */
enum {
    TICK_MS = 50,
    PREEMPT_MS = 100,
    MEETINGS = 6 /* times as long for threads that go on meeting at barriers */,
    MAX_WATCHED = MAX_OS_THREADS + 64
};

static cpudev_worker *watched[MAX_WATCHED];

static int nwatched;

static pthread_mutex_t watch_lock = PTHREAD_MUTEX_INITIALIZER;

static double watchdog_seconds;

extern char __executable_start __attribute__((weak)), etext __attribute__((weak));

extern char __start_cpudev_text __attribute__((weak)), __stop_cpudev_text __attribute__((weak));

/* Is pc in the program's own code, where no lock of the C library or of the runtime is held? */
static bool in_kernel_code(uintptr_t pc)
{
    return &__executable_start && pc >= (uintptr_t)&__executable_start && pc < (uintptr_t)&etext &&
           !(pc >= (uintptr_t)&__start_cpudev_text && pc < (uintptr_t)&__stop_cpudev_text);
}

static uintptr_t interrupted_at(const void *context)
{
    const ucontext_t *u = context;
#if defined(__x86_64__)
    return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)u->uc_mcontext.pc;
#else
    (void)u;
    return 0;
#endif
}

static void end_kernel(cpudev_worker *w, const void *pc)
{
    cpudev_hold(); /* until fail_kernel(): what it says may take longer than the next signal */
    char place[512];
    describe_place(place, sizeof place);
    tell_mistake(CPUDEV_SYNC_ENDLESS, (void *)pc, 0);
    bool meets = w->watch.stuck_ms < w->watch.endless_ms / MEETINGS;
    message("no progress in %.1f s of processor time in %s: no block or thread has ended%s.\n"
            "  (CUDA_CPU_WATCHDOG=SECONDS sets how long that may take; 0 switches it off)",
            (meets ? w->watch.endless_ms : w->watch.stuck_ms) / 1000, place,
            meets ? ", though barriers were passed" : " and no barrier was passed");
    w->watch.fired = NOT_YET;
    w->watch.stuck_ms = w->watch.endless_ms = 0;
    fail_kernel(cudaErrorLaunchTimeout);
}

void cpudev_holds_none(void)
{
    cpudev_holds = 0;
    cpudev_worker *w = this_worker;
    if (w && w->in_kernel && !w->turn.waits && w->watch.fired == NOW)
        end_kernel(w, __builtin_return_address(0));
}

static void on_watchdog(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)info;
    cpudev_worker *w = this_worker;
    if (!w || !w->in_kernel || w->turn.waits)
        return;
    if (cpudev_holds) {
        if (w->watch.fired == NOW)
            cpudev_holds |= 1;
        return;
    }
    uintptr_t pc = interrupted_at(context);
    if (w->watch.fired == TELL_ONLY) {
        if (!in_kernel_code(pc))
            return;
        w->watch.fired = NOT_YET;
        w->watch.told_long = true;
        tell_mistake(CPUDEV_SYNC_LONG, (void *)pc, w->tls->epoch);
        return;
    }
    if (w->watch.fired) {
        if (!in_kernel_code(pc) && w->watch.fired != NOW)
            return; /* a better moment will come */
        end_kernel(w, (const void *)pc);
    }
    if (!w->work->run_block && in_kernel_code(pc))
        cpudev_yield();
}

/* before: what it was when it was last known, and is now if the system does not say. */
static double cpu_ms(pthread_t thread, double before)
{
    clockid_t clock;
    struct timespec t;
    if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &t))
        return before;
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* By the thread's own processor time, for the machine may be busy; one that sleeps (at the grid's barrier) is given
 * twenty times as long. */
static void watch_one(cpudev_worker *w)
{
    unsigned long long ends = atomic_load_explicit(&w->watch.heartbeat, memory_order_relaxed) * 4096 + w->watch.ended;
    unsigned long long steps = ends * 4096 + w->watch.events + w->tls->epoch;
    double cpu = cpu_ms(w->pthread, w->watch.cpu_ms), passed = cpu - w->watch.cpu_ms + TICK_MS / 20.0,
           limit = watchdog_seconds * 1000;
    w->watch.cpu_ms = cpu;
    w->watch.stuck_ms = w->in_kernel && steps == w->watch.steps ? w->watch.stuck_ms + passed : 0;
    w->watch.endless_ms = w->in_kernel && ends == w->watch.ends ? w->watch.endless_ms + passed : 0;
    if (ends != w->watch.ends)
        w->watch.told_long = false;
    w->watch.steps = steps;
    w->watch.ends = ends;
    /* The worker looks for a place in the program's own code in the last quarter of its time, so that the report names
     * a line of it; after that any place will do. */
    double share =
        (w->watch.stuck_ms > w->watch.endless_ms / MEETINGS ? w->watch.stuck_ms : w->watch.endless_ms / MEETINGS) /
        limit;
    int ask = NOT_YET;
    if (limit > 0 && share > 0.75)
        ask = share > 1 ? NOW : WHEN_IT_SUITS;
    else if (limit > 0 && w->watch.endless_ms > 0.75 * limit && w->watch.stuck_ms < PREEMPT_MS && !w->watch.told_long)
        ask = TELL_ONLY;
    w->watch.fired = ask;
    if (ask || (w->watch.stuck_ms >= PREEMPT_MS && w->work && !w->work->run_block))
        pthread_kill(w->pthread, SIGURG);
}

static void *watch(void *unused)
{
    (void)unused;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_setname_np(pthread_self(), "cpudev-watch");
    for (;;) {
        runtime_hooks.wait_for_work();
        struct timespec tick = {0, TICK_MS * 1000000};
        nanosleep(&tick, NULL);
        pthread_mutex_lock(&watch_lock);
        for (int i = 0; i < nwatched; i++)
            watch_one(watched[i]);
        pthread_mutex_unlock(&watch_lock);
    }
    return NULL;
}

double cpudev_watchdog_seconds(void)
{
    const char *wish = getenv("CUDA_CPU_WATCHDOG");
    return wish ? atof(wish) : observed.watchdog_seconds > 0 ? observed.watchdog_seconds : 30;
}

void start_watchdog(void)
{
    watchdog_seconds = cpudev_watchdog_seconds();
    struct sigaction a = {0};
    a.sa_sigaction = on_watchdog;
    a.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    sigemptyset(&a.sa_mask);
    sigaction(SIGURG, &a, NULL);
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    int e = EINVAL;
    for (size_t size = stack_size(256 << 10);
         e == EINVAL && size <= (size_t)1 << 32 && pthread_attr_setstacksize(&attr, size) == 0; size *= 4)
        e = pthread_create(&t, &attr, watch, NULL);
    pthread_attr_destroy(&attr);
    if (e) {
        errno = e;
        refused("the system refuses the thread that watches kernels, so a kernel whose threads wait for each other in "
                "a loop does not end");
    }
}

void watch_worker(cpudev_worker *w)
{
    w->tls = &cpudev_tls;
    pthread_mutex_lock(&watch_lock);
    if (nwatched < MAX_WATCHED)
        watched[nwatched++] = w;
    pthread_mutex_unlock(&watch_lock);
}

void unwatch_worker(cpudev_worker *w)
{
    pthread_mutex_lock(&watch_lock);
    for (int i = 0; i < nwatched; i++)
        if (watched[i] == w) {
            watched[i] = watched[--nwatched];
            break;
        }
    pthread_mutex_unlock(&watch_lock);
}
