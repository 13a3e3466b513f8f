#include "lab_rows.h"

static const char *const verdict_word[] = {"ok", "WRONG", "skipped", "refused"};

const char *ladder_check_word(const Row *r)
{
    return (r->rung->flags & LAB_WRONG) && r->verdict == LAB_FAIL && !r->failed ? "wrong as it should be"
                                                                                : verdict_word[r->verdict];
}

double ladder_of_copy(const Ladder *l, const Row *r)
{
    return l->copy.runs ? l->bytes / (double)l->ceiling.moved * bench_ratio(&l->copy, &r->subject) : 0;
}

const Row *ladder_before(const Ladder *l, const Row *r)
{
    if (r->rung->flags & LAB_VENDOR)
        return NULL;
    while (--r >= l->row)
        if (ladder_is_timed(r) && !(r->rung->flags & LAB_VENDOR))
            return r;
    return NULL;
}

double ladder_rate_of(const Ladder *l, double ms) { return l->by_flops ? l->flops / ms * 1e-9 : l->bytes / ms * 1e-6; }

double ladder_rate(const Ladder *l, const Row *r) { return ladder_rate_of(l, r->ms.median); }
