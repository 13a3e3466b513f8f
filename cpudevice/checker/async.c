/* async.c: asynchronous operations, and what orders them with a block's threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "async.h"
#include "access.h"
#include "area.h"
#include "clock.h"
#include "cpudev_mbarrier.h"
#include "cpudev_ptx_memory.h"
#include "describe.h"
#include "findings.h"
#include "layout.h"
#include "memcheck.h"
#include "order.h"
#include "race.h"
#include "record.h"
#include "release.h"
#include "tools.h"

enum { OF_BULK, OF_WGMMA, OF_MBARRIER }; /* ASYNC_... of the runtime */
enum { READ_DONE, ALL_DONE, STAGES };
enum { GRAIN = 16, READERS = 4, POINTS = 4096, GROUP_OWNERS = 1024 };

typedef struct operation {
    cpudev_async a;
    uint32_t epoch; /* of the issuer when it began */
    struct {
        uint32_t chain, number; /* who knows this release knows that the stage is over; chain 0: nobody can yet */
    } over[STAGES];
} operation;

typedef struct grain {
    uint32_t writer, reader[READERS]; /* operations of this block, by number; 0: none */
} grain;

/* What threads meet at. It may be another block's, so all of a process are in one table. */
typedef struct point {
    uintptr_t object;
    uint32_t op, chain, number;
    record made;             /* by whom; 0: unknown */
    check_clock *now, *done; /* what has been released to it; what of that before its last phase ended */
} point;

struct check_async {
    operation *of; /* [0] is none */
    uint32_t count, room;
    grain *grains[2]; /* of the areas */
    size_t grain_bytes[2];
    uint32_t chain[2][GROUP_OWNERS][STAGES]; /* of bulk and wgmma groups, by owner */
    uint32_t issued[2][GROUP_OWNERS];        /* operations of it */
    uint32_t fenced[1024];                   /* by thread: its accesses before this epoch are behind a proxy fence */
    uint32_t fenced_all;                     /* and those of all threads before this one */
};

static point points[POINTS];
static pthread_mutex_t points_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- a block's operations ---- */

static struct check_async *state(worker *w)
{
    static __thread struct check_async *mine;
    if (w->async)
        return w->async;
    if (!mine && !(mine = calloc(1, sizeof *mine)))
        abort();
    struct check_async *s = mine;
    if (!s->of && !(s->of = calloc(s->room = 256, sizeof *s->of)))
        abort();
    s->count = 1;
    for (int i = 0; i < 2; i++) {
        if (s->grains[i])
            munmap(s->grains[i], s->grain_bytes[i]);
        s->grain_bytes[i] = (w->area[i].bytes / GRAIN + 1) * sizeof *s->grains[i];
        s->grains[i] = check_reserve(s->grain_bytes[i], PROT_READ | PROT_WRITE);
    }
    memset(s->chain, 0, sizeof s->chain);
    memset(s->issued, 0, sizeof s->issued);
    w->async = s;
    set_key(w); /* from now on each access of shared memory is looked at */
    return s;
}

/* Fences come before the first operation, too. */
static struct check_fences {
    uint32_t of[1024], all;
} * fences(void)
{
    static __thread struct check_fences f;
    return &f;
}

void check_async_new(cpudev_async *a)
{
    worker *w = &check_self;
    if (!w->in_kernel || !w->op)
        return;
    struct check_async *s = state(w);
    if (s->count == s->room) {
        s->of = realloc(s->of, (s->room *= 2) * sizeof *s->of);
        if (!s->of)
            abort();
    }
    operation *o = &s->of[s->count];
    memset(o, 0, sizeof *o);
    a->number = s->count++;
    o->a = *a;
    o->epoch = w->epoch;
    if (a->kind == OF_MBARRIER)
        return;
    const uint32_t owner = (uint32_t)(uintptr_t)a->object % GROUP_OWNERS;
    check_order_lock(w->op);
    check_flags_make(w->op);
    for (int i = 0; i < STAGES; i++) {
        uint32_t *chain = &s->chain[a->kind][owner][i];
        if (!*chain)
            *chain = ++w->op->flags->chains;
        o->over[i].chain = *chain;
        o->over[i].number = s->issued[a->kind][owner] + 1;
    }
    s->issued[a->kind][owner]++;
    check_order_unlock(w->op);
}

static int is_over(worker *w, const operation *o, int stage)
{
    const uint32_t chain = o->over[stage].chain, number = o->over[stage].number;
    if (!chain)
        return 0;
    check_order_lock(w->op);
    const int known = check_clock_of(w->block_known, chain) >= number ||
                      (w->sync && check_clock_of(w->sync[w->thread & 1023].known, chain) >= number);
    check_order_unlock(w->op);
    return known;
}

/* ---- findings ---- */

static const char *wait_of(const operation *o, int write)
{
    if (o->a.kind == OF_MBARRIER)
        return "the phase of its mbarrier";
    if (o->a.kind == OF_WGMMA)
        return "its group (wgmma.wait_group)";
    return write ? "its group (cp.async.bulk.wait_group)" : "its reads (cp.async.bulk.wait_group.read)";
}

static int is_mma(const operation *o) { return o->a.kind == OF_WGMMA; }

static void other_place(worker *w, check_finding *f, uint32_t thread, void *pc)
{
    f->has_other = 1;
    check_place_thread(&f->other, w->op, w->block_id, thread, 1);
    memcpy(f->other.block, w->block, sizeof w->block);
    f->other.pc = pc;
}

/* A finding about an address of shared memory; NULL if the place is known already. */
static check_finding *begin(worker *w, check_finding *f, const char *kind, uintptr_t a, void *pc, const char *verb)
{
    char where[160];
    if (!(check_tools & TOOL_RACE) || w->op->killed || check_seen(kind, pc))
        return NULL;
    check_here(f, TOOL_RACE, kind, pc);
    check_describe_address(w, a, 1, pc, f->object, sizeof f->object, where, sizeof where);
    snprintf(f->at.what, sizeof f->at.what, "%s %s", verb, where);
    return f;
}

/* A thread reads or writes what an operation still writes, or writes what it still reads. */
static void thread_too_early(worker *w, const operation *o, uintptr_t a, int flags, void *pc, int o_writes)
{
    check_finding f;
    if (!begin(w, &f, "async-race", a, pc, check_verb(flags)))
        return;
    other_place(w, &f, o->a.thread, (void *)o->a.site);
    snprintf(f.title, sizeof f.title, "shared memory is %s while %s %s it", flags & A_WRITE ? "written" : "read",
             is_mma(o) ? "wgmma" : "an asynchronous copy", o_writes ? "fills" : "reads");
    snprintf(f.other.what, sizeof f.other.what,
             "%s %s it, and nothing that this thread has waited for says that it is over", o->a.name,
             o_writes ? "writes" : "reads");
    static __thread char cause[256];
    snprintf(cause, sizeof cause, "the thread has not waited for %s, nor for a thread that has", wait_of(o, o_writes));
    f.cause = cause;
    check_report(&f);
}

/* An operation touches what another still uses. */
static void operations_clash(worker *w, const operation *me, const operation *o, uintptr_t a, int write, int o_writes)
{
    check_finding f;
    if (!begin(w, &f, "async-race", a, (void *)me->a.site, write ? "fills" : "reads"))
        return;
    other_place(w, &f, o->a.thread, (void *)o->a.site);
    snprintf(f.title, sizeof f.title,
             !write     ? "%s reads shared memory that %s still fills"
             : o_writes ? "%s fills shared memory that %s still fills"
                        : "%s fills shared memory that %s still reads",
             me->a.name, o->a.name);
    snprintf(f.other.what, sizeof f.other.what,
             "%s it, and nothing that the issuer has waited for says that it is over", o_writes ? "writes" : "reads");
    static __thread char cause[256];
    snprintf(cause, sizeof cause, "before the slot is used again somebody must wait for %s and tell the issuer",
             wait_of(o, o_writes));
    f.cause = cause;
    check_report(&f);
}

/* An operation touches what a thread has read or written with nothing between them. */
static void after_thread(worker *w, const operation *me, record r, uintptr_t a, int write, int r_wrote)
{
    check_finding f;
    if (!begin(w, &f, "async-race", a, (void *)me->a.site, write ? "fills" : "reads"))
        return;
    other_place(w, &f, REC_THREAD(r), pc_of(r));
    snprintf(f.title, sizeof f.title, "%s %s shared memory that a thread %s with nothing between them", me->a.name,
             write ? "fills" : "reads", r_wrote ? "writes" : "reads");
    snprintf(f.other.what, sizeof f.other.what, "%s it, and no barrier stands between", r_wrote ? "wrote" : "read");
    f.cause = "the issuing thread must have waited for that thread: a __syncthreads() or an mbarrier is missing";
    check_report(&f);
}

static void no_fence(worker *w, const operation *me, record r, uintptr_t a)
{
    check_finding f;
    if (!begin(w, &f, "proxy-fence", a, (void *)me->a.site, "reads"))
        return;
    other_place(w, &f, REC_THREAD(r), pc_of(r));
    snprintf(f.title, sizeof f.title, "%s reads what a thread wrote with no fence.proxy.async between", me->a.name);
    snprintf(f.other.what, sizeof f.other.what, "wrote it by an ordinary store");
    f.cause =
        "asynchronous operations do not see ordinary writes before a fence.proxy.async: each thread that wrote calls "
        "it before the barrier behind which the operation is issued";
    check_report(&f);
}

/* ---- accesses ---- */

static grain *grain_at(struct check_async *s, worker *w, const struct check_area *ar, uintptr_t a)
{
    return &s->grains[ar == &w->area[1]][(a - ar->lo) / GRAIN];
}

void check_async_accessed(worker *w, struct check_area *ar, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    struct check_async *s = w->async;
    for (uintptr_t p = a & ~(uintptr_t)(GRAIN - 1); p < a + bytes; p += GRAIN) {
        grain *g = grain_at(s, w, ar, p);
        const uintptr_t at = p < a ? a : p;
        if (g->writer && !is_over(w, &s->of[g->writer], ALL_DONE)) {
            thread_too_early(w, &s->of[g->writer], at, flags, pc, 1);
            g->writer = 0;
        }
        if (!(flags & A_WRITE))
            continue;
        for (int i = 0; i < READERS; i++)
            if (g->reader[i]) {
                if (!is_over(w, &s->of[g->reader[i]], READ_DONE))
                    thread_too_early(w, &s->of[g->reader[i]], at, flags, pc, 0);
                g->reader[i] = 0;
            }
    }
}

/* Is what thread t wrote in that epoch behind a fence of the proxies? */
static int fenced(const worker *w, uint32_t t, uint32_t epoch)
{
    const struct check_fences *f = fences();
    return epoch < f->of[t & 1023] || epoch < f->all || epoch < f->of[w->thread & 1023];
}

/* One record of a granule against the operation. 1: there was something to say. */
static int clash_record(worker *w, const operation *me, record r, uintptr_t a, int write, int r_wrote)
{
    if (REC_SEG(r) < w->first_epoch || !pc_of(r))
        return 0;
    if (!shared_ordered(w, r)) {
        after_thread(w, me, r, a, write, r_wrote);
        return 1;
    }
    if (!write && r_wrote && !fenced(w, REC_THREAD(r), REC_SEG(r))) {
        no_fence(w, me, r, a);
        return 1;
    }
    return 0;
}

/* What threads have done to the operation's bytes. Behind a write all of them count as written, and in order. */
static void against_threads(worker *w, const operation *me, struct check_area *ar, uintptr_t a, size_t bytes, int write)
{
    const record done = (record)(w->barrier_epoch - 1) << 33;
    int told = 0;
    for (uintptr_t p = a & ~(uintptr_t)3; p < a + bytes; p += 4) {
        struct check_cell *c = &ar->cells[(p - ar->lo) >> 2];
        const int fine = c->byte_epoch >= w->first_epoch;
        for (int k = 0; k < (fine ? 4 : 1); k++) {
            struct check_byte_cell *b = &ar->byte_cells[(p - ar->lo) + (size_t)k];
            record *cw = fine ? &b->w : &c->w, *r1 = fine ? &b->r1 : &c->r1, *r2 = fine ? &b->r2 : &c->r2;
            if (!told)
                told = clash_record(w, me, *cw, p, write, 1);
            if (!told && write)
                told = clash_record(w, me, *r1, p, 1, 0) || clash_record(w, me, *r2, p, 1, 0);
            if (write) {
                *cw = done;
                *r1 = *r2 = 0;
            }
        }
    }
}

static void note_reader(struct check_async *s, grain *g, uint32_t number)
{
    int i = 0;
    while (
        i < READERS - 1 && g->reader[i] &&
        !(s->of[g->reader[i]].a.kind == s->of[number].a.kind && s->of[g->reader[i]].a.object == s->of[number].a.object))
        i++;
    g->reader[i] = number;
}

static void in_shared(worker *w, operation *me, struct check_area *ar, uintptr_t a, size_t bytes, int write)
{
    struct check_async *s = w->async;
    int told = 0;
    for (uintptr_t p = a & ~(uintptr_t)(GRAIN - 1); p < a + bytes; p += GRAIN) {
        grain *g = grain_at(s, w, ar, p);
        const operation *by = g->writer ? &s->of[g->writer] : NULL;
        if (by && by != me && !told && !is_over(w, by, ALL_DONE)) {
            operations_clash(w, me, by, p, write, 1);
            told = 1;
        }
        for (int i = 0; write && i < READERS; i++) {
            if (g->reader[i] && &s->of[g->reader[i]] != me && !told && !is_over(w, &s->of[g->reader[i]], READ_DONE)) {
                operations_clash(w, me, &s->of[g->reader[i]], p, 1, 0);
                told = 1;
            }
            g->reader[i] = 0;
        }
        if (write)
            g->writer = me->a.number;
        else
            note_reader(s, g, me->a.number);
    }
    if (!told)
        against_threads(w, me, ar, a, bytes, write);
}

/* Something that waits for the thread's next access must not wait for one of the hardware's. */
static void resolve(worker *w)
{
    if (w->late)
        check_acquire_late(w);
    if (w->busy)
        check_resolve(w, 0, 0);
}

static int within_bounds(worker *w, struct check_area *ar, uintptr_t a, size_t bytes, int write, void *pc)
{
    const size_t off = a - ar->lo;
    const uint8_t owner = ar->owner[off];
    if (owner && owner != 253 && owner != 255 && off + bytes <= ar->bytes && ar->owner[off + bytes - 1] == owner)
        return 1;
    check_out_of_bounds_shared(w, ar, a, (unsigned)bytes, A_RANGE | (write ? A_WRITE : 0), pc);
    return 0;
}

void check_async_touches(cpudev_async *a, const void *p, size_t bytes, bool write)
{
    worker *w = &check_self;
    const uintptr_t at = (uintptr_t)p;
    if (!w->in_kernel || !w->op || !a->number || !bytes)
        return;
    resolve(w);
    for (int i = 0; i < 2; i++)
        if (at - w->area[i].lo < w->area[i].bytes) {
            if (within_bounds(w, &w->area[i], at, bytes, write, (void *)a->site))
                in_shared(w, &w->async->of[a->number], &w->area[i], at, bytes, write);
            return;
        }
    if (!cpudev_is_shared(p)) /* of another block of the cluster */
        check_access(at, (unsigned)bytes, A_RANGE | (write ? A_WRITE : 0), (void *)a->site);
}

/* ---- order ---- */

/* With the lock of the points. Where many others lie in the way one is forgotten. */
static point *point_at(const worker *w, uintptr_t object, int anew)
{
    enum { PROBES = 64 };
    const uint32_t h = (uint32_t)(object * 0x9e3779b97f4a7c15u >> 40);
    int i = 0;
    while (i < PROBES && points[(h + (uint32_t)i) % POINTS].object &&
           points[(h + (uint32_t)i) % POINTS].object != object)
        i++;
    point *p = &points[(h + (uint32_t)(i < PROBES ? i : 0)) % POINTS];
    if (p->object != object || p->op != w->op->id || anew) {
        check_clock_drop(p->now);
        check_clock_drop(p->done);
        *p = (point){.object = object, .op = w->op->id};
    }
    return p;
}

/* A further release to the point. With both locks. */
static void next_number(const worker *w, point *p)
{
    check_flags_make(w->op);
    if (!p->chain)
        p->chain = ++w->op->flags->chains;
    p->number++;
}

/* Somebody uses an mbarrier that another thread has just made, with nothing between. */
static void made_just_now(worker *w, const point *p, const void *site)
{
    check_finding f;
    if (!(check_tools & TOOL_RACE) || w->op->killed || check_seen("mbarrier-init", (void *)site))
        return;
    check_here(&f, TOOL_RACE, "mbarrier-init", (void *)site);
    snprintf(f.title, sizeof f.title, "an mbarrier is used with nothing between its initialisation and this");
    snprintf(f.at.what, sizeof f.at.what, "uses it");
    other_place(w, &f, REC_THREAD(p->made), pc_of(p->made));
    snprintf(f.other.what, sizeof f.other.what, "initialised it");
    f.cause = "a __syncthreads() is missing behind mbarrier.init";
    check_report(&f);
}

void check_point(int what, const void *object, const void *site)
{
    worker *w = &check_self;
    if (!w->in_kernel || !w->op)
        return;
    resolve(w);
    pthread_mutex_lock(&points_lock);
    check_order_lock(w->op);
    point *p = point_at(w, (uintptr_t)object, what == CPUDEV_POINT_INIT);
    const point as_made = *p;
    check_order_unlock(w->op);
    if (as_made.made && what != CPUDEV_POINT_PHASE && is_shared(w, (uintptr_t)object) &&
        !shared_ordered(w, as_made.made))
        made_just_now(w, &as_made, site);
    check_order_lock(w->op);
    if (what == CPUDEV_POINT_INIT)
        p->made = REC_MAKE(w->epoch, 0, w->thread, (void *)site);
    if (what == CPUDEV_POINT_ARRIVE) {
        next_number(w, p);
        check_clock *all = check_release_all(w, p->chain, p->number);
        check_clock_add(&p->now, all);
        check_clock_drop(all);
    } else if (what == CPUDEV_POINT_PHASE) {
        check_clock_put(&p->done, check_clock_keep(p->now));
    } else if (what == CPUDEV_POINT_PASSED && p->done) {
        check_clock_add(&check_my_sync(w)->known, p->done);
    }
    check_order_unlock(w->op);
    pthread_mutex_unlock(&points_lock);
    if (what == CPUDEV_POINT_ARRIVE)
        check_next_epoch(w); /* what follows is not released */
}

void check_async_lands(cpudev_async *a, int stage)
{
    worker *w = &check_self;
    (void)stage;
    if (!w->op || !w->async || !a->number || a->kind != OF_MBARRIER)
        return;
    operation *o = &w->async->of[a->number];
    pthread_mutex_lock(&points_lock);
    check_order_lock(w->op);
    point *p = point_at(w, (uintptr_t)a->object, 0);
    next_number(w, p);
    for (int i = 0; i < STAGES; i++) {
        o->over[i].chain = p->chain;
        o->over[i].number = p->number;
    }
    check_clock_put(&p->now, check_clock_with(p->now, p->chain, p->number));
    check_order_unlock(w->op);
    pthread_mutex_unlock(&points_lock);
}

void check_async_waited(cpudev_async *group, int stages)
{
    worker *w = &check_self;
    struct check_async *s = w->async;
    if (!w->in_kernel || !w->op || !s)
        return;
    /* The last operation of the groups that were waited for. */
    for (uint32_t i = s->count - 1; i > 0; i--) {
        const operation *o = &s->of[i];
        if (o->a.kind != group->kind || o->a.object != group->object || (int32_t)(o->a.group - group->group) >= 0)
            continue;
        struct check_thread_sync *me = check_my_sync(w);
        check_order_lock(w->op);
        for (int k = READ_DONE; k <= (stages > 1 || o->a.stages == 1 ? ALL_DONE : READ_DONE); k++)
            check_clock_put(&me->known, check_clock_with(me->known, o->over[k].chain, o->over[k].number));
        check_order_unlock(w->op);
        return;
    }
}

void check_proxy_fence(int what)
{
    worker *w = &check_self;
    if (!w->in_kernel || what == CPUDEV_FENCE_MBARRIER_INIT || what == CPUDEV_FENCE_ALIAS ||
        what == CPUDEV_FENCE_TENSORMAP || what == CPUDEV_FENCE_ASYNC_GLOBAL)
        return;
    resolve(w);
    check_next_epoch(w);
    struct check_fences *f = fences();
    f->of[w->thread & 1023] = w->epoch;
    if (w->barrier_epoch > f->all)
        f->all = w->barrier_epoch;
}

/* ---- the end ---- */

/* What any thread of the block knows. */
static check_clock *known_to_somebody(const worker *w)
{
    check_clock *all = check_clock_keep(w->block_known);
    for (uint32_t t = 0; w->sync && t < w->threads && t < 1024; t++)
        check_clock_add(&all, w->sync[t].known);
    return all;
}

void check_async_end(void)
{
    worker *w = &check_self;
    if (!w->op || !w->async || !(check_tools & TOOL_RACE))
        return;
    const int in_kernel = w->in_kernel;
    const uint32_t thread = w->thread;
    check_order_lock(w->op);
    check_clock *all = known_to_somebody(w);
    check_order_unlock(w->op);
    w->in_kernel = 1;
    for (uint32_t i = 1; i < w->async->count && !w->op->killed; i++) {
        check_finding f;
        const operation *o = &w->async->of[i];
        if ((o->over[READ_DONE].chain && check_clock_of(all, o->over[READ_DONE].chain) >= o->over[READ_DONE].number) ||
            check_seen("async-left", (void *)o->a.site))
            continue;
        w->thread = o->a.thread;
        check_here(&f, TOOL_RACE, "async-left", (void *)o->a.site);
        snprintf(f.title, sizeof f.title, "the block ends, and no thread has waited for %s", o->a.name);
        f.cause = "it may be under way when the block's shared memory is given to another: wait before the last thread "
                  "leaves";
        check_report(&f);
    }
    check_order_lock(w->op);
    check_clock_drop(all);
    check_order_unlock(w->op);
    w->in_kernel = in_kernel;
    w->thread = thread;
}

static void mistake(check_finding *f, const char *cause)
{
    f->cause = cause;
    check_report(f);
    check_self.op->killed = 1; /* what follows is of no interest */
}

void check_async_mistake(const void *site, const char *name, const char *what)
{
    check_finding f;
    if (!check_self.op || check_self.op->killed)
        return;
    check_here(&f, TOOL_MEM, "async-operand", (void *)site);
    snprintf(f.title, sizeof f.title, "%s: %s", name, what);
    mistake(&f, "see the instruction in the PTX ISA, and the driver API's cuTensorMapEncodeTiled: what it demands of "
                "addresses, "
                "sizes and maps");
}

void check_point_mistake(const void *object, const void *site, const char *what)
{
    worker *w = &check_self;
    check_finding f;
    char where[160];
    if (!w->op || w->op->killed)
        return;
    check_here(&f, TOOL_SYNC, "mbarrier", (void *)site);
    check_describe_address(w, (uintptr_t)object, 1, NULL, f.object, sizeof f.object, where, sizeof where);
    snprintf(f.title, sizeof f.title, "an mbarrier is misused: %s", what);
    snprintf(f.at.what, sizeof f.at.what, "uses the mbarrier in %s", where);
    mistake(&f, "one thread initialises it before a barrier of the block, with the arrivals of each phase; no more may "
                "come, and "
                "the bytes that are announced");
}
