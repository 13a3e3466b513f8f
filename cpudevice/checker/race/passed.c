/* passed.c: data that one block passes to another by volatile accesses alone.
 *
 * By the model that is no data race: volatile accesses are relaxed and strong. But they order nothing either. A thread
 * that has seen another's flag, and then reads what that thread wrote before the flag, may read an older value unless
 * fences on both sides order the two. It is reported as a note. */
#include <stdio.h>
#include <string.h>

#include "race/passed.h"
#include "report/findings.h"
#include "memory/describe.h"
#include "race/order.h"
#include "race/race.h"
#include "race/record.h"
#include "race/release.h"
#include "race/segment.h"
#include "race/shadow.h"
#include "core/tools.h"

/* Was the word written by a volatile access, before a flag of the same thread that the running thread has seen? */
static int precedes_flag(worker *w, uintptr_t a)
{
    if (!w->op->flags || !w->op->flags->writes || !w->order.sync)
        return 0;
    const struct check_thread_sync *me = &w->order.sync[w->thread & 1023];
    check_order_lock();
    const struct check_flag *f = check_flag_at(w, a, 0);
    int found = 0;
    for (int i = 0; i < WRITES_SEEN && f && f->last.at && f->last.is_volatile && f->last.op == w->op->id &&
                    f->last.block != w->block_id;
         i++)
        found |= me->seen[i].op == f->last.op && me->seen[i].block == f->last.block &&
                 me->seen[i].thread == f->last.thread && me->seen[i].at > f->last.at;
    check_order_unlock();
    return found;
}

void check_passed_by_volatile(worker *w, uintptr_t a, unsigned bytes, void *pc)
{
    if (!precedes_flag(w, a))
        return;
    const record r = check_last_write(a);
    check_seg *g = check_seg_get(REC_SEG(r));
    w->strong.now = 0; /* what a fence would have made visible is the question here */
    if (!g || g->op != w->op->id || g->block == w->block_id || global_ordered(w, REC_SEG(r), REC_THREAD(r)) ||
        !(check_tools & TOOL_RACE) || w->op->killed || check_seen("volatile-data", pc))
        return;
    check_finding f;
    check_here(&f, TOOL_RACE, "volatile-data", pc);
    f.only_note = 1;
    snprintf(f.title, sizeof f.title, "data is passed between blocks by volatile accesses alone");
    char where[160];
    check_describe_address(w, a, 0, pc, f.object, sizeof f.object, where, sizeof where);
    snprintf(f.at.what, sizeof f.at.what, "reads %u byte%s of %s, having seen a flag", bytes, bytes == 1 ? "" : "s",
             where);
    f.has_other = 1;
    f.other.pc = pc_of(r);
    check_place_thread(&f.other, w->op, g->block, REC_THREAD(r), 1);
    snprintf(f.other.what, sizeof f.other.what, "wrote it before that flag");
    f.cause =
        "volatile orders nothing: the value may be older than the flag. Put a __threadfence() between data and flag "
        "where they are written and where they are read, or use cuda::atomic_ref with release and acquire";
    check_report(&f);
}
