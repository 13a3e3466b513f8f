/* split.c: what the files that split a kernel all ask. */
#include "kernel/split.h"
#include "kernel/canonical_form.h"

void fail(Split *s, const char *why, int at)
{
    if (!s->k->why)
        s->k->why = format("line %d: %s", s->t->t[at < 0 ? 0 : at].line, why);
}

Region *region_of(const Split *s, int token)
{
    for (int i = 0; i < s->nregion; i++)
        if (s->region[i].first <= token && token <= s->region[i].last)
            return &s->region[i];
    return NULL;
}

/* What g++ has to judge, as a declaration; the driver reads the kernel's number from the message. */
char *static_assertion(const Kernel *k)
{
    return k->judged ? format(" static_assert(true%s, \"cucc: kernel %d runs on fibers\");", k->judged, k->id)
                     : format("%s", "");
}
