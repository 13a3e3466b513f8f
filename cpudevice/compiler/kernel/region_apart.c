/* region_apart.c: are the threads of a region apart in all of its statements? */
#include "analysis/analysis.h"
#include "kernel/split.h"

bool region_apart(const Split *s, const Region *r)
{
    for (int i = 0; i < r->n; i++)
        if (!threads_apart(s->u, s->f, r->statement[i]))
            return false;
    return true;
}
