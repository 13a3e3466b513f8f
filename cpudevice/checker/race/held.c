/* held.c: locks, and what their holders do.
 *
 * A word is a lock as long as each change of it in the launch is one of two: a compare-and-swap or an exchange takes it
 * (from its free value to another), and the thread that has taken it gives it back (to the free value again). Counters,
 * tickets, flags and words that are set once are none.
 *
 * The section of a holder is what it accesses in between. From the block's first barrier on, what the block's other
 * threads access belongs to it too: they come behind that thread then. (What one of them does after the last barrier,
 * but before the lock happens to be given back, is kept as well: the give publishes none of it.) A section is given up
 * (leave()) where any thread of the block makes a strong access, even a thread that has not come to the barrier, where
 * threads meet in another way than at a barrier of the block, or where there are more accesses than there is room for.
 * swapped.c judges those of two holders. */
#include <stdlib.h>
#include <string.h>

#include "race/held.h"
#include "cpudev_must.h"
#include "memory/area.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "race/release.h"
#include "race/swapped.h"
#include "core/tools.h"

enum { WORDS = 64, PROBES = 4 };

enum { NO_WORD, IS_FREE, IS_HELD, IS_GIVEN, NO_LOCK }; /* given by a write that was still to be made */

typedef struct check_lock_word {
    uintptr_t a;
    unsigned bytes;
    int state;
    uint32_t op, block, thread; /* the last holder */
    uint64_t free, taken;
    check_section *last; /* the last holder's; NULL: there has been none at this place */
} check_lock_word;

/* All under the lock of release.h. */
static check_lock_word *words;
static uint64_t moment;

/* ---- words ---- */

/* The word at an address; where it is new, a place for it. NULL: no place is left. A place of another launch is taken
 * over, first of all that of the same word: what was known of it is forgotten, as two launches may share a lock. */
static check_lock_word *word_at(uintptr_t a, uint32_t op)
{
    check_lock_word *place = NULL;
    const unsigned h = (unsigned)(a * 0x9e3779b97f4a7c15u >> 40);
    for (unsigned i = 0; words && i < PROBES; i++) {
        check_lock_word *at = &words[(h + i) % WORDS];
        if (at->a == a && at->op == op)
            return at;
        if (at->a == a || (!place && at->op != op))
            place = at;
        if (at->a == a)
            break;
    }
    if (place)
        place->state = NO_WORD;
    return place;
}

/* The host may change any other. */
static int is_of_the_device(worker *w, uintptr_t a)
{
    if (a - check_heap.lo < check_heap.bytes) {
        const page *p = page_of(a);
        return p->alloc && check_heap.allocs[p->alloc - 1].kind == CPUDEV_MEM_DEVICE;
    }
    if (!w->last_var || a - w->last_var->p >= w->last_var->bytes)
        w->last_var = check_variable_at((void *)a, 0);
    return w->last_var && w->last_var->kind != 'm';
}

/* ---- what a block has seen ---- */

/* The last time is kept for the word seen last, and for all others. */
static void looked_at(worker *w, uintptr_t a)
{
    if (w->held.word != a) {
        w->held.before = w->held.at;
        w->held.word = a;
    }
    w->held.at = moment;
}

static uint64_t looked_elsewhere(const worker *w, uintptr_t a)
{
    return w->held.word == a ? w->held.before : w->held.at;
}

void check_held_block_begin(worker *w)
{
    w->held.open = w->held.follows = 0;
    w->held.word = 0;
    w->held.at = w->held.before = 0;
}

/* ---- a section ---- */

/* The section is not judged: it has ended, or something happens that is not followed. */
static void leave(worker *w)
{
    w->held.open = w->held.follows = 0;
    set_key(w);
}

/* The block comes to its next epoch. Has nothing else begun one since the last that is known, such as a barrier of a
 * warp? */
static int next_epoch(worker *w)
{
    check_section *s = w->held.section;
    if (w->epoch != s->epoch + 1) {
        leave(w);
        return 0;
    }
    s->epoch = w->epoch;
    return 1;
}

void check_held_fence(worker *w, int scope)
{
    check_section *s = w->held.section;
    if (next_epoch(w) && w->thread == s->thread && scope >= FENCE_DEVICE)
        s->acquired = 1;
}

/* Behind it all threads know what the one that took the lock had read: see check_sync_barrier(). */
void check_held_barrier(worker *w)
{
    check_section *s = w->held.section;
    if (!next_epoch(w))
        return;
    s->barrier = w->barrier_epoch;
    s->met = s->acquired = 1;
    check_held_thread(w);
}

void check_held_thread(worker *w)
{
    w->held.follows = w->held.section->met || w->thread == w->held.section->thread;
    set_key(w);
}

void check_held_exit(worker *w)
{
    if (w->thread == w->held.section->thread)
        leave(w);
}

/* Memory that no other block uses, or that no one changes during a launch. */
static int is_private(worker *w, uintptr_t a)
{
    return is_shared(w, a) || a - w->args.lo < w->args.bytes || a - w->os_stack.lo < w->os_stack.bytes ||
           a - check_program.text_lo < check_program.text_bytes;
}

static uint64_t word_of(uintptr_t a, unsigned bytes)
{
    uint64_t v = 0;
    memcpy(&v, (const void *)a, bytes < 8 ? bytes : 8);
    return v;
}

static void make_room(check_section *s, int count)
{
    if (count <= s->room)
        return;
    s->room = count < 32 ? 32 : 2 * count;
    s->of = realloc(s->of, (size_t)s->room * sizeof *s->of);
    if (!s->of)
        out_of_memory();
}

static void copy_section(check_section **to, const check_section *from)
{
    check_section *s = *to ? *to : must(calloc(1, sizeof *s));
    make_room(s, from->count);
    check_use *of = s->of;
    const int room = s->room;
    *s = *from;
    s->of = of;
    s->room = room;
    if (from->count)
        memcpy(of, from->of, (size_t)from->count * sizeof *of);
    *to = s;
}

void check_held_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    check_section *s = w->held.section;
    const int strong = flags & (A_ATOMIC | A_VOLATILE | A_BLOCK);
    if (strong ? a == w->held.lock && w->thread == s->thread : !w->held.follows)
        return;
    if (!strong && !w->region.recording && is_private(w, a))
        return;
    const page *p = page_of(a);
    const int heap = p && a - check_heap.lo < check_heap.bytes;
    if (strong || flags & (A_RANGE | A_UNIT) || w->region.recording || w->async.now || !p || (a & 15) + bytes > 16 ||
        s->count == USES ||
        (heap && (!p->alloc || a + bytes > (a & ~(uintptr_t)4095) + p->hi || (a & 4095) < p->lo ||
                  check_heap.allocs[p->alloc - 1].kind == CPUDEV_MEM_HEAP))) {
        leave(w); /* of the kernel's heap another block may be given the same place */
        return;
    }
    make_room(s, s->count + 1);
    const unsigned bucket = check_bucket(a);
    check_use *u = &s->of[s->count];
    *u = (check_use){.a = a,
                     .pc = pc,
                     .thread = w->thread,
                     .epoch = w->epoch,
                     .earlier = {s->last[0][bucket], s->last[1][bucket]},
                     .bytes = (uint8_t)bytes,
                     .writes = flags & A_WRITE ? 1 : 0,
                     .acquired = s->acquired ? 1 : 0};
    if (u->writes)
        u->before = word_of(a, bytes);
    s->last[0][bucket] = s->count;
    if (u->writes)
        s->last[1][bucket] = s->count;
    s->count++;
}

static void section_begins(worker *w, check_lock_word *l, const check_word_access *s)
{
    l->state = IS_HELD;
    l->block = w->block_id;
    l->thread = w->thread;
    moment++;
    if (w->held.open)
        leave(w);
    if (w->loops || w->cluster.in || w->async.now || w->region.recording)
        return;
    if (!w->held.section)
        w->held.section = must(calloc(1, sizeof *w->held.section));
    check_section *to = w->held.section;
    to->op = w->op->id;
    to->block = w->block_id;
    to->thread = w->thread;
    to->grid = w->global.grid_epoch;
    to->barrier = w->barrier_epoch;
    to->epoch = w->epoch + (s->sync->orders ? 1 : 0); /* check_strong_end() begins a new one */
    to->began = moment;
    to->looked = looked_elsewhere(w, l->a);
    to->take = s->pc;
    to->count = to->met = 0;
    to->acquired = s->sync->acquires;
    memset(to->last, -1, sizeof to->last);
    w->held.lock = l->a;
    w->held.open = w->held.follows = 1;
    look_at_all(w);
}

/* From a write of the section to what the section did with the same word before it. */
static void look_back(const check_section *s, check_use *u)
{
    const check_use *first = u;
    for (int k = u->earlier[0]; k >= 0; k = s->of[k].earlier[0])
        if (check_uses_overlap(&s->of[k], u)) {
            s->of[k].hidden = 1;
            first = s->of[k].writes ? &s->of[k] : first;
        }
    u->differs =
        u->bytes <= 8 && first->a == u->a && first->bytes == u->bytes && first->before != word_of(u->a, u->bytes);
}

/* The thread gives back the lock: what its block did meanwhile is known if all of it has been followed. */
static int section_ends(worker *w, const check_lock_word *l, const check_word_access *s)
{
    check_section *of = w->held.section;
    if (!w->held.open || w->held.lock != l->a || of->thread != w->thread)
        return 0;
    leave(w);
    of->give = s->pc;
    const struct check_release release = check_release_now(w, s->sync);
    for (int i = 0; i < of->count; i++) {
        of->of[i].released = check_publishes(&release, WIDE, of->of[i].epoch, of->of[i].thread) ? 1 : 0;
        if (of->of[i].writes)
            look_back(of, &of->of[i]);
    }
    return of->epoch == w->epoch && of->barrier == w->barrier_epoch && of->grid == w->global.grid_epoch &&
           !w->async.now;
}

void check_held_judge(worker *w)
{
    check_swapped(w, w->held.before_it, w->held.section);
    free(w->held.before_it->of);
    free(w->held.before_it);
    w->held.before_it = NULL;
}

/* ---- accesses to the word ---- */

static void given(worker *w, check_lock_word *l, const check_word_access *s)
{
    const int whole = section_ends(w, l, s);
    l->state = s->later ? IS_GIVEN : IS_FREE;
    if (whole && l->last && l->last->known && !s->later && check_may_swap(l->last, w->held.section))
        copy_section(&w->held.before_it, l->last);
    if (whole)
        copy_section(&l->last, w->held.section);
    if (l->last)
        l->last->known = whole;
}

static void no_lock(worker *w, check_lock_word *l, const check_word_access *s)
{
    l->state = NO_LOCK;
    if (w->held.open && w->held.lock == l->a)
        leave(w);
    if (s->reads)
        looked_at(w, 0);
}

/* A word of which nothing is known, or not in this launch: does the access take it? */
static void new_word(worker *w, check_lock_word *l, const check_word_access *s)
{
    if (s->reads)
        looked_at(w, 0);
    if (!s->replaces || !s->writes || s->before == s->after || s->bytes > 8 || s->sync->narrow ||
        !is_of_the_device(w, s->sync->a))
        return;
    if (!words)
        words = must(calloc(WORDS, sizeof *words));
    if (!l)
        l = word_at(s->sync->a, w->op->id);
    if (!l)
        return;
    l->a = s->sync->a;
    l->bytes = s->bytes;
    l->op = w->op->id;
    l->free = s->before;
    l->taken = s->after;
    if (l->last)
        l->last->known = 0;
    section_begins(w, l, s);
}

static void known_word(worker *w, check_lock_word *l, const check_word_access *s)
{
    const int holds = l->state == IS_HELD && l->block == w->block_id && l->thread == w->thread;
    if (l->bytes != s->bytes || s->sync->narrow || s->adds || s->before != (l->state == IS_HELD ? l->taken : l->free)) {
        no_lock(w, l, s);
        return;
    }
    if (l->state == IS_GIVEN)
        l->state = IS_FREE;
    const int changes = s->writes && (s->later || s->before != s->after);
    if (l->state == IS_FREE) {
        looked_at(w, l->a);
        if (changes && s->replaces) {
            l->taken = s->after;
            section_begins(w, l, s);
        } else if (s->writes) {
            no_lock(w, l, s);
        }
    } else if (holds && changes && (s->later || s->after == l->free)) {
        given(w, l, s);
    } else if (changes || (s->writes && !s->reads)) {
        no_lock(w, l, s);
    } else {
        looked_at(w, 0);
        if (holds && w->held.open)
            leave(w);
    }
}

void check_held_word(worker *w, const check_word_access *s)
{
    if (!(check_tools & TOOL_RACE) || w->op->killed)
        return;
    check_lock_word *l = word_at(s->sync->a, w->op->id);
    if (l && l->state == NO_LOCK)
        no_lock(w, l, s);
    else if (l && l->state != NO_WORD)
        known_word(w, l, s);
    else
        new_word(w, l, s);
}
