/* clock.c: vector clocks over release sequences. */
#include <stdlib.h>
#include <string.h>

#include "race/clock.h"
#include "cpudev_must.h"

check_clock *check_clock_keep(check_clock *c)
{
    if (c)
        c->references++;
    return c;
}

void check_clock_drop(check_clock *c)
{
    if (c && --c->references == 0)
        free(c);
}

static check_clock *clock_new(uint32_t count)
{
    check_clock *c = malloc(sizeof *c + count * sizeof *c->of);
    if (!c)
        out_of_memory();
    c->references = 1;
    c->count = count;
    return c;
}

/* Has a seen all that b has? */
static int covers(const check_clock *a, const check_clock *b)
{
    uint32_t i = 0;
    for (uint32_t k = 0; k < b->count; k++) {
        while (i < a->count && a->of[i].chain < b->of[k].chain)
            i++;
        if (i == a->count || a->of[i].chain != b->of[k].chain || a->of[i].number < b->of[k].number)
            return 0;
    }
    return 1;
}

check_clock *check_clock_join(check_clock *a, check_clock *b)
{
    if (!b || a == b)
        return check_clock_keep(a);
    if (!a || covers(b, a))
        return check_clock_keep(b);
    if (covers(a, b))
        return check_clock_keep(a);
    check_clock *c = clock_new(a->count + b->count);
    uint32_t i = 0, k = 0, n = 0;
    while (i < a->count || k < b->count) {
        if (k == b->count || (i < a->count && a->of[i].chain < b->of[k].chain))
            c->of[n++] = a->of[i++];
        else if (i == a->count || b->of[k].chain < a->of[i].chain)
            c->of[n++] = b->of[k++];
        else {
            c->of[n] = a->of[i].number > b->of[k].number ? a->of[i] : b->of[k];
            n++, i++, k++;
        }
    }
    c->count = n;
    return c;
}

check_clock *check_clock_with(check_clock *c, uint32_t chain, uint32_t number)
{
    if (check_clock_of(c, chain) >= number)
        return check_clock_keep(c);
    check_clock *one = clock_new(1);
    one->of[0] = (struct check_seen_of){chain, number};
    check_clock *joined = check_clock_join(c, one);
    check_clock_drop(one);
    return joined;
}

uint32_t check_clock_of(const check_clock *c, uint32_t chain)
{
    uint32_t lo = 0, hi = c ? c->count : 0;
    while (lo < hi) {
        uint32_t m = (lo + hi) / 2;
        if (c->of[m].chain < chain)
            lo = m + 1;
        else
            hi = m;
    }
    return c && lo < c->count && c->of[lo].chain == chain ? c->of[lo].number : 0;
}
