/* counters_launches.c: the counts of each launch, and of each line of a kernel. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "counters/counters_launches.h"
#include "cpudev_must.h"
#include "report/lines.h"
#include "race/results.h"
#include "core/lock.h"

launch *check_first_launch, **last_launch = &check_first_launch;
line_sum *check_line_sums;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t launches;
static launch *current_launch; // the last one looked up

static launch *launch_of(check_op *op)
{
    for (launch *l = check_first_launch; l; l = l->next)
        if (l->op == op->id)
            return l;
    launch *l = must(calloc(1, sizeof *l));
    l->op = op->id;
    l->number = ++launches;
    check_kernel_name(op->name, l->name, sizeof l->name);
    memcpy(l->grid, op->d.grid, sizeof l->grid);
    memcpy(l->block, op->d.block, sizeof l->block);
    l->dynamic_smem = op->d.dynamic_smem;
    l->static_smem = op->d.static_smem;
    *last_launch = l;
    last_launch = &l->next;
    return l;
}

launch *check_launch_begin(check_op *op)
{
    check_lock(&lock);
    if (!current_launch || current_launch->op != op->id)
        current_launch = launch_of(op);
    return current_launch;
}

void check_launch_end(void) { check_unlock(&lock); }

static line_sum *line_of(const launch *l, uintptr_t key, int kind, int memory)
{
    line_sum *q = check_line_sums;
    while (q && !(q->pc == key && q->memory == memory && !strcmp(q->kernel, l->name)))
        q = q->next;
    if (!q) {
        q = must(calloc(1, sizeof *q));
        memcpy(q->kernel, l->name, sizeof q->kernel);
        q->pc = key;
        q->kind = kind;
        q->memory = memory;
        q->next = check_line_sums;
        check_line_sums = q;
    }
    return q;
}

void check_launch_add(launch *l, uintptr_t key, int kind, int shared, unsigned bytes, const sums *s)
{
    uintptr_t pc = key & (((uintptr_t)1 << 48) - 1); // the bits above say which piece of a struct it is
    if (kind == KIND_ATOM && !shared && check_is_reduction(pc))
        kind = KIND_RED;
    check_sums_add(shared ? &l->shared[kind] : &l->global[kind], s);
    line_sum *q = line_of(l, key, kind, shared ? IN_SHARED : IN_GLOBAL);
    q->bytes = bytes;
    check_sums_add(&q->s, s);
}

void check_launch_add_unit(launch *l, uintptr_t pc, int unit, const unit_sums *s)
{
    unit_sums_add(&l->unit[unit], s);
    unit_sums_add(&line_of(l, pc, unit, BY_UNIT)->unit, s);
}

void counters_op_begin(check_op *op) // launches without an access have a row too
{
    check_launch_begin(op);
    check_launch_end();
}
