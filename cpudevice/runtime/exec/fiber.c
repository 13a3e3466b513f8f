/* fiber.c: a block's threads as fibers. */
#undef _FORTIFY_SOURCE /* its longjmp() takes a jump from a fiber's stack to the worker's for an error */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "exec/fiber.h"
#include "exec/cluster.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "device/device_state.h"
#include "launch/kernel_info.h"
#include "warp/meet.h"
#include "device/message.h"
#include "exec/order.h"
#include "observe/observers.h"
#include "device/sizes.h"
#include "observe/tell_block.h"
#include "exec/thread.h"

/* Enough stacks for the block; they are kept for the next one. */
static void ready_stacks(cpudev_worker *w, unsigned count)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t want = device_limits[cudaLimitStackSize] * 2 + 48 * 1024 + observed.stack_bytes;
    want = (want + page - 1) / page * page + page;
    if (w->stacks.memory && (want > w->stacks.bytes || count > w->stacks.count)) {
        munmap(w->stacks.memory, w->stacks.bytes * w->stacks.count);
        w->stacks.memory = NULL;
    }
    if (!w->stacks.memory) {
        w->stacks.bytes = want;
        w->stacks.count = count <= 256 ? 256 : MAX_THREADS;
        w->stacks.memory = mmap(NULL, w->stacks.bytes * w->stacks.count, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (w->stacks.memory == MAP_FAILED) {
            w->stacks.memory = NULL;
            refused("no memory for the stacks of %u threads", count);
            fail_kernel(cudaErrorLaunchOutOfResources);
        }
        w->stacks.ready = 0;
    }
    for (; w->stacks.ready < count; w->stacks.ready++)
        if (w->index < 24) /* the kernel has a limit on mappings */
            mprotect(w->stacks.memory + w->stacks.ready * w->stacks.bytes, page, PROT_NONE);
}

/* The top is moved by a few lines from stack to stack, or all hot frames would fall into the same cache sets. */
static inline void *stack_top(const cpudev_worker *w, unsigned t)
{
    char *top = w->stacks.memory + (t + 1) * w->stacks.bytes - (t % 16) * 256 - 64;
    return (void *)(((uintptr_t)top & ~(uintptr_t)15) - 8); /* as after a call */
}

void thread_ended(cpudev_worker *w, cpudev_fiber *me, unsigned t)
{
    cpudev_block *b = &cpudev_tls;
    me->live = 0;
    me->prev->next = me->next;
    me->next->prev = me->prev;
    w->warps[t / WARP].live &= ~(1u << t % WARP);
    w->progress++;
    w->watch.ended++;
    b->live--;
    if (w->cluster)
        cluster_thread_ended(w, t);
    if (b->live && b->arrived == b->live) {
        b->arrived = 0;
        b->epoch++;
        barrier_released();
    }
}

static void fiber_end(cpudev_worker *w) __attribute__((noreturn));

static void fiber_main(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (observed.threads)
        tell_thread();
    w->progress++;
    w->work->run_thread(w->closure);
    fiber_end(w);
}

static void fiber_end(cpudev_worker *w)
{
    TELL(thread_exit, cpudev_tid());
    cpudev_fiber *me = cpudev_tls.current;
    unsigned t = (unsigned)(me - w->fibers);
    thread_ended(w, me, t);
    if (w->warps[t / WARP].arrived)
        retry_warp(w, t / WARP);
    go(&w->scratch, cpudev_tls.live ? me->next : w->root);
    __builtin_unreachable();
}

#ifdef CPUDEV_UCONTEXT
/* Machines without an assembly switch: sp holds a ucontext_t. */
void cpudev_switch(cpudev_fiber *from, cpudev_fiber *to)
{
    ucontext_t here;
    from->sp = &here; /* cppcheck-suppress autoVariables ; it lives until `from` goes on */
    if (to->ip) {
        to->ip = NULL;
        static __thread ucontext_t fresh;
        getcontext(&fresh);
        cpudev_worker *w = cpudev_tls.worker;
        unsigned t = (unsigned)(to - w->fibers);
        fresh.uc_stack.ss_sp = w->stacks.memory + t * w->stacks.bytes + 4096;
        fresh.uc_stack.ss_size = w->stacks.bytes - 4096;
        fresh.uc_link = NULL;
        makecontext(&fresh, fiber_main, 0);
        swapcontext(&here, &fresh);
    } else
        swapcontext(&here, to->sp);
}

#endif

/* In another order than forward: the running thread, and those that have not begun, form the ring in that order; the
 * others have ended. */
static void link_in_order(cpudev_worker *w, unsigned running)
{
    const unsigned n = w->threads;
    cpudev_fiber *root = w->fibers + running, *last = root;
    for (unsigned i = 0; i < (n + WARP - 1) / WARP; i++)
        w->warps[i].live = 0;
    for (unsigned t = 0; t < n; t++)
        w->fibers[t].live = 0;
    for (unsigned place = w->place; place < n; place++) {
        const unsigned t = (unsigned)order_number(place, n);
        cpudev_fiber *f = w->fibers + t;
        w->warps[t / WARP].live |= 1u << t % WARP;
        f->live = 1;
        f->prev = last;
        last->next = f;
        last = f;
    }
    last->next = root;
    root->prev = last;
}

/* Not me->next: a thread that waits for its warp hands over to another lane of it, and so passes over the threads between
 * them in the ring, of which one may be what all the others poll for. Each thread has its turn here. */
cpudev_fiber *next_in_order(cpudev_worker *w, cpudev_fiber *me)
{
    for (unsigned tries = 0; tries < w->threads; tries++) {
        w->place = w->place + 1 < w->threads ? w->place + 1 : 0;
        cpudev_fiber *f = w->fibers + order_number(w->place, w->threads);
        if (f->live && f != me)
            return f;
    }
    return me;
}

/* The running thread has to wait: it becomes a fiber, and so does every thread that has not begun. */
void cpudev_fork(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (!w || !w->in_kernel) {
        message("a device function that waits for other threads was called by host code");
        abort();
    }
    if (w->work->run_block) {
        message("internal error: a kernel that should never wait waits: %s", kernel_display(w->command->kernel));
        abort();
    }
    const unsigned running = cpudev_tid(), first = order_is_forward ? running : 0, n = w->threads;
    ready_stacks(w, n);
    unsigned x = 0, y = 0, z = 0;
    if (order_is_forward) {
        x = threadIdx.x;
        y = threadIdx.y;
        z = threadIdx.z;
    }
    const unsigned bx = blockDim.x, by = blockDim.y;
    for (unsigned i = 0; i < (n + WARP - 1) / WARP; i++) {
        unsigned lanes = n - i * WARP >= WARP ? ~0u : (1u << (n - i * WARP)) - 1;
        if (i * WARP < first)
            lanes &= first - i * WARP >= WARP ? 0 : ~0u << (first - i * WARP);
        w->warps[i].live = lanes;
        w->warps[i].arrived = 0;
    }
    for (unsigned t = 0; t < first; t++)
        w->fibers[t].live = 0;
    cpudev_fiber *f = w->fibers + first;
    for (unsigned t = first; t < n; t++, f++) {
        f->ip = (void *)fiber_main;
        f->sp = stack_top(w, t);
        f->next = f + 1;
        f->prev = f - 1;
        f->tid.x = x;
        f->tid.y = y;
        f->tid.z = z;
        f->barrier = 0;
        f->request = NULL;
        f->live = 1;
        f->waiting = 0;
        if (++x == bx) {
            x = 0;
            if (++y == by) {
                y = 0;
                z++;
            }
        }
    }
    cpudev_fiber *root = w->fibers + first, *last = w->fibers + n - 1;
    last->next = root;
    root->prev = last;
    if (!order_is_forward) {
        link_in_order(w, running);
        root = w->fibers + running;
    }
    w->root = root;
    w->idle = 0;
    cpudev_tls.current = root;
}

/* The running thread leaves the kernel here; the others go on without it, or end with it if they run in a loop. */
void cpudev_thread_kill(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_fiber *me = cpudev_tls.current;
    if (me && me != w->root)
        fiber_end(w);
    _longjmp(w->kill, 1);
}
