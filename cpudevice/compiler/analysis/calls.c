/* calls.c: what a function may do besides computing: wait for other threads, or ask which thread it runs on.
 *
 * Contract: sets Function.purity (harmful.c judges functions one by one), Function.waits and Function.meets of every function
 * with a body, and Unit.impure_operators. */
#include "front/unit.h"
#include "analysis/analysis.h"

/* Has f a barrier, or a shuffle, or does it call a function that has? True if that is new. */
static bool look_into(Unit *u, Function *f)
{
    const Tokens *t = &u->tok;
    const bool waits = f->waits, meets = f->meets;
    for (int i = f->body; i < f->end; i = next(t, i)) {
        if (!ident(t, i))
            continue;
        f->waits |= is(t, i, W_SYNCTHREADS) || (is(t, i, W_SYNC) && is(t, next(t, i), W_PAREN));
        f->meets |= warp_function(t, i);
        for (int k = function_named(u, t, i, -1); k >= 0; k = function_named(u, t, i, k)) {
            f->waits |= !u->function[k].kernel && u->function[k].waits;
            f->meets |= !u->function[k].kernel && u->function[k].meets;
        }
    }
    return f->waits != waits || f->meets != meets;
}

/* Can the operator be meant where only plain types are? One of its parameters is a class of another kind if not. */
static bool of_plain_types(const Unit *u, const Function *f)
{
    const Tokens *t = &u->tok;
    bool is_type;
    for (int i = next(t, f->open); i < f->close; i = next(t, i))
        if (ident(t, i) && only_kind(u, t, i, N_TYPE) && !template_parameter(u, f, t, i, &is_type))
            return false;
        else if (ident(t, i) && has_name(u, t, i, N_TYPE) && has_name(u, t, i, N_TEMPLATE) &&
                 !has_name(u, t, i, N_PLAIN_TYPE))
            return false;
    return true;
}

void pass_calls(Unit *u)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < u->nfunction; i++) {
            Function *f = &u->function[i];
            if (f->body >= 0 && !f->kernel && f->name >= 0 && !(f->waits && f->meets))
                changed |= look_into(u, f);
        }
    }
    for (int i = 0; i < u->nfunction; i++) {
        Function *f = &u->function[i];
        if (f->body >= 0 && f->kernel)
            look_into(u, f);
        if (f->body < 0 || f->kernel)
            continue;
        purity_of(u, i);
        if (f->name >= 0 && is(&u->tok, f->name, W_OPERATOR) && !f->member && f->purity != F_PURE &&
            of_plain_types(u, f))
            u->impure_operators = true;
    }
}
