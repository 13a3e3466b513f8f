/* check_core.c: between the runtime (runtime.h) and the checker (check_hooks.h). */
#define _GNU_SOURCE
#include <pthread.h>
#include <ucontext.h>

#include "runtime.h"
#include "hooks.h"
#include "check_internal.h"

__thread cpudev_api_site cpudev_api;

/* ---- threads of a block ------------------------------------------------------------------------ */

static __thread char *own_stack;            /* of this OS thread */
static __thread size_t own_stack_bytes;
static __thread size_t kernel_stack_bytes;   /* the part below the frame that runs the block */
static __thread const void *first_site;     /* of the barrier that is filling */
static __thread bool sites_differ;
static __thread const void *outer_site;
static __thread unsigned outer_place, first_place; /* line and column, if known */
static __thread unsigned place_of_thread[MAX_THREADS];
static __thread const void *site_of_thread[MAX_THREADS];
static __thread unsigned killed;            /* threads of this block that the checker ended */

static void know_stack(void)
{
    pthread_attr_t a;
    void *lo;
    if (own_stack || pthread_getattr_np(pthread_self(), &a))
        return;
    if (!pthread_attr_getstack(&a, &lo, &own_stack_bytes))
        own_stack = lo;
    pthread_attr_destroy(&a);
}

static void now(cpudev_worker *w, unsigned t, bool on_own_stack)
{
    if (on_own_stack)
        cpudev_checker->thread_now(t, own_stack, kernel_stack_bytes);
    else
        cpudev_checker->thread_now(t, w->stacks + t * w->stack_bytes, w->stack_bytes);
}

void hook_switch(cpudev_fiber *to)
{
    cpudev_worker *w = cpudev_tls.worker;
    now(w, (unsigned)(to - w->fibers), to == w->root);
}

void hook_thread_begin(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_fiber *me = cpudev_tls.current;
    if (me)
        now(w, (unsigned)(me - w->fibers), me == w->root);
    else
        now(w, cpudev_tid(), true);
}

/* All threads of the block run in loops, which say whose turn it is. */
void hook_loop_begin(void)
{
    cpudev_checker->loop_begin(own_stack, kernel_stack_bytes);
}

void hook_thread_end(void)
{
    cpudev_checker->thread_exit(cpudev_tid());
}

void hook_block_begin(cpudev_worker *w, command *c)
{
    know_stack();
    kernel_stack_bytes = (size_t)((char *)__builtin_frame_address(0) - own_stack);
    cpudev_block_info b = {.op = c->check, .block = {blockIdx.x, blockIdx.y, blockIdx.z}, .linear_block = w->block, .threads = w->threads,
                           .shared = (uint8_t *)w->dynamic_shared, .shared_bytes = MAX_SHARED_OPTIN, .dynamic_bytes = c->shared,
                           .args = c->closure, .args_bytes = c->work->size};
    first_site = NULL;
    sites_differ = false;
    killed = 0;
    cpudev_checker->block_begin(&b, NULL, 0);
}

void hook_block_end(cpudev_worker *w, command *c)
{
    (void)w;
    (void)c;
    cpudev_checker->block_end();
}

void hook_abort(cpudev_worker *w)
{
    (void)w;
    cpudev_checker->block_end();
}

/* The runtime's own thread-local variables that headers read. */
void check_core_storage(void (*mark)(void *p, size_t bytes))
{
    mark(&cpudev_tls, sizeof cpudev_tls);
    mark(&threadIdx, sizeof threadIdx);
    mark(&blockIdx, sizeof blockIdx);
    mark(&blockDim, sizeof blockDim);
    mark(&gridDim, sizeof gridDim);
}

/* ---- barriers --------------------------------------------------------------------------------------- */

void hook_barrier_site(const void *site) { outer_site = site; }

void hook_barrier_at(const void *site, const void *place)
{
    const struct { const char *file, *function; unsigned line, column; } *p = place; /* as g++ lays it out */
    outer_site = site;
    outer_place = p ? p->line << 12 ^ p->column : 0;
}

/* The thread waits, in a way of its own, for something that others do. */
void hook_wait_site(const void *site) { site_of_thread[cpudev_tid()] = site; }

void hook_arrive_at(const void *site)
{
    if (outer_site) {
        site = outer_site;
        outer_site = NULL;
    }
    if (cpudev_tls.arrived == 0) {
        first_site = site;
        first_place = outer_place;
        sites_differ = false;
    } else if (site != first_site || outer_place != first_place)
        sites_differ = true;
    site_of_thread[cpudev_tid()] = site;
    place_of_thread[cpudev_tid()] = outer_place;
    outer_place = 0;
}

static int waiters(cpudev_worker *w, cpudev_waiter *q, bool released)
{
    for (unsigned t = 0; t < w->threads; t++) {
        const cpudev_fiber *f = &w->fibers[t];
        q[t] = (cpudev_waiter){.thread = t};
        bool alive = cpudev_tls.current ? f->live : true;
        if (!alive)
            q[t].state = 3;
        else if (f->request && !f->request->done && cpudev_tls.current) {
            q[t].state = 2;
            q[t].pc = (void *)f->request->site;
            q[t].mask = f->request->mask;
        } else if (released || f->barrier == cpudev_tls.epoch + 1) {
            q[t].state = 1;
            q[t].pc = (void *)site_of_thread[t];
            q[t].place = place_of_thread[t];
        } else if (cpudev_tls.current && f->waiting) {
            q[t].state = 5;
            q[t].pc = (void *)site_of_thread[t];
        }
    }
    return (int)w->threads;
}

void hook_barrier_done(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    static __thread const void *said_exited, *said_different;
    unsigned left = w->threads - cpudev_tls.live;
    if (left > killed && cpudev_tls.live && said_exited != first_site) {
        static __thread cpudev_waiter q[MAX_THREADS];
        int n = waiters(w, q, true);
        said_exited = first_site;
        unsigned first = 0;
        while (first < w->threads && q[first].state != 1)
            first++;
        cpudev_checker->sync_error(CPUDEV_SYNC_EXITED, (void *)first_site, first, 0, q, n);
    }
    if (sites_differ && said_different != first_site) {
        static __thread cpudev_waiter q[MAX_THREADS];
        int n = waiters(w, q, true);
        said_different = first_site;
        unsigned first = 0;
        while (first < w->threads && (q[first].state != 1 || q[first].pc != first_site || q[first].place != first_place))
            first++;
        cpudev_checker->sync_error(CPUDEV_SYNC_DIFFERENT_BARRIERS, (void *)first_site, first, 0, q, n);
    }
    cpudev_checker->barrier();
}

void hook_deadlock(cpudev_worker *w)
{
    static __thread cpudev_waiter q[MAX_THREADS];
    int n = waiters(w, q, false);
    /* A lane that waits for its warp says more than the threads at the barrier behind it. */
    int which = -1;
    for (int i = 0; i < n && which < 0; i++)
        if (q[i].state == 2)
            which = i;
    for (int i = 0; i < n && which < 0; i++)
        if (q[i].state == 1 || q[i].state == 5)
            which = i;
    if (which < 0)
        which = 0;
    if (q[which].state == 2) {
        unsigned warp = (unsigned)which / WARP;
        int what = CPUDEV_SYNC_DEADLOCK;
        for (unsigned l = 0; l < WARP && warp * WARP + l < (unsigned)n; l++) {
            const cpudev_waiter *o = &q[warp * WARP + l];
            if (!(q[which].mask >> l & 1) || o->thread == (unsigned)which)
                continue;
            if (o->state == 2 && o->mask != q[which].mask)
                what = CPUDEV_SYNC_MASK_MISMATCH;
            else if (o->state != 2 && what == CPUDEV_SYNC_DEADLOCK)
                what = CPUDEV_SYNC_MASK_EXITED;
        }
        cpudev_checker->sync_error(what, q[which].pc, (unsigned)which, q[which].mask, q, n);
        if (what != CPUDEV_SYNC_DEADLOCK)
            return;
    } else
        cpudev_checker->sync_error(CPUDEV_SYNC_DEADLOCK, q[which].pc, (unsigned)which, 0, q, n);
}

void hook_endless(const void *pc)
{
    cpudev_checker->sync_error(CPUDEV_SYNC_ENDLESS, (void *)pc, cpudev_check_thread, 0, NULL, 0);
}

void hook_assert(const void *site)
{
    cpudev_checker->sync_error(CPUDEV_SYNC_ASSERT, (void *)site, cpudev_check_thread, 0, NULL, 0);
}

void hook_fault(bool stack, const void *context)
{
    const ucontext_t *u = context;
    void *pc = NULL;
#if defined(__x86_64__)
    pc = (void *)(u->uc_mcontext.gregs[REG_RIP] + 1);
#elif defined(__aarch64__)
    pc = (void *)(u->uc_mcontext.pc + 1);
#endif
    (void)u;
    cpudev_checker->sync_error(stack ? CPUDEV_SYNC_STACK : CPUDEV_SYNC_FAULT, pc, cpudev_check_thread, 0, NULL, 0);
}

/* `left` blocks have ended: the others wait for them at a grid barrier. */
void hook_grid_stuck(unsigned left, const void *site)
{
    cpudev_checker->sync_error(CPUDEV_SYNC_GRID_STUCK, (void *)site, cpudev_tid(), left, NULL, 0);
}

void hook_grid_misused(const void *site)
{
    cpudev_checker->sync_error(CPUDEV_SYNC_GRID, (void *)site, cpudev_check_thread, 0, NULL, 0);
}

/* Can a stream or event handle be looked at? One that was never set may be anything. */
bool hook_handle_ok(const void *p)
{
    uintptr_t a = (uintptr_t)p;
    return a % sizeof(void *) == 0 && a >= 65536 && check_readable(p);
}

void hook_no_texture(const void *site)
{
    check_misuse(TOOL_MEM, "texture", "a kernel uses a texture or surface object that was destroyed, or never created",
                 "cudaDestroyTextureObject belongs behind the synchronize after the last kernel that uses the object", (void *)site);
    cpudev_thread_kill();
}

void hook_texel(const void *p, unsigned bytes, const void *site) { check_touch_at(p, bytes, (void *)site); }

/* wmma: "the pointer must be 256-bit aligned", and rows are multiples of 16 bytes apart. */
void hook_tile(const void *p, size_t row_bytes, const void *site)
{
    if ((uintptr_t)p % 32)
        check_misuse(TOOL_MEM, "misaligned", "misaligned matrix tile: the address is no multiple of 32 bytes",
                     "load_matrix_sync and store_matrix_sync want tiles that begin at multiples of 256 bits", (void *)site);
    else if (row_bytes % 16)
        check_misuse(TOOL_MEM, "misaligned", "misaligned matrix tile: the leading dimension is no multiple of 16 bytes",
                     "the leading dimension must be a multiple of 8 half or 4 float elements: pad the rows by that much", (void *)site);
}

/* ---- warps ---------------------------------------------------------------------------------------------- */

void hook_warp_arrive(cpudev_worker *w, cpudev_request *r)
{
    (void)w;
    unsigned t = cpudev_tid(), lane = t % WARP;
    if (r->op == OP_ACTIVE)
        return;
    if (!(r->mask >> lane & 1))
        cpudev_checker->sync_error(CPUDEV_SYNC_MASK_SELF, (void *)r->site, t, r->mask, NULL, 0);
    else if (r->op == OP_SHUFFLE && r->src < WARP && (!(r->mask >> r->src & 1) || t - lane + r->src >= cpudev_tls.worker->threads))
        cpudev_checker->sync_error(CPUDEV_SYNC_SHFL_INACTIVE, (void *)r->site, t, r->mask, NULL, 0);
}

void hook_warp_meet(cpudev_worker *w, unsigned warp, unsigned lanes, int op)
{
    const cpudev_fiber *base = w->fibers + warp * WARP;
    unsigned first = (unsigned)__builtin_ctz(lanes), existing = w->threads - warp * WARP;
    const cpudev_request *r = base[first].request;
    unsigned there = existing >= WARP ? ~0u : (1u << existing) - 1, gone = r->mask & there & ~lanes;
    if (gone && !killed && r->mask >> first & 1)
        cpudev_checker->sync_error(CPUDEV_SYNC_MASK_EXITED, (void *)r->site, warp * WARP + first, r->mask, NULL, 0);
    if (op == OP_SYNC)
        cpudev_checker->syncwarp(warp, lanes);
}

/* ---- the host's calls -------------------------------------------------------------------------------------- */

void hook_api(const char *name, const void *caller)
{
    if (!cpudev_api.name) {
        cpudev_api.name = name;
        cpudev_api.caller = (void *)caller;
        cpudev_api.why = NULL;
    }
}

void hook_api_done(int status)
{
    if (status)
        cpudev_checker->api_done(status);
    cpudev_api.name = NULL;
}

/* A kernel's own: a host thread that helps may be inside a call itself. */
static __thread cpudev_api_site host_site;

void hook_nested(const char *name, const void *caller)
{
    host_site = cpudev_api;
    cpudev_api = (cpudev_api_site){name, (void *)caller, NULL};
}

void hook_nested_done(int status)
{
    if (status)
        cpudev_checker->api_done(status);
    cpudev_api = host_site;
}

void hook_nested_refused(const char *name, const void *caller)
{
    hook_nested(name, caller);
    cpudev_api.why = "a kernel cannot call it: nvcc would refuse to compile this";
    hook_nested_done(cudaErrorNotPermitted);
}

static void describe(cpudev_op_desc *d, const command *c)
{
    memset(d, 0, sizeof *d);
    switch (c->kind) {
    case C_KERNEL:
        d->kind = CPUDEV_OP_KERNEL;
        d->name = kernel_display(c->kernel);
        d->file = c->kernel->file;
        d->line = c->kernel->line;
        d->grid[0] = c->grid.x, d->grid[1] = c->grid.y, d->grid[2] = c->grid.z;
        d->block[0] = c->block.x, d->block[1] = c->block.y, d->block[2] = c->block.z;
        d->dynamic_smem = c->shared;
        d->static_smem = c->kernel->static_shared;
        d->cooperative = c->cooperative;
        break;
    case C_COPY:
    case C_SET:
        d->kind = c->kind == C_COPY ? CPUDEV_OP_COPY : CPUDEV_OP_SET;
        d->dst = c->dst;
        d->src = c->src;
        d->bytes = c->width;
        d->rows = c->height;
        d->dpitch = c->dpitch;
        d->spitch = c->spitch;
        d->slices = c->depth;
        d->dslice = c->dslice;
        d->sslice = c->sslice;
        d->copy_kind = (int)c->copy_kind;
        break;
    case C_FREE:
        d->kind = CPUDEV_OP_FREE;
        d->dst = c->user;
        d->rows = 1;
        break;
    default:
        d->kind = CPUDEV_OP_HOSTFN;
    }
    d->async = 1; /* what waits, waits through stream_sync */
}

cudaError_t hook_queue(command *c, struct CUstream_st *s)
{
    if (c->kind == C_EVENT || c->kind == C_MARKER)
        return cudaSuccess;
    cpudev_op_desc d;
    int error;
    describe(&d, c);
    d.stream = s->id;
    if (s->grid) {
        d.parent = s->grid->check;
        d.nested_stream = s->order == FIRE_AND_FORGET ? NULL : s->order == TAIL_LAUNCH ? (const void *)s->grid : s;
        d.tail = s->order == TAIL_LAUNCH;
    }
    if (c->kind == C_KERNEL)
        cpudev_checker->launch_args(c->closure, c->work->size);
    c->check = cpudev_checker->op_enqueue(&d, &error);
    return (cudaError_t)error;
}

/* Memory that belongs to a stream from here on. */
void hook_async_alloc(void *p, size_t bytes, struct CUstream_st *s)
{
    cpudev_op_desc d = {.kind = CPUDEV_OP_ALLOC, .stream = s->id, .dst = p, .bytes = bytes, .rows = 1, .async = 1};
    int error;
    if (!s->capture)
        cpudev_checker->op_begin(cpudev_checker->op_enqueue(&d, &error));
}

void hook_op_begin(command *c)
{
    if (c->check)
        cpudev_checker->op_begin(c->check);
}

void hook_op_end(command *c)
{
    if (c->check)
        cpudev_checker->op_end(c->check);
}

cudaError_t hook_copy_args(void *dst, size_t dpitch, size_t dslice, const void *src, size_t spitch, size_t sslice, size_t width, size_t height, size_t depth, int kind)
{
    cpudev_op_desc d = {.kind = CPUDEV_OP_COPY, .dst = dst, .src = src, .bytes = width, .rows = height, .slices = depth, .dpitch = dpitch, .spitch = spitch,
                        .dslice = dslice, .sslice = sslice, .copy_kind = kind};
    return (cudaError_t)cpudev_checker->copy_args(&d);
}

cudaError_t hook_set_args(void *dst, size_t pitch, size_t slice, size_t width, size_t height, size_t depth)
{
    cpudev_op_desc d = {.kind = CPUDEV_OP_SET, .dst = dst, .bytes = width, .rows = height, .slices = depth, .dpitch = pitch, .dslice = slice};
    return (cudaError_t)cpudev_checker->copy_args(&d);
}
