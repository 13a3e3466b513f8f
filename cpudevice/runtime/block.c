/* block.c: one block on one OS thread.
 *
 * Threads start as plain calls, one after the other.  The first that has to wait calls cpudev_fork: it keeps the
 * worker's stack as its fiber, and the threads that have not begun get stacks of their own.  Fibers hand over to each
 * other round the ring of live ones, so whoever waits is looked at again when its turn comes.  If a whole round brings
 * nothing, the block is deadlocked. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* its longjmp() takes a jump from a fiber's stack to the worker's for an error */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime.h"
#include "tell.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;
__thread cpudev_block cpudev_tls;

static __thread cpudev_worker *this_worker;

/* ---- where we are -------------------------------------------------------------------------- */

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
    } else if (w->work->run_block) {   /* a loop over threads: which of them is not known here */
        snprintf(text, size, "kernel %s (%s:%d), block (%u,%u,%u) (cucc --check names the thread and the line)",
                 kernel_display(c->kernel), c->kernel->file, c->kernel->line, blockIdx.x, blockIdx.y, blockIdx.z);
        return;
    }
    snprintf(text, size, "kernel %s (%s:%d), block (%u,%u,%u), thread (%u,%u,%u)", kernel_display(c->kernel), c->kernel->file,
             c->kernel->line, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
}

/* ---- stacks -------------------------------------------------------------------------------- */

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
        w->stacks = mmap(NULL, w->stack_bytes * w->stack_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (w->stacks == MAP_FAILED) {
            w->stacks = NULL;
            message("no memory for the stacks of %u threads", count);
            fail_kernel(cudaErrorLaunchOutOfResources);
        }
        w->stacks_ready = 0;
    }
    for (; w->stacks_ready < count; w->stacks_ready++)
        if (w->index < 24)   /* the kernel has a limit on mappings */
            mprotect(w->stacks + w->stacks_ready * w->stack_bytes, page, PROT_NONE);
}

/* The top is moved by a few lines from stack to stack, or all hot frames would fall into the same cache sets. */
static inline void *stack_top(const cpudev_worker *w, unsigned t)
{
    char *top = w->stacks + (t + 1) * w->stack_bytes - (t % 16) * 256 - 64;
    return (void *)(((uintptr_t)top & ~(uintptr_t)15) - 8);   /* as after a call */
}

/* ---- fibers -------------------------------------------------------------------------------- */

static inline void barrier_released(void)
{
    if (__builtin_expect(observed.threads, 0))
        tell_barrier();
}

static inline void go(cpudev_fiber *from, cpudev_fiber *to)
{
    cpudev_tls.current = to;
    threadIdx = to->tid;
    if (__builtin_expect(observed.threads, 0))
        tell_turn(to);
    cpudev_switch(from, to);
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
    w->events++;
    b->live--;
    if (b->live && b->arrived == b->live) {
        b->arrived = 0;
        b->epoch++;
        barrier_released();
    }
}

static void retry_warp(cpudev_worker *w, unsigned warp);

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
    from->sp = &here;    /* cppcheck-suppress autoVariables ; it lives until `from` goes on */
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

/* ---- blocks -------------------------------------------------------------------------------- */

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

void run_blocks(cpudev_worker *w, command *c, unsigned long long first, unsigned long long end)
{
    const dim3 grid = c->grid, size = c->block;
    w->command = c;
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
        return;
    }
    for (unsigned long long i = first; i < end; i++) {
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
        atomic_store_explicit(&w->heartbeat, atomic_load_explicit(&w->heartbeat, memory_order_relaxed) + 1, memory_order_relaxed);
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
}

void fail_kernel(int status)
{
    cpudev_worker *w = this_worker;
    w->abort_status = status;
    _longjmp(w->abort, 1);
}

/* ---- waiting ------------------------------------------------------------------------------- */

static bool blocked(const cpudev_fiber *f)
{
    return f->barrier == cpudev_tls.epoch + 1 || (f->request && !f->request->done) || f->waiting;
}

static void report_deadlock(cpudev_worker *w)
{
    static const char *const names[] = {"warp function (shuffle, match or reduce)", "__shfl_sync", "vote (__ballot_sync, __any_sync, ...)", "__syncwarp", "__activemask", "matrix instruction"};
    command *c = w->command;
    fflush(stdout);
    fprintf(stderr, "CPU device: deadlock in kernel %s (%s:%d), block (%u,%u,%u): every thread that has not ended waits\n",
            kernel_display(c->kernel), c->kernel->file, c->kernel->line, blockIdx.x, blockIdx.y, blockIdx.z);
    unsigned at_barrier = 0, ended = 0, in_warp[OPS] = {0}, elsewhere = 0;
    const cpudev_fiber *first_barrier = NULL, *first_warp[OPS] = {0};
    for (unsigned t = 0; t < w->threads; t++) {
        const cpudev_fiber *f = &w->fibers[t];
        if (!f->live)
            ended++;
        else if (f->request && !f->request->done) {
            if (!in_warp[f->request->op]++)
                first_warp[f->request->op] = f;
        } else if (f->barrier == cpudev_tls.epoch + 1) {
            if (!at_barrier++)
                first_barrier = f;
        } else
            elsewhere++;
    }
    if (at_barrier)
        fprintf(stderr, "  %u at __syncthreads(), the first of them thread (%u,%u,%u)\n", at_barrier, first_barrier->tid.x,
                first_barrier->tid.y, first_barrier->tid.z);
    for (int i = 0; i < OPS; i++)
        if (in_warp[i])
            fprintf(stderr, "  %u at %s with mask 0x%08x, the first of them thread (%u,%u,%u)\n", in_warp[i], names[i],
                    first_warp[i]->request->mask, first_warp[i]->tid.x, first_warp[i]->tid.y, first_warp[i]->tid.z);
    if (elsewhere)
        fprintf(stderr, "  %u at another barrier (cooperative groups, cuda::barrier)\n", elsewhere);
    if (ended)
        fprintf(stderr, "  %u have ended\n", ended);
    fprintf(stderr, "  usual cause: a barrier or a warp function inside a branch that some of the threads do not take\n");
}

/* One turn of waiting.  Called when the thread looked and found that it must go on waiting. */
static void wait_turn(cpudev_worker *w)
{
    cpudev_fiber *me = cpudev_tls.current;
    unsigned stamp = w->progress + cpudev_tls.epoch + cpudev_tls.arrived;
    if (stamp != w->seen_progress) {
        w->seen_progress = stamp;
        w->idle = 0;
    } else if (++w->idle > 2 * cpudev_tls.live + 2) {
        if (w->command->cooperative && w->idle < 1u << 30 && w->waits_outside) {
            sched_yield();
        } else {
            if (observed.threads)
                tell_deadlock(w);
            if (!observed.reports_deadlock)
                report_deadlock(w);
            fail_kernel(cudaErrorLaunchFailure);
        }
    }
    go(me, me->next);
}

/* Its turn has come, but the barrier's has not. */
void cpudev_barrier_again(unsigned epoch)
{
    while (cpudev_tls.epoch == epoch)
        wait_turn(cpudev_tls.worker);
}

/* The thread has come to the barrier and is not the last (a checked program's way; others go on inline). */
void cpudev_barrier_wait(void)
{
    cpudev_fiber *me = cpudev_tls.current;
    if (__builtin_expect(!me, 0)) {
        cpudev_fork();
        me = cpudev_tls.current;
    }
    const unsigned epoch = cpudev_tls.epoch;
    me->barrier = epoch + 1;
    cpudev_fiber *to = me->next;
    __builtin_prefetch(to->next->sp);
    go(me, to);
    while (__builtin_expect(cpudev_tls.epoch == epoch, 0))
        wait_turn(cpudev_tls.worker);
}

void cpudev_syncthreads(void)
{
    cpudev_block *b = &cpudev_tls;
    if (!b->worker)
        cpudev_fork();   /* says why not */
    if (__builtin_expect(observed.threads, 0))
        tell_arrive(__builtin_return_address(0));
    if (++b->arrived == b->live) {
        b->arrived = 0;
        b->epoch++;
        barrier_released();
        return;
    }
    cpudev_barrier_wait();
}

/* __syncthreads() of a checked program: `place` is what the compiler says of its place, or NULL. */
void cpudev_syncthreads_at(const void *place);
void cpudev_syncthreads_at(const void *place)
{
    if (observed.threads)
        tell_site(__builtin_return_address(0), place);
    cpudev_syncthreads();
}

/* Of a checked program, between two loops over the threads: none of them can have missed it. */
void cpudev_loop_barrier(void);
void cpudev_loop_barrier(void)
{
    cpudev_tls.epoch++;
    barrier_released();
}

int cpudev_syncthreads_reduce(int pred, int op)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (!w)
        cpudev_fork();
    unsigned slot = cpudev_tls.epoch & 1;
    if (cpudev_tls.arrived == 0) {
        w->reduce[slot].sum = 0;
        w->reduce[slot].and_ = 1;
        w->reduce[slot].or_ = 0;
    }
    w->reduce[slot].sum += pred != 0;
    w->reduce[slot].and_ &= pred != 0;
    w->reduce[slot].or_ |= pred != 0;
    if (observed.threads)
        tell_site(__builtin_return_address(0), NULL);
    cpudev_syncthreads();
    return op == 0 ? w->reduce[slot].sum : op == 1 ? w->reduce[slot].and_ : w->reduce[slot].or_;
}

void cpudev_wait(int (*ready)(void *), void *arg, const char *what)
{
    (void)what;
    if (ready(arg))
        return;
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_fiber *me = cpudev_tls.current;
    w->progress++;   /* whatever it did before may be what another waits for */
    if (observed.threads)
        tell_wait(__builtin_return_address(0));
    me->waiting = 1;
    while (!ready(arg))
        wait_turn(w);
    me->waiting = 0;
    w->progress++;
}

/* ---- warps --------------------------------------------------------------------------------- */

static inline unsigned lanes_of(cpudev_worker *w, unsigned warp, unsigned mask, unsigned lane)
{
    return (mask | 1u << lane) & w->warps[warp].live;
}

static inline void copy_small(void *to, const void *from, unsigned bytes)
{
    switch (bytes) {
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    case 16: memcpy(to, from, 16); break;
    case 24: memcpy(to, from, 24); break;
    case 32: memcpy(to, from, 32); break;
    case 40: memcpy(to, from, 40); break;
    default: memcpy(to, from, bytes);
    }
}

/* All lanes in r's mask are there: do what they came for. */
static void meet(cpudev_fiber *base, unsigned lanes, int op)
{
    unsigned ballot = 0;
    if (op == OP_CALL) {
        void *outs[WARP] = {0};
        for (unsigned m = lanes; m; m &= m - 1)
            outs[__builtin_ctz(m)] = base[__builtin_ctz(m)].request->out;
        base[__builtin_ctz(lanes)].request->call(outs);
    }
    if (op == OP_BALLOT)
        for (unsigned m = lanes; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            ballot |= (unsigned)(base[l].request->src != 0) << l;
        }
    for (unsigned m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        cpudev_request *r = base[l].request;
        switch (op) {
        case OP_BALLOT:
            *(unsigned *)r->out = ballot;
            break;
        case OP_SHUFFLE:
            if (r->src < WARP && (lanes >> r->src & 1))
                switch (r->bytes) {
                case 4: memcpy(r->out, base[r->src].request->in, 4); break;
                case 8: memcpy(r->out, base[r->src].request->in, 8); break;
                default: memcpy(r->out, base[r->src].request->in, r->bytes);
                }
            break;
        case OP_GATHER:
            for (unsigned k = 0; k < WARP; k++)
                if (lanes >> k & 1)
                    copy_small((char *)r->out + k * r->bytes, base[k].request->in, r->bytes);
                else
                    memset((char *)r->out + k * r->bytes, 0, r->bytes);
            break;
        default:
            break;
        }
    }
    for (unsigned m = lanes; m; m &= m - 1)
        base[__builtin_ctz(m)].request->done = 1;
}

static bool try_meet(cpudev_worker *w, unsigned warp, unsigned lane)
{
    cpudev_fiber *base = w->fibers + warp * WARP;
    cpudev_request *mine = base[lane].request;
    unsigned lanes = lanes_of(w, warp, mine->mask, lane);
    if ((w->warps[warp].arrived & lanes) != lanes)
        return false;
    for (unsigned m = lanes; m; m &= m - 1) {
        cpudev_request *r = base[__builtin_ctz(m)].request;
        if (!r || r->done || r->op != mine->op || r->mask != mine->mask || r->bytes != mine->bytes ||
            (r->op == OP_CALL && r->call != mine->call))
            return false;
    }
    if (__builtin_expect(observed.threads, 0))
        tell_meet(w, warp, lanes, mine->op);
    meet(base, lanes, mine->op);
    w->warps[warp].arrived &= ~lanes;
    w->progress++;
    w->events++;
    return true;
}

/* A lane has ended: those that named it in their mask wait no longer. */
static void retry_warp(cpudev_worker *w, unsigned warp)
{
    for (unsigned m = w->warps[warp].arrived; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        cpudev_request *r = w->fibers[warp * WARP + l].request;
        if (r && !r->done && r->op != OP_ACTIVE)
            try_meet(w, warp, l);
    }
}

/* The next lane of the warp that can run, or NULL. */
static cpudev_fiber *runnable_lane(cpudev_worker *w, unsigned warp, unsigned lane)
{
    cpudev_fiber *base = w->fibers + warp * WARP;
    unsigned others = w->warps[warp].live & ~w->warps[warp].arrived & ~(1u << lane);
    unsigned after = others & ~((2u << lane) - 1u);
    if (lane == 31)
        after = 0;
    for (int half = 0; half < 2; half++, after = others)
        for (unsigned m = after; m; m &= m - 1) {
            cpudev_fiber *f = base + __builtin_ctz(m);
            if (!blocked(f))
                return f;
        }
    return NULL;
}

static void warp_request(cpudev_request *r)
{
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_fiber *me = cpudev_tls.current;
    unsigned t = (unsigned)(me - w->fibers), warp = t / WARP, lane = t % WARP;
    me->request = r;
    w->warps[warp].arrived |= 1u << lane;
    if (__builtin_expect(observed.threads, 0))
        tell_lane(r);
    if (!try_meet(w, warp, lane)) {
        w->progress++;
        for (;;) {
            cpudev_fiber *to = runnable_lane(w, warp, lane);
            if (to)
                go(me, to);
            else
                wait_turn(w);
            if (r->done)
                break;
        }
    }
    me->request = NULL;
}

void cpudev_warp_allgather(unsigned mask, const void *mine, void *all, unsigned bytes)
{
    cpudev_request r = {.mask = mask, .op = OP_GATHER, .in = mine, .out = all, .bytes = bytes};
    r.site = __builtin_return_address(0);
    warp_request(&r);
}

void warp_call_at(void (*call)(void *const *lanes), void *mine, const void *site)
{
    cpudev_request r = {.mask = ~0u, .op = OP_CALL, .out = mine, .call = call};
    r.site = site;
    warp_request(&r);
}

void cpudev_warp_call(void (*call)(void *const *lanes), void *mine) { warp_call_at(call, mine, __builtin_return_address(0)); }

void cpudev_warp_shuffle(unsigned mask, const void *mine, void *result, unsigned bytes, unsigned src)
{
    cpudev_request r = {.mask = mask, .op = OP_SHUFFLE, .in = mine, .out = result, .bytes = bytes, .src = src};
    r.site = __builtin_return_address(0);
    warp_request(&r);
}

unsigned cpudev_ballot(unsigned mask, int pred)
{
    unsigned result = 0;
    cpudev_request r = {.mask = mask, .op = OP_BALLOT, .out = &result, .src = pred != 0};
    r.site = __builtin_return_address(0);
    warp_request(&r);
    return result;
}

void cpudev_syncwarp(unsigned mask)
{
    cpudev_request r = {.mask = mask, .op = OP_SYNC};
    r.site = __builtin_return_address(0);
    warp_request(&r);
}

/* The lanes that reach this place together: those that have come when no other lane of the warp can go on. */
unsigned cpudev_activemask(const void *site)
{
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_fiber *me = cpudev_tls.current;
    unsigned t = (unsigned)(me - w->fibers), warp = t / WARP, lane = t % WARP, result = 0;
    cpudev_request r = {.op = OP_ACTIVE, .out = &result, .site = site};
    me->request = &r;
    w->warps[warp].arrived |= 1u << lane;
    w->progress++;
    for (int tries = 0; !r.done; tries++) {
        cpudev_fiber *to = tries < 256 ? runnable_lane(w, warp, lane) : NULL;
        if (to) {
            go(me, to);
            continue;
        }
        cpudev_fiber *base = w->fibers + warp * WARP;
        unsigned together = 0;
        for (unsigned m = w->warps[warp].arrived; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            cpudev_request *o = base[l].request;
            if (o && !o->done && o->op == OP_ACTIVE && o->site == site)
                together |= 1u << l;
        }
        for (unsigned m = together; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            *(unsigned *)base[l].request->out = together;
            base[l].request->done = 1;
        }
        w->warps[warp].arrived &= ~together;
        w->progress++;
    }
    me->request = NULL;
    return result;
}

/* ---- polling ------------------------------------------------------------------------------- */

void cpudev_yield(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (!w || !w->in_kernel || w->work->run_block) {
        sched_yield();
        return;
    }
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_fiber *me = cpudev_tls.current;
    w->progress++;
    w->yields++;
    if (w->yields % (2ull * cpudev_tls.live) == 0) {
        /* whole rounds of nothing but yields: perhaps it waits for another block, which needs a thread to run on */
        if (w->yields > 256ull * cpudev_tls.live) {
            need_more_threads();
            struct timespec nap = {0, 20000};
            nanosleep(&nap, NULL);
        } else
            sched_yield();
    }
    if (me->next != me)
        go(me, me->next);
}

void cpudev_poll(void)
{
    if (cpudev_tls.worker && cpudev_tls.worker->work->run_block)   /* nobody of this block to wait for */
        return;
    unsigned n = ++cpudev_tls.polls;
    if (cpudev_tls.current ? n % 8 == 0 : n >= 256)
        cpudev_yield();
}

/* ---- the grid ------------------------------------------------------------------------------ */

int cpudev_grid_is_cooperative(void) { return cpudev_tls.worker && cpudev_tls.worker->command->cooperative; }

void cpudev_grid_sync(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (!w || !w->command->cooperative) {
        char place[512];
        describe_place(place, sizeof place);
        tell_mistake(CPUDEV_SYNC_GRID, __builtin_return_address(0), 0);
        message("grid.sync() in a kernel that was not launched by cudaLaunchCooperativeKernel: %s", place);
        fail_kernel(cudaErrorLaunchFailure);
    }
    unsigned sum = (unsigned)cpudev_syncthreads_reduce(1, 0);
    (void)sum;
    /* the first to come out of the block's barrier waits for the other blocks, on behalf of all */
    if (cpudev_tls.arrived == 0 && w->grid_epoch != cpudev_tls.epoch) {
        w->grid_epoch = cpudev_tls.epoch;
        TELL(grid_sync);
        unsigned left = grid_barrier(w->command);
        if (left) {
            char place[512];
            describe_place(place, sizeof place);
            tell_mistake(CPUDEV_SYNC_GRID_STUCK, __builtin_return_address(0), left);
            message("grid.sync() waits for ever: %u blocks have ended without it: %s", left, place);
            fail_kernel(cudaErrorLaunchFailure);
        }
    }
    cpudev_syncthreads();
}

void cpudev_fence(int scope)
{
    atomic_thread_fence(memory_order_seq_cst);
    TELL(fence, scope);
}

/* ---- failing ------------------------------------------------------------------------------- */

void cpudev_trap(void)
{
    if (!cpudev_on_device())
        abort();
    char place[512];
    describe_place(place, sizeof place);
    message("__trap() in %s", place);
    tell_mistake(CPUDEV_SYNC_ASSERT, __builtin_return_address(0), 0);
    fail_kernel(cudaErrorLaunchFailure);
}

void cpudev_assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
    if (!cpudev_on_device())
        __assert_fail(expression, file, line, function);
    fflush(stdout);
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
            kernel_display(this_worker->command->kernel), blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, expression);
    tell_mistake(CPUDEV_SYNC_ASSERT, __builtin_return_address(0), 0);
    fail_kernel(cudaErrorAssert);
}

static struct sigaction previous_segv, previous_bus, previous_fpe, previous_ill;

static void on_fault(int sig, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t address = (uintptr_t)info->si_addr;
    cpudev_worker *w = this_worker;
    if (w && w->in_kernel) {
        char place[512];
        describe_place(place, sizeof place);
        const char *what = "is in no allocation";
        cudaError_t error = cudaErrorIllegalAddress;
        if (sig == SIGFPE) {
            message("integer division by zero in %s", place);
            fail_kernel(cudaErrorLaunchFailure);
        }
        if (sig == SIGILL) {
            message("illegal instruction in %s", place);
            fail_kernel(cudaErrorIllegalInstruction);
        }
        if (w->stacks && address >= (uintptr_t)w->stacks && address < (uintptr_t)w->stacks + w->stack_bytes * w->stack_count) {
            what = "is past the thread's stack: too much recursion or too large local arrays (cudaDeviceSetLimit(cudaLimitStackSize) raises it)";
            error = cudaErrorLaunchFailure;
        } else if (address < 65536)
            what = "is a null pointer (with an offset)";
        message("illegal address %p in %s: it %s", info->si_addr, place, what);
        tell_fault(error == cudaErrorLaunchFailure, context);
        fail_kernel(error);
    }
    if (region_of((void *)address) == R_DEVICE)
        report_host_fault(address);
    /* not ours: whoever had the signal before */
    struct sigaction *old = sig == SIGSEGV ? &previous_segv : sig == SIGBUS ? &previous_bus : sig == SIGFPE ? &previous_fpe : &previous_ill;
    if (old->sa_flags & SA_SIGINFO && old->sa_sigaction)
        old->sa_sigaction(sig, info, context);
    else if (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN) {
        signal(sig, SIG_DFL);
        /* returning runs the instruction again, which now ends the process */
    } else
        old->sa_handler(sig);
}

void install_fault_handler(void)
{
    struct sigaction a = {0};
    a.sa_sigaction = on_fault;
    a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&a.sa_mask);
    sigaction(SIGSEGV, &a, &previous_segv);
    sigaction(SIGBUS, &a, &previous_bus);
    sigaction(SIGFPE, &a, &previous_fpe);
    sigaction(SIGILL, &a, &previous_ill);
}

void arm_alternate_stack(void)
{
    stack_t s = {0};
    s.ss_size = 64 * 1024;
    s.ss_sp = mmap(NULL, s.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s.ss_sp != MAP_FAILED)
        sigaltstack(&s, NULL);
}

/* ---- the watchdog --------------------------------------------------------------------------
 * A thread looks at the workers now and then.  One that has not got anywhere for 100 ms may be polling memory that
 * another thread of its block is to write: it is interrupted and lets the others run.  After CUDA_CPU_WATCHDOG seconds
 * without progress (no block or thread ended, no barrier passed) the kernel fails. */

enum { TICK_MS = 50, PREEMPT_MS = 100, MAX_WATCHED = MAX_OS_THREADS + 64 };
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

static void on_watchdog(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)info;
    cpudev_worker *w = this_worker;
    if (!w || !w->in_kernel)
        return;
    uintptr_t pc = interrupted_at(context);
    if (w->watchdog_fired) {
        if (!in_kernel_code(pc) && w->watchdog_fired++ < 40)
            return;                     /* a better moment will come */
        static __thread bool telling;   /* the report may take longer than the next signal */
        if (telling)
            return;
        telling = true;
        char place[512];
        describe_place(place, sizeof place);
        tell_mistake(CPUDEV_SYNC_ENDLESS, (void *)pc, 0);
        telling = false;
        message("no progress for %g s in %s: no block or thread has ended and no barrier was passed.\n"
                "  (CUDA_CPU_WATCHDOG=SECONDS sets how long that may take; 0 switches it off)", watchdog_seconds, place);
        w->watchdog_fired = 0;
        fail_kernel(cudaErrorLaunchTimeout);
    }
    if (!w->work->run_block && in_kernel_code(pc))
        cpudev_yield();
}

static double cpu_ms(pthread_t thread)
{
    clockid_t clock;
    struct timespec t;
    if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &t))
        return 0;
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void *watch(void *unused)
{
    (void)unused;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_setname_np(pthread_self(), "cpudev-watch");
    for (;;) {
        wait_for_work();
        struct timespec tick = {0, TICK_MS * 1000000};
        nanosleep(&tick, NULL);
        pthread_mutex_lock(&watch_lock);
        for (int i = 0; i < nwatched; i++) {
            cpudev_worker *w = watched[i];
            unsigned long long now = atomic_load_explicit(&w->heartbeat, memory_order_relaxed) * 4096 + w->events + w->tls->epoch;
            double cpu = cpu_ms(w->pthread);
            if (!w->in_kernel || now != w->seen) {
                w->seen = now;
                w->stuck_ms = 0;
                w->cpu_ms = cpu;
                continue;
            }
            /* by the thread's own processor time, for the machine may be busy; one that sleeps (at the grid's barrier)
             * is given twenty times as long */
            w->stuck_ms += (cpu - w->cpu_ms) + TICK_MS / 20.0;
            w->cpu_ms = cpu;
            if (watchdog_seconds > 0 && w->stuck_ms > watchdog_seconds * 1000) {
                w->watchdog_fired++;
                pthread_kill(w->pthread, SIGURG);
            } else if (w->stuck_ms >= PREEMPT_MS && w->work && !w->work->run_block)
                pthread_kill(w->pthread, SIGURG);
        }
        pthread_mutex_unlock(&watch_lock);
    }
    return NULL;
}

void start_watchdog(void)
{
    watchdog_seconds = observed.watchdog_seconds > 0 ? observed.watchdog_seconds : 30;
    const char *wish = getenv("CUDA_CPU_WATCHDOG");
    if (wish)
        watchdog_seconds = atof(wish);
    struct sigaction a = {0};
    a.sa_sigaction = on_watchdog;
    a.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    sigemptyset(&a.sa_mask);
    sigaction(SIGURG, &a, NULL);
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (size_t size = 256 << 10; size <= (size_t)1 << 32 && pthread_attr_setstacksize(&attr, size) == 0 && pthread_create(&t, &attr, watch, NULL) == EINVAL; size *= 4)
        ;
    pthread_attr_destroy(&attr);
}

static void watch_worker(cpudev_worker *w)
{
    w->tls = &cpudev_tls;
    pthread_mutex_lock(&watch_lock);
    if (nwatched < MAX_WATCHED)
        watched[nwatched++] = w;
    pthread_mutex_unlock(&watch_lock);
}

static void unwatch_worker(cpudev_worker *w)
{
    pthread_mutex_lock(&watch_lock);
    for (int i = 0; i < nwatched; i++)
        if (watched[i] == w) {
            watched[i] = watched[--nwatched];
            break;
        }
    pthread_mutex_unlock(&watch_lock);
}

static pthread_key_t worker_key;
static pthread_once_t worker_once = PTHREAD_ONCE_INIT;
static _Atomic int worker_count;

static void worker_free(void *p)
{
    cpudev_worker *w = p;
    unwatch_worker(w);
    if (w->stacks)
        munmap(w->stacks, w->stack_bytes * w->stack_count);
    munmap(w->dynamic_shared - 4096, MAX_SHARED_OPTIN + 8192);
    free(w->fibers);
    free(w->launches);
    free(w->errors);
    free(w);
}

static void worker_key_make(void) { pthread_key_create(&worker_key, worker_free); }

cpudev_worker *worker_of_this_thread(void)
{
    if (this_worker)
        return this_worker;
    pthread_once(&worker_once, worker_key_make);
    cpudev_worker *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    w->fibers = aligned_alloc(64, MAX_THREADS * sizeof(cpudev_fiber));
    char *shared = mmap(NULL, MAX_SHARED_OPTIN + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!w->fibers || shared == MAP_FAILED)
        abort();
    memset(w->fibers, 0, MAX_THREADS * sizeof(cpudev_fiber));
    w->dynamic_shared = shared + 4096;
    w->index = atomic_fetch_add(&worker_count, 1);
    w->pthread = pthread_self();
    arm_alternate_stack();
    pthread_setspecific(worker_key, w);
    watch_worker(w);
    return this_worker = w;
}
