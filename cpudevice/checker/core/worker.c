/* worker.c: what the running OS thread does. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "core/worker.h"
#include "report/findings.h"
#include "report/lines.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "core/tools.h"

__thread worker check_self __attribute__((aligned(64)));
extern __thread uint32_t cpudev_check_thread __attribute__((alias("check_self")));

uint64_t check_nothing_known[KNOWN];

__thread uint64_t *check_known_words = check_nothing_known; // an OS thread that runs blocks gets a table of its own

void check_next_epoch(worker *w)
{
    w->epoch++;
    w->region.lazy = NULL; // what has been read and written before a barrier is of no concern after it
    w->global.segment = 0;
    if (++w->generation == GENERATIONS) {
        memset(check_known_words, 0, sizeof check_nothing_known);
        w->generation = 1;
    }
    set_key(w);
}

void check_hostfn(check_op *op, int on)
{
    check_self.op = on ? op : NULL;
    check_self.in_kernel = 0;
    set_key(&check_self);
}

static void check_where(check_place *p, void *pc)
{
    const worker *w = &check_self;
    p->pc = pc;
    p->device = w->in_kernel;
    if (!w->in_kernel)
        return;
    memcpy(p->block, w->block, sizeof p->block);
    p->has_thread = 1;
    uint32_t t = w->thread, x = w->op->d.block[0], y = w->op->d.block[1];
    p->thread[0] = x ? t % x : t;
    p->thread[1] = x && y ? t / x % y : 0;
    p->thread[2] = x && y ? t / x / y : 0;
}

void check_place_thread(check_place *p, const check_op *op, uint64_t block, uint32_t t, int has_thread)
{
    p->device = 1;
    uint64_t gx = op->d.grid[0], gy = op->d.grid[1];
    if (!gx)
        gx = 1;
    if (!gy)
        gy = 1;
    p->block[0] = (uint32_t)(block % gx);
    p->block[1] = (uint32_t)(block / gx % gy);
    p->block[2] = (uint32_t)(block / gx / gy);
    uint32_t x = op->d.block[0] ? op->d.block[0] : 1, y = op->d.block[1] ? op->d.block[1] : 1;
    p->has_thread = has_thread;
    p->thread[0] = t % x;
    p->thread[1] = t / x % y;
    p->thread[2] = t / x / y;
}

void check_here(check_finding *f, int tool, const char *kind, void *pc)
{
    memset(f, 0, sizeof *f);
    f->tool = tool;
    f->kind = f->key = kind;
    check_where(&f->at, pc);
    if (check_self.in_kernel) {
        check_kernel_name(check_self.op->name, f->kernel, sizeof f->kernel);
        f->launch_pc = check_self.op->caller;
    }
}

const char *check_verb(int flags)
{
    if (flags & A_ATOMIC)
        return "updates (atomic)";
    return flags & A_WRITE ? "writes" : "reads";
}

void check_misuse(int tool, const char *kind, const char *title, const char *cause, void *pc)
{
    if (!check_self.in_kernel || !(check_tools & tool) || check_self.op->killed || check_seen(kind, pc))
        return;
    check_finding f;
    check_here(&f, tool, kind, pc);
    snprintf(f.title, sizeof f.title, "%s", title);
    f.cause = cause;
    check_report(&f);
}

check_finding check_host_finding(int tool, const char *kind)
{
    check_finding f;
    check_here(&f, tool, kind, cpudev_api.caller);
    return f;
}
