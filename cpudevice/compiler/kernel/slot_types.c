/* slot_types.c: the type of a variable that has one slot a thread, as text for a typedef in front of its region.
 *
 * Contract: what the declaration says, without const where it is the variable's own, and without alignment. Of `auto` it
 * is decltype of the initialiser, in which each variable of the region, which is not declared yet, is a
 * declval<its type &>(). Where the variable is declared, print_regions.c has g++ compare the two types. */
#include "kernel/split.h"

#include <stdlib.h>

/* Can the type of d, declared with auto, be named in front of its region? */
bool auto_can_be_told(const Split *s, const Decl *d)
{
    return d->init && d->init_form == '=' && d->init->kind != E_LIST && d->stars < 2 &&
           !contains(s->t, d->type_first, d->type_last, W_VOLATILE);
}

/* The initialiser, as it can be written in front of the region. */
static char *told_initialiser(const Split *s, const Node *n)
{
    char *out = format("%s", "");
    for (int i = n->first; i <= n->last; i = next(s->t, i)) {
        const Decl *d = s->used[i];
        char *type = NULL;
        if (d && !d->is_param && d->placement == P_SLOT)
            type = format("%.*s__cpudev_t", d->len, d->name);
        else if (d && d->placement == P_AGAIN)
            type = value_type(s, d);
        if (type)
            append(&out, format(" ::std::declval<%s &>()", type));
        else
            append(&out, format(" %.*s%s", s->t->t[i].len, s->t->t[i].s, d && d->written_together ? "__cpudev" : ""));
        free(type);
    }
    return out;
}

static char *auto_type(const Split *s, const Decl *d)
{
    char *value = told_initialiser(s, d->init), *out = format("typename ::std::decay<decltype(%s)>::type", value);
    free(value);
    if (d->stars && contains(s->t, d->type_first, d->type_last, W_CONST)) {
        char *pointer = out;
        out = format("const typename ::std::remove_pointer<%s>::type *", pointer);
        free(pointer);
    }
    return out;
}

char *value_type(const Split *s, const Decl *d)
{
    if (d->is_auto && !d->written_together)
        return auto_type(s, d);
    char *out = format("%s", "");
    for (int i = d->type_first; i <= d->type_last; i = next(s->t, i)) {
        if (is(s->t, i, W_CONSTEXPR) || (is(s->t, i, W_CONST) && d->stars == 0))
            continue;
        if ((is(s->t, i, W_ALIGNAS) || is(s->t, i, W_ALIGN) || is(s->t, i, W_ATTRIBUTE)) &&
            is(s->t, next(s->t, i), W_PAREN)) {
            i = mate(s->t, next(s->t, i));
            continue;
        }
        append(&out, format("%.*s ", s->t->t[i].len, s->t->t[i].s));
    }
    for (int i = 0; i < d->stars; i++)
        append(&out, format("*"));
    return out;
}
