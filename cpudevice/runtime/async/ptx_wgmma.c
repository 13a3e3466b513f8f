/* ptx_wgmma.c: wgmma.mma_async and what orders it ("Asynchronous Warpgroup Level Matrix Instructions" of the PTX ISA).
 *
 * The 128 threads of a warpgroup execute the same instructions, but not at the same time: each event (a product, a
 * commit_group) is complete when the last of them has come to it, and only then does the product begin (async.h) and may
 * land: read its operands, and write its results into the registers that the threads have bound.
 *
 * A register is a variable of the thread's. One that no longer exists when the product lands, as its function has
 * returned, is not written. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "async/async.h"
#include "cpudevice.h"
#include "device/message.h"
#include "exec/held.h"
#include "observe/observers.h"
#include "device/sizes.h"
#include "async/wgmma_product.h"
#include "async/wgmma_tell.h"
#include "cpudev_must.h"

enum {
    GROUPS = MAX_THREADS / WARPGROUP,
    WARPS = WARPGROUP / 32,
    DEAD_STACK = 4 << 20 /* bytes below a thread's stack pointer */
};

typedef struct product_op {
    async_op op;
    wgmma_product product;
} product_op;

/* What the threads of a warpgroup do together. */
typedef struct event {
    product_op *product; /* NULL: commit_group */
    unsigned come;       /* threads */
    uint8_t of_warp[WARPS];
} event;

typedef struct warpgroup {
    event *event; /* a ring of `room` events: those from `complete` on that some thread has come to */
    unsigned room, complete, known;
    unsigned at[WARPGROUP];      /* how many events each thread has come to */
    unsigned commits[WARPGROUP]; /* how many of these were commit_groups */
    unsigned committed;          /* groups that all have committed */
} warpgroup;

static __thread struct {
    unsigned long long block; /* whose these are: cpudev_worker.begun */
    warpgroup *of[GROUPS];
} groups;

static void forget(void)
{
    for (int i = 0; i < GROUPS; i++) {
        warpgroup *g = groups.of[i];
        for (; g && g->complete != g->known; g->complete++)
            held_free(g->event[g->complete % g->room].product);
        if (g)
            held_free(g->event);
        held_free(g);
        groups.of[i] = NULL;
    }
}

static void fail(const char *what, int status, const void *site) __attribute__((noreturn));
static void fail(const char *what, int status, const void *site)
{
    char place[512];
    describe_place(place, sizeof place);
    TELL(async_mistake, site, "wgmma", what);
    if (!observed.reports_deadlock)
        message("wgmma: %s: %s", what, place);
    fail_kernel(status);
}

static warpgroup *own_group(const void *site)
{
    const cpudev_worker *w = cpudev_tls.worker;
    const unsigned i = cpudev_tid() / WARPGROUP;
    if (!w || (i + 1) * WARPGROUP > w->threads)
        fail("the thread's warpgroup has fewer than 128 threads", cudaErrorIllegalInstruction, site);
    if (groups.block != w->begun) {
        forget();
        groups.block = w->begun;
    }
    if (!groups.of[i] && !(groups.of[i] = held_calloc(1, sizeof(warpgroup))))
        out_of_memory();
    return groups.of[i];
}

static const void *object_of_group(void) { return (const void *)(uintptr_t)(cpudev_tid() / WARPGROUP * WARPGROUP); }

static unsigned own_lane(void) { return cpudev_tid() % WARPGROUP; }

/* ---- landing ---- */

/* Does the lane's variable at p still exist? The thread's stack pointer tells. */
static bool exists(const cpudev_worker *w, unsigned thread, const void *p)
{
    const cpudev_fiber *f = &w->fibers[thread];
    const void *sp = f->sp;
    if (!cpudev_tls.current ? thread != cpudev_tid() : !f->live)
        return false;
    if (!cpudev_tls.current || cpudev_tls.current == f)
        sp = __builtin_frame_address(0);
    return (uintptr_t)sp - (uintptr_t)p > DEAD_STACK;
}

static void land_product(async_op *op, int stage)
{
    wgmma_product *p = &((product_op *)op)->product;
    const unsigned first = (unsigned)(uintptr_t)op->object;
    (void)stage;
    for (unsigned l = 0; l < WARPGROUP; l++)
        if (p->lane[l].d && !exists(cpudev_tls.worker, first + l, p->lane[l].d))
            p->lane[l].d = NULL;
    const char *wrong = wgmma_compute(p);
    if (wrong)
        fail(wrong, cudaErrorIllegalAddress, op->told.site);
}

static void product_gone(async_op *op)
{
    wgmma_product *p = &((product_op *)op)->product;
    for (int l = 0; l < WARPGROUP; l++)
        held_free(p->lane[l].scattered);
}

/* ---- events ---- */

static void add_room(warpgroup *g)
{
    const unsigned room = g->room ? 2 * g->room : 16;
    event *more = held_malloc(room * sizeof *more);
    if (!more)
        out_of_memory();
    for (unsigned i = g->complete; i != g->known; i++)
        more[i % room] = g->event[i % g->room];
    held_free(g->event);
    g->event = more;
    g->room = room;
}

/* The event that the running thread has come to: a product, or a commit_group. */
static event *come(warpgroup *g, bool product, const void *site)
{
    const unsigned number = g->at[own_lane()]++;
    if (number == g->known) {
        if (g->known - g->complete == g->room)
            add_room(g);
        event *fresh = &g->event[g->known++ % g->room];
        memset(fresh, 0, sizeof *fresh);
        fresh->product = product ? async_new(sizeof(product_op), ASYNC_WGMMA, object_of_group(), land_product) : NULL;
    }
    event *e = &g->event[number % g->room];
    e->come++;
    e->of_warp[own_lane() / 32]++;
    if (!e->product == product)
        fail("one thread of a warpgroup multiplies while another commits a group", cudaErrorIllegalInstruction, site);
    return e;
}

/* ---- the instructions ---- */

static void bind_registers(wgmma_lane *lane, uint32_t *const *d, unsigned count)
{
    unsigned i = 1;
    while (i < count && d[i] == d[0] + i)
        i++;
    lane->d = d[0];
    if (i == count)
        return;
    lane->scattered = held_malloc(count * sizeof *d);
    if (!lane->scattered)
        out_of_memory();
    memcpy(lane->scattered, d, count * sizeof *d);
}

static bool agrees(const wgmma_product *p, const cpudev_wgmma_form *form, const cpudev_wgmma_operands *o)
{
    return !memcmp(&p->form, form, sizeof *form) && p->a == o->a && p->b == o->b && p->selector == o->selector &&
           p->accumulate == o->accumulate;
}

/* ---- the threads of a warp come together, as ".sync" has it ---- */

struct meeting {
    const warpgroup *group;
    unsigned number, warp; /* the event */
};

static int warp_has_come(void *p)
{
    const struct meeting *m = p;
    const warpgroup *g = m->group;
    return (int)(g->complete - m->number) > 0 || g->event[m->number % g->room].of_warp[m->warp] == 32;
}

static void tell(event *e, unsigned registers, const void *site)
{
    product_op *op = e->product;
    const unsigned warp = own_lane() / 32;
    wgmma_tell_registers(&op->op, &op->product.lane[own_lane()], registers);
    const char *wrong = e->of_warp[warp] == 32 ? wgmma_tell_operands(&op->op, &op->product, warp) : NULL;
    if (wrong)
        fail(wrong, cudaErrorIllegalAddress, site);
}

void cpudev_wgmma(const cpudev_wgmma_form *form, uint32_t *const *d, const cpudev_wgmma_operands *operands)
{
    const void *site = __builtin_return_address(0);
    warpgroup *g = own_group(site);
    event *e = come(g, true, site);
    wgmma_product *p = &e->product->product;
    wgmma_lane *lane = &p->lane[own_lane()];
    if (e->come == 1) {
        e->product->op.gone = product_gone;
        e->product->op.group = g->commits[own_lane()]; /* others may not have come to the last commit_group */
        async_tell(&e->product->op, "wgmma.mma_async", site);
        p->form = *form;
        p->a = operands->a;
        p->b = operands->b;
        p->selector = operands->selector;
        p->accumulate = operands->accumulate;
    } else if (!agrees(p, form, operands)) {
        fail("the threads of a warpgroup give different descriptors or immediates", cudaErrorIllegalInstruction, site);
    }
    const unsigned registers = form->n / (form->d == CPUDEV_MMA_F16 ? 4u : 2u);
    bind_registers(lane, d, registers);
    memcpy(lane->a, operands->a_registers, sizeof lane->a);
    lane->metadata = operands->metadata;
    if (observed.threads)
        tell(e, registers, site);
    if (e->come == WARPGROUP) {
        g->complete++;
        TELL(unit, CPUDEV_TENSOR, site, WARPS, (uint64_t)(WARPGROUP / 2) * form->n * form->k);
        async_begin(&e->product->op);
    }
    /* A checked program's product has begun to read, in each order of the threads, before any of the warp goes on. */
    struct meeting here = {g, g->at[own_lane()] - 1, own_lane() / 32};
    if (observed.reports_deadlock)
        cpudev_wait(warp_has_come, &here, "wgmma.mma_async");
}

void cpudev_wgmma_fence(void)
{
    TELL(registers_fence);
    async_step();
}

void cpudev_wgmma_commit(void)
{
    const void *site = __builtin_return_address(0);
    warpgroup *g = own_group(site);
    g->commits[own_lane()]++;
    if (come(g, false, site)->come == WARPGROUP) {
        g->complete++;
        g->committed++;
        async_commit(ASYNC_WGMMA, object_of_group());
        cpudev_tls.worker->progress++;
    }
}

struct waiting {
    const warpgroup *group;
    unsigned committed;
};

static int all_committed(void *p)
{
    const struct waiting *w = p;
    return w->group->committed >= w->committed;
}

void cpudev_wgmma_wait(unsigned pending)
{
    warpgroup *g = own_group(__builtin_return_address(0));
    const unsigned commits = g->commits[own_lane()];
    if (commits <= pending)
        return;
    struct waiting want = {g, commits - pending};
    cpudev_wait(all_committed, &want, "wgmma.wait_group");
    async_wait_group(ASYNC_WGMMA, object_of_group(), g->committed - want.committed, 1);
}
