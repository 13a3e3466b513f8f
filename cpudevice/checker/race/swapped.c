/* swapped.c: two sections of one lock, judged in the order in which they did not come.
 *
 * Let a thread of block X take the lock, let X make its section's accesses, and let the thread give the lock back. Let a
 * thread of another block, Y, be the next to take it. Could Y have come first? Consider the moment before X takes the
 * lock: it is free. From there on let only Y's threads run, in the order in which they did run. They do what they did,
 * if since that moment none of them has
 *
 *   read by a strong access any word but the lock, nor found the lock taken: so Y has seen nothing of X, and nothing
 *   of what others did meanwhile, since a plain read of that would be a race by itself;
 *   met other blocks (clusters, grid barriers).
 *
 * So Y takes the lock first and comes as far as its first access that conflicts with X's section: all that it reads
 * before it are words that X's section does not write. Y's barriers wait for Y's threads alone. Then X continues, all
 * of its threads from where they were at that moment, and again in the order in which they did run. None of them has
 * made a strong access before the lock was given back, but the one that took it. So they reach X's first conflict with
 * Y's section. (Should Y's section meet what X's other threads did before their first barrier, which belongs to no
 * section, then that is a race by itself: nothing orders it behind X's taking the lock.) At the first conflict, the two
 * are ordered only if Y releases behind its access, and X acquires before its own.
 *
 * What counts as releasing and acquiring is what counts in the order that did occur. Y's release is the one that it
 * has made: check_publishes() says which accesses of which threads it publishes. Of Y's accesses to a word, only those
 * from the last write on are asked for, as only they are on record when X comes. X acquires by a fence of the thread
 * that took the lock, or for all its threads by a barrier.
 *
 * If Y has read what X's section wrote, it may go on in another way when it comes first: with another fence, say. Then
 * only X's acquisition is judged, and only if the threads of both have executed the same lines from one end of the
 * section to the other: X saw what Y would see, and gave the lock back. Nothing is said of Y's release then: the last
 * of all may leave it out, and know from what it has read that it is the last. */
#include <string.h>

#include "race/swapped.h"
#include "race/order.h"
#include "race/race.h"
#include "report/lines.h"

/* Of two writes, only those that leave different values are one. */
static int conflict(const check_use *x, const check_use *y)
{
    if (!check_uses_overlap(x, y) || !(x->writes || y->writes))
        return 0;
    return !(x->writes && y->writes) || (x->a == y->a && x->bytes == y->bytes && y->differs);
}

/* The uses of a section that may meet another section's use, from the last to the first: of a read, the writes. */
static int first_for(const check_section *s, const check_use *u) { return s->last[!u->writes][check_bucket(u->a)]; }

static int next_for(const check_section *s, const check_use *u, int i) { return s->of[i].earlier[!u->writes]; }

/* Y's first use of what X's section uses too, one of them writing; -1: there is none. */
static int first_meeting(const check_section *x, const check_section *y)
{
    for (int k = 0; k < y->count; k++)
        for (int i = first_for(x, &y->of[k]); i >= 0; i = next_for(x, &y->of[k], i))
            if (check_uses_overlap(&x->of[i], &y->of[k]))
                return k;
    return -1;
}

/* Does y read a word that x has written? */
static int reads_what_was_written(const check_section *x, const check_section *y)
{
    for (int k = 0; k < y->count; k++)
        for (int i = y->of[k].writes ? -1 : first_for(x, &y->of[k]); i >= 0; i = next_for(x, &y->of[k], i))
            if (check_uses_overlap(&x->of[i], &y->of[k]))
                return 1;
    return 0;
}

static int same_use(const check_section *x, const check_use *of_x, const check_section *y, const check_use *of_y)
{
    const int threads = of_x->thread == x->thread ? of_y->thread == y->thread : of_x->thread == of_y->thread;
    return threads && of_x->writes == of_y->writes && of_x->bytes == of_y->bytes &&
           (of_x->pc == of_y->pc || check_same_line(of_x->pc, of_y->pc));
}

/* Have the threads of both blocks executed the same lines from one end of the section to the other? */
static int same_code(const check_section *x, const check_section *y)
{
    int same = x->count == y->count && check_same_line(x->take, y->take) && check_same_line(x->give, y->give);
    for (int i = 0; same && i < x->count; i++)
        same = same_use(x, &x->of[i], y, &y->of[i]);
    return same;
}

int check_may_swap(const check_section *x, const check_section *y)
{
    return x->op == y->op && x->block != y->block && x->grid == y->grid && y->looked < x->began;
}

/* Would nothing order the two if y's came first? A pair that nothing orders as it came has been reported. */
static int unordered(const check_use *x, const check_use *y, int reads)
{
    if (!conflict(x, y) || !x->released || !y->acquired || y->hidden)
        return 0;
    return !x->acquired || (!reads && !y->released);
}

/* The first use of x's section that nothing would order behind a use of y's, *yk, if y's section came first; -1: none.
 * After x has read what y wrote it may go on in another way. */
static int first_unordered(const check_section *x, const check_section *y, int *yk)
{
    const int met = first_meeting(x, y), reads = reads_what_was_written(x, y);
    for (int i = 0; met >= 0 && i < x->count; i++) {
        int read = 0;
        for (int k = first_for(y, &x->of[i]); k >= 0; k = next_for(y, &x->of[i], k)) {
            read |= !x->of[i].writes && y->of[k].writes && check_uses_overlap(&x->of[i], &y->of[k]);
            if ((!reads || check_uses_overlap(&y->of[met], &y->of[k])) && unordered(&x->of[i], &y->of[k], reads)) {
                *yk = k;
                return reads && !same_code(x, y) ? -1 : i;
            }
        }
        if (read)
            break;
    }
    return -1;
}

/* The finding is of x's thread, as it would be if that one had come second. */
static void report_pair(worker *w, const check_section *x, int i, const check_section *y, int k)
{
    const check_use *of = &x->of[i];
    const uint32_t *grid = w->op->d.grid, block = w->block_id, gx = grid[0] ? grid[0] : 1, gy = grid[1] ? grid[1] : 1;
    const check_race r = {.how = !of->writes       ? READ_AFTER
                                 : y->of[k].writes ? WRITE_WRITE
                                                   : AFTER_READ,
                          .a = of->a,
                          .bytes = of->bytes,
                          .flags = of->writes ? A_WRITE : 0,
                          .pc = of->pc,
                          .thread = of->thread,
                          .segment = my_segment(w),
                          .other_thread = y->of[k].thread,
                          .other_pc = y->of[k].pc};
    uint32_t at[3];
    memcpy(at, w->block, sizeof at);
    w->block_id = x->block;
    w->block[0] = x->block % gx;
    w->block[1] = x->block / gx % gy;
    w->block[2] = x->block / gx / gy;
    check_report_race(w, &r);
    w->block_id = block;
    memcpy(w->block, at, sizeof at);
}

void check_swapped(worker *w, const check_section *x, const check_section *y)
{
    int k = 0;
    const int i = first_unordered(x, y, &k);
    if (i >= 0)
        report_pair(w, x, i, y, k);
}
