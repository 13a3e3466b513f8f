/* print_asm.c: inline PTX. `asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));` and its like become an assignment; an
 * empty string is a barrier for the compiler and stays; other PTX is refused. */
#include "print.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *ptx, *call;
} known[] = {
    {"%laneid;", "::cpudev_lane()"},
    {"%warpid;", "(::cpudev_tid() / 32)"},
    {"%smid;", "::cpudev_smid()"},
    {"%nsmid;", "::cpudev_nsmid()"},
    {"%globaltimer;", "::cpudev_globaltimer()"},
    {"%clock;", "(unsigned)::cpudev_clock()"},
    {"%clock64;", "::cpudev_clock()"},
    {"%lanemask_lt;", "((1u << ::cpudev_lane()) - 1)"},
    {"%lanemask_le;", "((2u << ::cpudev_lane()) - 1)"},
    {"%lanemask_eq;", "(1u << ::cpudev_lane())"},
    {"%lanemask_gt;", "(~((2u << ::cpudev_lane()) - 1))"},
    {"%lanemask_ge;", "(~((1u << ::cpudev_lane()) - 1))"},
};

void print_asm(Unit *u, Tokens *t, int i)
{
    int p = prev(t, i), open = next(t, i);
    if ((is(t, p, "(") || ident(t, p) || is(t, p, ")") || is(t, p, "]")) && !is(t, p, "else") && !is(t, p, "do"))
        return; /* an __asm__("name") label of a declaration */
    while (is(t, open, "volatile") || is(t, open, "__volatile__") || is(t, open, "__volatile"))
        open = next(t, open);
    if (!is(t, open, "("))
        return;
    int close = mate(t, open), s = next(t, open), c = next(t, s);
    if (t->t[s].kind == T_STR && t->t[s].len == 2 && (is(t, c, ")") || is(t, c, ":")))
        return;
    if (t->t[s].kind == T_STR && t->t[s].len > 4 && !memcmp(t->t[s].s, "\"mov", 4) &&
        (is(t, c, ":") || is(t, c, "::")) && t->t[next(t, c)].kind == T_STR && is(t, next(t, next(t, c)), "(")) {
        int value = next(t, next(t, c)), end = mate(t, value);
        char *text = name_of(t, s);
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (!strstr(text, known[k].ptx))
                continue;
            drop_range(t, i, next(t, c));
            put_after(t, end, format(" = %s", known[k].call));
            for (int d = next(t, end); d <= close && t->t[d].kind != T_END; d = next(t, d))
                t->t[d].drop = true;
            free(text);
            return;
        }
        free(text);
    }
    error_at(u, &t->t[i],
             "inline PTX assembly is not supported by the CPU device: asm(%.*s ...); keep a C++ version under #ifdef "
             "__CUCC__",
             t->t[s].len, t->t[s].s);
}
