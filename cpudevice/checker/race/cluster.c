/* cluster.c: each block of a cluster has, of each word of its shared memory, the last write and some reads that came
 * from other blocks. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "race/cluster.h"
#include "memory/area.h"
#include "race/clock.h"
#include "cpudev_abi.h"
#include "cpudevice.h"
#include "memory/describe.h"
#include "report/findings.h"
#include "core/layout.h"
#include "core/operation.h"
#include "race/order.h"
#include "race/peers.h"
#include "race/race.h"
#include "race/record.h"
#include "race/release.h"
#include "core/tools.h"
#include "cpudev_must.h"

enum { MOST = 16 /* of a cluster */, THREADS = 1024, READS = 4 };

typedef struct cell {
    uint32_t since; /* the first epoch of the block for which the rest is true */
    bool fine;      /* the word's bytes have cells of their own */
    check_visit write, read[READS];
} cell;

typedef struct unset {
    uintptr_t a;
    record by;
    uint32_t block;
} unset;

struct check_remote {
    cell *words[2], *bytes[2]; /* of the areas */
    size_t room[2];
    uint32_t rank;
    uint16_t begun[THREADS]; /* the blocks of which this thread of the block knows that they have begun, by rank */
    uint16_t came;           /* the blocks whose threads have come, by rank; */
    uint32_t block[MOST];    /* their numbers */
    record last[MOST][THREADS];
    unset unset[64];
    int unsets;
};

void check_cluster_block_begin(worker *w)
{
    w->cluster.remote = NULL;
    if (!w->cluster.in)
        return;
    if (!w->cluster.own_remote && !(w->cluster.own_remote = calloc(1, sizeof *w->cluster.own_remote)))
        out_of_memory();
    const dim3 size = cpudev_cluster_size();
    const uint3 at = cpudev_cluster_place();
    w->cluster.own_remote->rank = at.x + size.x * (at.y + size.y * at.z);
    memset(w->cluster.own_remote->begun, 0, sizeof w->cluster.own_remote->begun);
}

/* The block's table, from the first visit on. */
static struct check_remote *visits_of(worker *t)
{
    struct check_remote *r = t->cluster.own_remote;
    if (t->cluster.remote)
        return r;
    for (int i = 0; i < 2; i++) {
        if (r->room[i] >= t->area[i].bytes + 4)
            continue;
        if (r->room[i]) {
            munmap(r->words[i], r->room[i] / 4 * sizeof(cell));
            munmap(r->bytes[i], r->room[i] * sizeof(cell));
        }
        r->room[i] = (t->area[i].bytes + 8) & ~(size_t)3;
        r->words[i] = check_must_reserve(r->room[i] / 4 * sizeof(cell), PROT_READ | PROT_WRITE);
        r->bytes[i] = check_must_reserve(r->room[i] * sizeof(cell), PROT_READ | PROT_WRITE);
    }
    for (int i = 0; i < MOST; i++)
        if (r->came >> i & 1)
            memset(r->last[i], 0, sizeof r->last[i]);
    r->came = 0;
    r->unsets = 0;
    t->cluster.remote = r;
    set_key(t); /* from now on the block's own accesses are looked at, too */
    return r;
}

static cell *fresh(cell *c, const worker *t)
{
    if (c->since != t->first_epoch)
        *c = (cell){.since = t->first_epoch};
    return c;
}

/* The cell of the word, or of the byte if `part` or the word's bytes have cells or records of their own. */
static cell *cell_at(const worker *t, uintptr_t a, bool part, unsigned *bytes)
{
    const int i = area_index(t, a);
    const size_t off = a - t->area[i].lo;
    cell *word = fresh(&t->cluster.own_remote->words[i][off / 4], t),
         *b = &t->cluster.own_remote->bytes[i][off & ~(size_t)3];
    *bytes = 4 - (unsigned)(off & 3);
    if (!part && !word->fine && t->area[i].cells[off / 4].byte_epoch < t->first_epoch)
        return word;
    if (!word->fine) {
        for (int k = 0; k < 4; k++)
            b[k] = *word;
        word->fine = true;
    }
    *bytes = 1;
    return &b[off & 3];
}

/* ---- a block that is not there ---- */

/* Does the running thread know anything of the other block, which has begun then? */
static bool has_begun(worker *w, const worker *t)
{
    uint16_t *begun = &w->cluster.own_remote->begun[w->thread & (THREADS - 1)];
    const uint16_t bit = (uint16_t)(1 << (t->cluster.own_remote->rank & (MOST - 1)));
    check_op *op = w->op;
    if (*begun & bit || !op->sync)
        return *begun & bit;
    const struct check_thread_sync *me = w->order.sync ? &w->order.sync[w->thread & 1023] : NULL;
    bool known = false;
    check_order_lock();
    const check_block_sync *s = op->sync[t->block_id];
    for (uint32_t i = s ? s->count : 0; i > 0 && !known; i--) {
        const struct check_release *r = &s->list[i - 1];
        known = check_clock_of(w->order.block_known, r->chain) >= r->number ||
                (me && check_clock_of(me->known, r->chain) >= r->number);
    }
    check_order_unlock();
    if (known)
        *begun |= bit;
    return known;
}

static const char *const gone_cause =
    "a block's shared memory exists only while the block runs: a cluster.sync() must come before the first access to "
    "another block's, and one after the last";

static void not_there(worker *w, worker *t, const char *why, uintptr_t a, int flags, void *pc)
{
    check_finding f;
    char where[160] = "shared memory";
    if (!(check_tools & TOOL_MEM) || w->op->killed || check_seen("cluster-gone", pc))
        return;
    check_here(&f, TOOL_MEM, "cluster-gone", pc);
    if (t)
        check_describe_address(t, a, 1, pc, f.object, sizeof f.object, where, sizeof where);
    snprintf(f.title, sizeof f.title, "shared memory of another block is accessed, which %s", why);
    snprintf(f.at.what, sizeof f.at.what, "%s %s of block %u of its cluster", check_verb(flags), where,
             cpudev_rank_of(cpudev_to_shared((const void *)a)));
    f.cause = gone_cause;
    check_report(&f);
}

worker *check_owner_for(worker *w, uintptr_t a, int flags, void *pc)
{
    worker *t = check_owner(w, a);
    if (!t)
        not_there(w, NULL,
                  cpudev_block_has_ended(cpudev_rank_of(cpudev_to_shared((const void *)a))) ? "has ended"
                                                                                            : "has not begun",
                  a, flags, pc);
    else if (t != w && !has_begun(w, t))
        not_there(w, t, "may not have begun", a, flags, pc);
    return t;
}

/* ---- reads of what nothing has written ---- */

static bool unwritten(const worker *t, const cell *c, uintptr_t a)
{
    return !c->write.block && REC_SEG(*shared_record(t, a)) < t->first_epoch;
}

static void note_unset(struct check_remote *r, uintptr_t a, check_visit by)
{
    for (int i = 0; i < r->unsets; i++)
        if (pc_of(r->unset[i].by) == pc_of(by.by))
            return;
    if (r->unsets < (int)(sizeof r->unset / sizeof *r->unset))
        r->unset[r->unsets++] = (unset){a, by.by, by.block - 1};
}

/* What has been written meanwhile is a race, which the write told. */
void check_cluster_barrier(worker *w)
{
    struct check_remote *r = w->cluster.remote;
    if (!r || !r->unsets)
        return;
    const int n = r->unsets;
    r->unsets = 0;
    for (int i = 0; i < n; i++) {
        const unset u = r->unset[i];
        unsigned bytes;
        void *pc = pc_of(u.by);
        check_finding f;
        char where[160];
        if (!unwritten(w, cell_at(w, u.a, true, &bytes), u.a) || !(check_tools & TOOL_INIT) || w->op->killed ||
            check_seen("uninitialised", pc))
            continue;
        check_here(&f, TOOL_INIT, "uninitialised", pc);
        check_place_thread(&f.at, w->op, u.block, REC_THREAD(u.by), 1);
        check_describe_address(w, u.a, 1, pc, f.object, sizeof f.object, where, sizeof where);
        snprintf(f.title, sizeof f.title, "shared memory of another block is read before anything was written there");
        snprintf(f.at.what, sizeof f.at.what, "reads %s of block (%u,%u,%u)", where, w->block[0], w->block[1],
                 w->block[2]);
        f.cause = "that block must write each element that others read, with a cluster.sync() in between";
        check_report(&f);
    }
}

bool check_remotely_written(const worker *w, uintptr_t a)
{
    unsigned bytes;
    return w->cluster.remote && cell_at(w, a, true, &bytes)->write.block;
}

/* ---- accesses ---- */

/* The record of a thread of `block` against the running thread's access to t's memory. true: nothing orders them. */
static bool clash(worker *w, worker *t, uint32_t block, record r, int how, uintptr_t a, unsigned bytes, int flags,
                  void *pc)
{
    if (!pc_of(r) || cluster_ordered(w, block, r))
        return false;
    check_conflict_remote(w, &(check_others){t, block}, r, how, a, bytes, flags, pc);
    return true;
}

/* Against what other blocks have done to it. */
static bool clash_visits(worker *w, worker *t, const cell *c, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    const bool write = flags & A_WRITE;
    if (c->write.block &&
        clash(w, t, c->write.block - 1, c->write.by, write ? WRITE_WRITE : READ_AFTER, a, bytes, flags, pc))
        return true;
    for (int i = 0; write && i < READS; i++)
        if (c->read[i].block && clash(w, t, c->read[i].block - 1, c->read[i].by, AFTER_READ, a, bytes, flags, pc))
            return true;
    return false;
}

/* Against what the block's own threads have done to it. */
static bool clash_own(worker *w, worker *t, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    const struct check_area *ar = area_of(t, a);
    const struct check_cell *c = &ar->cells[(a - ar->lo) >> 2];
    const bool fine = c->byte_epoch >= t->first_epoch;
    const struct check_byte_cell *b = &ar->byte_cells[a - ar->lo];
    const record past[] = {fine ? b->w : c->w, fine ? b->r1 : c->r1, fine ? b->r2 : c->r2};
    for (int i = 0; i < (flags & A_WRITE ? 3 : 1); i++)
        if (REC_SEG(past[i]) >= t->first_epoch && clash(w, t, t->block_id, past[i],
                                                        i                 ? AFTER_READ
                                                        : flags & A_WRITE ? WRITE_WRITE
                                                                          : READ_AFTER,
                                                        a, bytes, flags, pc))
            return true;
    return false;
}

static void put(cell *c, check_visit me, bool write)
{
    if (write) {
        c->write = me;
        memset(c->read, 0, sizeof c->read);
        return;
    }
    int i = 0;
    while (i < READS && c->read[i].block && c->read[i].block != me.block)
        i++;
    c->read[i < READS ? i : (int)(me.block % READS)] = me;
}

static void came(worker *w, struct check_remote *r, record by)
{
    const uint32_t rank = w->cluster.own_remote->rank & (MOST - 1);
    r->came |= (uint16_t)(1 << rank);
    r->block[rank] = w->block_id;
    r->last[rank][w->thread & (THREADS - 1)] = by;
}

void check_visit_put(worker *w, worker *t, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    const bool reads = !(flags & A_WRITE) || flags & A_READ_TOO, strong = flags & (A_ATOMIC | A_VOLATILE);
    const check_visit me = {REC_MAKE(w->epoch, strong && !(flags & A_BLOCK), w->thread, pc), w->block_id + 1,
                            flags & A_WRITE};
    struct check_remote *r = visits_of(t);
    unsigned step, unset = 0;
    uintptr_t first = 0;
    bool told = false;
    for (uintptr_t p = a, end = a + bytes; p < end; p += step) {
        cell *c = cell_at(t, p, p & 3 || end - p < 4, &step);
        if (reads && unwritten(t, c, p)) {
            unset += step;
            first = first ? first : p;
        }
        told = told || clash_own(w, t, p, step, flags, pc) || clash_visits(w, t, c, p, step, flags, pc);
        put(c, me, flags & A_WRITE);
    }
    if (unset && (bytes <= 8 || 2 * unset >= bytes)) /* of a struct the padding may be unwritten */
        note_unset(r, first, me);
    came(w, r, me.by);
}

void check_visit_arrival(worker *w, worker *t, void *pc)
{
    came(w, visits_of(t), REC_MAKE(w->epoch, 0, w->thread, pc));
}

void check_visited_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    unsigned step;
    bool told = false;
    for (uintptr_t p = a, end = a + bytes; p < end; p += step) {
        cell *c = cell_at(w, p, p & 3 || end - p < 4, &step);
        told = told || clash_visits(w, w, c, p, step, flags, pc);
        if (flags & A_WRITE)
            *c = (cell){.since = c->since}; /* what comes next is judged by this write */
    }
}

check_visit check_visit_before(worker *w, worker *t, uintptr_t a, size_t bytes, bool write)
{
    check_visit found = {0};
    unsigned step;
    for (uintptr_t p = a, end = a + bytes; p < end; p += step) {
        cell *c = cell_at(t, p, p & 3 || end - p < 4, &step);
        for (int i = 0; i < (write ? 1 + READS : 1) && !found.block; i++) {
            const check_visit v = i ? c->read[i - 1] : c->write;
            if (v.block && pc_of(v.by) && !cluster_ordered(w, v.block - 1, v.by))
                found = v;
        }
        if (write)
            *c = (cell){.since = c->since};
    }
    return found;
}

/* ---- the block's end ---- */

/* Does some thread of the block know that it is over? */
static bool awaited(worker *w, uint32_t block, record r)
{
    for (uint32_t t = 0; t < w->threads; t++) {
        w->thread = t;
        if (cluster_ordered(w, block, r))
            return true;
    }
    return false;
}

static void left_too_early(worker *w, uint32_t block, record r)
{
    check_finding f;
    void *pc = pc_of(r);
    if (!pc || check_seen("cluster-gone", pc))
        return;
    check_here(&f, TOOL_MEM, "cluster-gone", pc);
    check_place_thread(&f.at, w->op, block, REC_THREAD(r), 1);
    snprintf(f.at.what, sizeof f.at.what, "accesses shared memory of block (%u,%u,%u)", w->block[0], w->block[1],
             w->block[2]);
    snprintf(f.title, sizeof f.title, "a block ends without having waited for another that accesses its shared memory");
    f.cause = gone_cause;
    check_report(&f);
}

void check_cluster_left(void)
{
    worker *w = &check_self;
    if (!w->op || !w->cluster.in)
        return;
    const uint32_t thread = w->thread;
    const int in_kernel = w->in_kernel;
    struct check_remote *r = w->cluster.remote;
    w->in_kernel = 1;
    check_cluster_barrier(w);
    for (int i = 0; i < MOST && r && check_tools & TOOL_MEM && !w->op->killed; i++)
        for (uint32_t t = 0; t < THREADS && r->came >> i & 1; t++)
            if (r->last[i][t] && !awaited(w, r->block[i], r->last[i][t]))
                left_too_early(w, r->block[i], r->last[i][t]);
    w->thread = thread;
    w->in_kernel = in_kernel;
    check_peer_end(w);
}
