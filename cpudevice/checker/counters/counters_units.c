/* counters_units.c: what the units beside load and store do for a block, by place in the code. */
#include "counters/counters_units.h"

#include <stdbool.h>

enum { PLACES = 128 };

static __thread struct {
    bool counts;
    int places;
    struct place {
        uintptr_t pc;
        int unit;
        unit_sums s;
    } place[PLACES];
} block;

void counters_units_begin(void)
{
    block.counts = true;
    block.places = 0;
}

void counters_unit(int unit, const void *site, unsigned instructions, uint64_t amount)
{
    struct place *p = block.place, *end = p + block.places;
    if (!block.counts)
        return;
    while (p < end && !(p->pc == (uintptr_t)site && p->unit == unit))
        p++;
    if (p == block.place + PLACES)
        return;
    if (p == end) {
        *p = (struct place){.pc = (uintptr_t)site, .unit = unit};
        block.places++;
    }
    unit_sums_add(&p->s, &(unit_sums){instructions, amount});
}

void counters_units_end(launch *l)
{
    for (const struct place *p = block.place; p < block.place + block.places; p++)
        check_launch_add_unit(l, p->pc, p->unit, &p->s);
    block.counts = false;
}
