/* block.c: one block on one OS thread.
 *
 * Threads start as plain calls, one after the other.  The first that has to wait calls cpudev_fork: it keeps the
 * worker's stack as its fiber, and the threads that have not begun get stacks of their own.  Fibers hand over to each
 * other round the ring of live ones, so whoever waits is looked at again when its turn comes (wait.c). */
#undef _FORTIFY_SOURCE /* its longjmp() takes a jump from a fiber's stack to the worker's for an error */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "fiber.h"

__thread uint3 threadIdx, blockIdx;

__thread dim3 blockDim, gridDim;

__thread cpudev_block cpudev_tls;

unsigned cpudev_tid(void) { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

unsigned cpudev_lane(void) { return cpudev_tid() % WARP; }

int cpudev_on_device(void) { return cpudev_tls.worker && cpudev_tls.worker->in_kernel; }

unsigned cpudev_nsmid(void) { return (unsigned)processor_count(); }

unsigned cpudev_smid(void) { return this_worker ? (unsigned)this_worker->index % cpudev_nsmid() : 0; }

void describe_place(char *text, size_t size)
{
    cpudev_worker *w = this_worker;
    command *c = w ? w->command : NULL;
    if (!c) {
        snprintf(text, size, "host code");
        return;
    }
    if (w->work->run_block && ASK(loop_thread)) {
        unsigned t = running_thread();
        threadIdx = (uint3){t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
    } else if (w->work->run_block) { /* a loop over threads: which of them is not known here */
        snprintf(text, size, "kernel %s (%s:%d), block (%u,%u,%u) (cucc --check names the thread and the line)",
                 kernel_display(c->kernel), c->kernel->file, c->kernel->line, blockIdx.x, blockIdx.y, blockIdx.z);
        return;
    }
    snprintf(text, size, "kernel %s (%s:%d), block (%u,%u,%u), thread (%u,%u,%u)", kernel_display(c->kernel),
             c->kernel->file, c->kernel->line, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
             threadIdx.z);
}

/* Enough stacks for the block; they are kept for the next one. */
static void ready_stacks(cpudev_worker *w, unsigned count)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t want = device_limits[cudaLimitStackSize] * 2 + 48 * 1024 + observed.stack_bytes;
    want = (want + page - 1) / page * page + page;
    if (w->stacks && (want > w->stack_bytes || count > w->stack_count)) {
        munmap(w->stacks, w->stack_bytes * w->stack_count);
        w->stacks = NULL;
    }
    if (!w->stacks) {
        w->stack_bytes = want;
        w->stack_count = count <= 256 ? 256 : MAX_THREADS;
        w->stacks = mmap(NULL, w->stack_bytes * w->stack_count, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (w->stacks == MAP_FAILED) {
            w->stacks = NULL;
            message("no memory for the stacks of %u threads", count);
            fail_kernel(cudaErrorLaunchOutOfResources);
        }
        w->stacks_ready = 0;
    }
    for (; w->stacks_ready < count; w->stacks_ready++)
        if (w->index < 24) /* the kernel has a limit on mappings */
            mprotect(w->stacks + w->stacks_ready * w->stack_bytes, page, PROT_NONE);
}

/* The top is moved by a few lines from stack to stack, or all hot frames would fall into the same cache sets. */
static inline void *stack_top(const cpudev_worker *w, unsigned t)
{
    char *top = w->stacks + (t + 1) * w->stack_bytes - (t % 16) * 256 - 64;
    return (void *)(((uintptr_t)top & ~(uintptr_t)15) - 8); /* as after a call */
}

/* A thread has ended: others may have waited only for it. */
static void thread_ended(cpudev_worker *w, cpudev_fiber *me, unsigned t)
{
    cpudev_block *b = &cpudev_tls;
    me->live = 0;
    me->prev->next = me->next;
    me->next->prev = me->prev;
    w->warps[t / WARP].live &= ~(1u << t % WARP);
    w->progress++;
    w->ended++;
    b->live--;
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
        fresh.uc_stack.ss_sp = w->stacks + t * w->stack_bytes + 4096;
        fresh.uc_stack.ss_size = w->stack_bytes - 4096;
        fresh.uc_link = NULL;
        makecontext(&fresh, fiber_main, 0);
        swapcontext(&here, &fresh);
    } else
        swapcontext(&here, to->sp);
}
#endif

/* The running thread has to wait: it becomes a fiber, and so does every thread that has not begun. */
void cpudev_fork(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (!w || !w->in_kernel) {
        message("a device function that waits for other threads was called by host code");
        abort();
    }
    if (w->work->run_block) {
        message("internal error: a kernel taken for one without waiting waits: %s", kernel_display(w->command->kernel));
        abort();
    }
    unsigned first = cpudev_tid(), n = w->threads;
    ready_stacks(w, n);
    unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
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

/* A thread, or all threads of a block in a loop, on the worker's own stack. */
static void run_here(cpudev_worker *w, void (*run)(const void *))
{
    if (!observed.ends_threads || !_setjmp(w->kill))
        run(w->closure);
}

static void run_general(cpudev_worker *w, const dim3 size)
{
    for (unsigned z = 0, t = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++)
            for (unsigned x = 0; x < size.x; x++, t++) {
                threadIdx.x = x;
                threadIdx.y = y;
                threadIdx.z = z;
                cpudev_tls.polls = 0;
                if (observed.threads)
                    tell_thread();
                run_here(w, w->work->run_thread);
                TELL(thread_exit, cpudev_tid());
                if (!cpudev_tls.current) {
                    cpudev_tls.live--;
                    continue;
                }
                /* this thread has become a fiber on the way: the others run too, or have ended */
                cpudev_fiber *me = cpudev_tls.current;
                unsigned id = (unsigned)(me - w->fibers);
                thread_ended(w, me, id);
                if (w->warps[id / WARP].arrived)
                    retry_warp(w, id / WARP);
                if (cpudev_tls.live)
                    go(me, me->next);
                cpudev_tls.current = NULL;
                return;
            }
}

/* One pointer of each thread's own, for emulations that must remember something (cp.async); freed with the block. */
static __thread void *thread_slots[1024];

static __thread bool slots_used;

void **cpudev_thread_slot(void)
{
    slots_used = true;
    return &thread_slots[cpudev_tid() % 1024];
}

static void free_slots(void)
{
    for (unsigned t = 0; slots_used && t < 1024; t++) {
        free(thread_slots[t]);
        thread_slots[t] = NULL;
    }
    slots_used = false;
}

unsigned long long run_blocks(cpudev_worker *w, command *c, unsigned long long first, unsigned long long end)
{
    const dim3 grid = c->grid, size = c->block;
    w->command = c;
    w->block = first;
    w->block_end = end;
    w->work = c->work;
    w->closure = c->closure;
    w->threads = size.x * size.y * size.z;
    gridDim = grid;
    blockDim = size;
    cpudev_tls.worker = w;
    cpudev_tls.dynamic_shared = w->dynamic_shared;
    uint3 b = {(unsigned)(first % grid.x), (unsigned)(first / grid.x % grid.y), (unsigned)(first / grid.x / grid.y)};
    if (_setjmp(w->abort)) {
        w->in_kernel = 0;
        free_slots();
        cpudev_tls.current = NULL;
        cpudev_tls.worker = NULL;
        w->command = NULL;
        TELL(block_end);
        set_sticky(w->abort_status);
        return w->block_end - first;
    }
    for (unsigned long long i = first; i < w->block_end; i++) {
        blockIdx = b;
        w->block = i;
        cpudev_tls.arrived = 0;
        cpudev_tls.live = w->threads;
        cpudev_tls.epoch = 0;
        cpudev_tls.current = NULL;
        w->progress = 0;
        w->yields = 0;
        w->grid_epoch = ~0u;
        if (__builtin_expect(w->nested, 0))
            nested_block_begin(w);
        atomic_store_explicit(&w->heartbeat, atomic_load_explicit(&w->heartbeat, memory_order_relaxed) + 1,
                              memory_order_relaxed);
        if (observed.threads)
            tell_block(w, c);
        w->in_kernel = 1;
        if (c->work->run_block) {
            if (observed.threads)
                tell_loop();
            run_here(w, w->work->run_block);
            TELL(thread_exit, running_thread());
        } else
            run_general(w, size);
        w->in_kernel = 0;
        free_slots();
        TELL(block_end);
        if (c->cooperative)
            grid_left(c);
        if (++b.x == grid.x) {
            b.x = 0;
            if (++b.y == grid.y) {
                b.y = 0;
                b.z++;
            }
        }
    }
    cpudev_tls.worker = NULL;
    w->command = NULL;
    return w->block_end - first;
}

void fail_kernel(int status)
{
    cpudev_worker *w = this_worker;
    w->abort_status = status;
    _longjmp(w->abort, 1);
}
