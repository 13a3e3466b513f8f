/* async_registers.c: a thread's registers that wgmma writes, and what orders the thread's own accesses with it: before
 * it wgmma.fence, after it wgmma.wait_group ("wgmma.fence" and "wgmma.mma_async" of the PTX ISA).
 *
 * Registers are variables on the thread's stack, whose address the runtime tells. Of a thread 64 ranges of accesses since
 * its last fence are kept, neighbours as one: beyond them the oldest is forgotten, and a missing fence may be missed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sync/async.h"
#include "sync/async_state.h"
#include "core/tools.h"
#include "cpudev_must.h"

enum { THREADS = 1024, HELD = 256, TOUCHED = 64 };

typedef struct range {
    uintptr_t lo, hi;
    uint32_t number; /* held: the operation */
    int write;       /* touched: */
    void *pc;
} range;

typedef struct thread_registers {
    int fenced; /* it has come to a wgmma.fence */
    int held, touched, oldest;
    uintptr_t lo, hi; /* about all that is held */
    range hold[HELD], touch[TOUCHED];
} thread_registers;

struct check_registers {
    thread_registers *of[THREADS]; /* NULL: neither */
};

static thread_registers *own(worker *w)
{
    static __thread struct check_registers *mine;
    if (!mine && !(mine = calloc(1, sizeof *mine)))
        out_of_memory();
    if (!w->async.registers)
        for (int t = 0; t < THREADS; t++)
            if (mine->of[t])
                mine->of[t]->fenced = mine->of[t]->held = mine->of[t]->touched = 0;
    w->async.registers = mine;
    thread_registers **r = &mine->of[w->thread & (THREADS - 1)];
    if (!*r && !(*r = calloc(1, sizeof **r)))
        out_of_memory();
    return *r;
}

static int overlap(const range *r, uintptr_t lo, uintptr_t hi) { return r->lo < hi && lo < r->hi; }

/* ---- findings ---- */

static int begin(worker *w, check_finding *f, void *pc, const char *what, void *other_pc, const char *other)
{
    if (!(check_tools & TOOL_RACE) || w->op->killed || check_seen("async-registers", pc))
        return 0;
    check_here(f, TOOL_RACE, "async-registers", pc);
    snprintf(f->at.what, sizeof f->at.what, "%s", what);
    if (other_pc) {
        check_async_other(w, f, w->block_id, w->thread, other_pc);
        snprintf(f->other.what, sizeof f->other.what, "%s", other);
    }
    return 1;
}

static void in_flight(worker *w, const async_operation *o, int flags, void *pc)
{
    check_finding f;
    if (!begin(w, &f, pc, flags & A_WRITE ? "writes a register of it" : "reads a register of it", (void *)o->a.site,
               "issued the product, and has not waited for its group"))
        return;
    snprintf(f.title, sizeof f.title, "the accumulator of %s is %s before it is complete", o->a.name,
             flags & A_WRITE ? "written" : "read");
    f.cause = "wgmma.commit_group and a wgmma.wait_group for this group must come between the product and the access";
    check_report(&f);
}

static void not_fenced(worker *w, const char *name, const range *touched, void *site)
{
    check_finding f;
    if (!begin(w, &f, site, "multiplies", touched ? touched->pc : NULL,
               touched && touched->write ? "wrote a register of it" : "read a register of it"))
        return;
    snprintf(f.title, sizeof f.title,
             touched ? "%s uses an accumulator that the thread has %s with no wgmma.fence in between"
                     : "%s with no wgmma.fence before it",
             name, touched && touched->write ? "written" : "read");
    f.cause =
        "wgmma.fence must come before the first wgmma, and before each that uses registers which the thread itself "
        "has touched since";
    check_report(&f);
}

/* ---- what the runtime reports ---- */

void check_registers_fence(void)
{
    worker *w = &check_self;
    if (!w->in_kernel || !w->op)
        return;
    thread_registers *r = own(w);
    r->fenced = 1;
    r->touched = 0;
}

/* Ranges whose operations are over are of no interest any more. */
static void let_go(worker *w, thread_registers *r)
{
    int n = 0;
    r->lo = UINTPTR_MAX;
    r->hi = 0;
    for (int i = 0; i < r->held; i++) {
        if (check_async_is_over(w, &w->async.now->of[r->hold[i].number], ALL_DONE))
            continue;
        r->hold[n++] = r->hold[i];
        r->lo = r->hold[i].lo < r->lo ? r->hold[i].lo : r->lo;
        r->hi = r->hold[i].hi > r->hi ? r->hold[i].hi : r->hi;
    }
    r->held = n;
}

void check_async_holds(cpudev_async *a, const void *registers, size_t bytes)
{
    worker *w = &check_self;
    const uintptr_t lo = (uintptr_t)registers, hi = lo + bytes;
    if (!w->in_kernel || !w->op || !a->number)
        return;
    thread_registers *r = own(w);
    int i = 0;
    if (!r->fenced)
        not_fenced(w, a->name, NULL, (void *)a->site);
    for (int t = 0; t < r->touched && r->fenced; t++)
        if (overlap(&r->touch[t], lo, hi)) {
            not_fenced(w, a->name, &r->touch[t], (void *)a->site);
            break;
        }
    r->fenced = 1; /* reported once */
    while (i < r->held && !(r->hold[i].lo == lo && r->hold[i].hi == hi))
        i++;
    if (i == HELD) {
        let_go(w, r);
        i = r->held < HELD ? r->held : HELD - 1;
    }
    r->hold[i] = (range){.lo = lo, .hi = hi, .number = a->number};
    r->held = i < r->held ? r->held : i + 1;
    r->lo = r->held == 1 || lo < r->lo ? lo : r->lo;
    r->hi = r->held == 1 || hi > r->hi ? hi : r->hi;
}

/* ---- accesses ---- */

static void note(thread_registers *r, uintptr_t lo, uintptr_t hi, int write, void *pc)
{
    for (int i = r->touched - 1; i >= 0 && i >= r->touched - 4; i--) {
        range *t = &r->touch[i];
        if (t->lo <= hi && lo <= t->hi && t->write == write) {
            t->lo = lo < t->lo ? lo : t->lo;
            t->hi = hi > t->hi ? hi : t->hi;
            t->pc = pc;
            return;
        }
    }
    const int i = r->touched < TOUCHED ? r->touched++ : r->oldest++ % TOUCHED;
    r->touch[i] = (range){.lo = lo, .hi = hi, .write = write, .pc = pc};
}

void check_registers_accessed(worker *w, uintptr_t a, size_t bytes, int flags, void *pc)
{
    thread_registers *r = w->async.registers->of[w->thread & (THREADS - 1)];
    if (!r)
        return;
    if (r->held && a < r->hi && r->lo < a + bytes) {
        let_go(w, r);
        for (int i = 0; i < r->held; i++)
            if (overlap(&r->hold[i], a, a + bytes)) {
                in_flight(w, &w->async.now->of[r->hold[i].number], flags, pc);
                break;
            }
    }
    note(r, a, a + bytes, !!(flags & A_WRITE), pc);
}

void check_registers_new(worker *w, uintptr_t a, size_t bytes)
{
    thread_registers *r = w->async.registers->of[w->thread & (THREADS - 1)];
    for (int i = 0; r && i < r->touched; i++)
        if (overlap(&r->touch[i], a, a + bytes))
            r->touch[i--] = r->touch[--r->touched];
}
