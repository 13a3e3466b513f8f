/* verify_report.c: how the verifier says what it has found. */
#include "verify/verifier.h"

void broke(Verify *v, int i, const char *what)
{
    const Token *at = v->t && i >= 0 && i < v->t->n ? &v->t->t[i] : NULL;
    if (!v->broken)
        fprintf(stderr, "cucc: internal error in the compiler, after the pass %s: %s%s%.*s (%s:%d)\n", v->pass, what,
                at && at->kind != T_END ? ": " : "", at && at->len < 40 ? at->len : 0, at ? at->s : "",
                at && at->file ? at->file : "<input>", at ? at->line : 0);
    v->broken = true;
    v->u->errors++;
}
