/* swapped.c: two sections of one lock, judged in the order in which they did not come.
 *
 * Let thread X of one block take the lock, make its section's accesses and give the lock back, and let thread Y of
 * another block be the next to take it. Could Y have come first? Consider the moment before X takes the lock: it is
 * free. From there on let only Y's block run. It does what it did, if since that moment it has not
 *
 *   read by a strong access any word but the lock, nor found the lock taken: so it has seen nothing of X, and nothing
 *   of what others did meanwhile, since a plain read of that would be a race by itself;
 *   met other blocks (clusters, grid barriers).
 *
 * So Y takes the lock first and comes as far as its first access that conflicts with X's section: all that it reads
 * before it are words that X's section does not write. Then X continues. Its section has only plain accesses, so it
 * reaches its first conflict with Y's section. There the two are ordered only if Y releases behind its access, and X
 * acquires before its own.
 *
 * If Y has read what X's section wrote, it may go on in another way when it comes first: with another fence, say. Then
 * only X's acquisition is judged, and only if both have executed the same lines from one end of the section to the
 * other: X saw what Y would see, and gave the lock back. Nothing is said of Y's release then: the last of all may leave
 * it out, and know from what it has read that it is the last. */
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

/* Y's first use of what X's section uses too, one of them writing; -1: there is none. */
static int first_meeting(const check_section *x, const check_section *y)
{
    for (int k = 0; k < y->count; k++)
        for (int i = 0; i < x->count; i++)
            if (check_uses_overlap(&x->of[i], &y->of[k]) && (x->of[i].writes || y->of[k].writes))
                return k;
    return -1;
}

/* Does y read a word that x has written? */
static int reads_what_was_written(const check_section *x, const check_section *y)
{
    for (int k = 0; k < y->count; k++)
        for (int i = 0; i < x->count && !y->of[k].writes; i++)
            if (x->of[i].writes && check_uses_overlap(&x->of[i], &y->of[k]))
                return 1;
    return 0;
}

/* Have both threads executed the same lines from one end of the section to the other? */
static int same_code(const check_section *x, const check_section *y)
{
    int same = x->count == y->count && check_same_line(x->take, y->take) && check_same_line(x->give, y->give);
    for (int i = 0; same && i < x->count; i++)
        same = x->of[i].writes == y->of[i].writes && x->of[i].bytes == y->of[i].bytes &&
               (x->of[i].pc == y->of[i].pc || check_same_line(x->of[i].pc, y->of[i].pc));
    return same;
}

int check_may_swap(const check_section *x, const check_section *y)
{
    return x->op == y->op && x->block != y->block && x->grid == y->grid && y->looked < x->began;
}

/* Would nothing order the two if y's came first? A pair that nothing orders as it came has been reported. */
static int unordered(const check_section *x, int i, const check_section *y, int k, int reads)
{
    if (!conflict(&x->of[i], &y->of[k]) || i >= x->released || k < y->acquired)
        return 0;
    return i < x->acquired || (!reads && k >= y->released);
}

/* The first use of x's section that nothing would order behind a use of y's, *yk, if y's section came first; -1: none.
 * After x has read what y wrote it may go on in another way. */
static int first_unordered(const check_section *x, const check_section *y, int *yk)
{
    const int met = first_meeting(x, y), reads = reads_what_was_written(x, y);
    for (int i = 0; met >= 0 && i < x->count; i++) {
        int read = 0;
        for (int k = y->count - 1; k >= 0; k--) {
            read |= !x->of[i].writes && y->of[k].writes && check_uses_overlap(&x->of[i], &y->of[k]);
            if ((!reads || check_uses_overlap(&y->of[met], &y->of[k])) && unordered(x, i, y, k, reads)) {
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
                          .thread = x->thread,
                          .segment = my_segment(w),
                          .other_thread = y->thread,
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
