/* canonical_inline.c: a function with a barrier in the place of its call.
 *
 *   f(a, b);  x = f(a, b) + c;  T x = f(a, b);    become    { T p = a; U q = b; body of f }  and what is done with its
 * value
 *
 * Only where that is plainly the same: one function of that name, in the kernel's own scope; the call is the first thing
 * its statement does; no return but at the end; no name in the function that means something else in the kernel. Its own
 * names get a number, and every token keeps its line. A template's parameters are replaced by what the call gives them, or
 * by the type of a variable that it is called with. False otherwise: the kernel stays on fibers.
 */
#include "kernel/canonical_form.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Unit *u;
    Kernel *k;
    Function *f;
    const Tokens *from;       /* f's */
    Tokens *t;                /* the kernel's */
    int call, open, call_end; /* its name and its parentheses */
    int s, e;                 /* the statement that it is in */
    bool declares, value;     /* a declaration; f gives something back */
    char *type;               /* what it gives back */
    int last;                 /* f's last statement */
    int number;
    const char **rename; /* by token of f: its replacement in the kernel */
} Inline;

/* Where the statement begins, if the call is the first thing that it does. */
static bool find_statement(Inline *x)
{
    const Tokens *t = x->t;
    x->s = x->call;
    for (int p = prev(t, x->call); p > x->k->canonical.body; p = prev(t, p)) {
        if (is(t, p, W_PAREN_END)) {
            int q = prev(t, mate_back(t, p));
            if (is(t, q, W_IF) || is(t, q, W_FOR) || is(t, q, W_WHILE) ||
                (is(t, q, W_CONSTEXPR) && is(t, prev(t, q), W_IF)))
                break;
            return false;
        }
        if (is(t, p, W_SEMICOLON) || is(t, p, W_BRACE) || is(t, p, W_BRACE_END) || is(t, p, W_ELSE))
            break;
        if (is(t, p, W_SQUARE_END))
            p = mate_back(t, p);
        else if (is(t, p, W_PAREN) || is(t, p, W_COMMA) || is(t, p, W_COLON) || is(t, p, W_QUESTION) ||
                 is(t, p, W_DO) || is(t, p, W_RETURN) || is(t, p, W_SQUARE) || is(t, p, W_AND_AND) || is(t, p, W_OR_OR))
            return false;
        x->s = p;
    }
    if (!is(t, enclosing(t, x->s), W_BRACE))
        return false;
    for (x->e = x->s; x->e < t->n - 1 && !is(t, x->e, W_SEMICOLON); x->e = next(t, x->e))
        if (is(t, x->e, W_PAREN) || is(t, x->e, W_SQUARE) || is(t, x->e, W_BRACE))
            x->e = mate(t, x->e);
    return is(t, x->e, W_SEMICOLON) && (x->s != x->call || next(t, x->call_end) == x->e);
}

/* `T v =`, `v =`, `v +=` and nothing else in front of the call */
static bool find_target(Inline *x)
{
    const Tokens *t = x->t;
    static const Word assign[] = {W_ASSIGN,     W_ADD_ASSIGN, W_SUB_ASSIGN, W_MUL_ASSIGN, W_DIV_ASSIGN,
                                  W_MOD_ASSIGN, W_AND_ASSIGN, W_OR_ASSIGN,  W_XOR_ASSIGN, W_NONE};
    if (x->s == x->call)
        return true;
    int p = prev(t, x->call), name = prev(t, p);
    if (!in(t, assign, p))
        return false;
    for (int k = x->s; k < p; k = next(t, k))
        if (in(t, assign, k) || is(t, k, W_LESS) || is(t, k, W_INCREMENT) || is(t, k, W_DECREMENT) ||
            (is(t, k, W_PAREN) && !is(t, prev(t, k), W_ATTRIBUTE)))
            return false;
    x->declares = ident(t, name) && name != x->s && !is(t, prev(t, name), W_DOT) && !is(t, prev(t, name), W_ARROW) &&
                  is(t, p, W_ASSIGN) && (ident(t, x->s) || is(t, x->s, W_SCOPE));
    for (int k = x->s; x->declares && k < name; k = next(t, k))
        x->declares = ident(t, k) || is(t, k, W_SCOPE) || is(t, k, W_STAR);
    if (!x->declares && !ident(t, x->s))
        return false;
    for (int k = next(t, x->call_end); x->declares && k < x->e;
         k = next(t, is(t, k, W_PAREN) || is(t, k, W_SQUARE) ? mate(t, k) : k))
        if (is(t, k, W_COMMA))
            return false; /* another variable */
    return !x->declares || is(t, prev(t, x->s), W_SEMICOLON) || is(t, prev(t, x->s), W_BRACE) ||
           is(t, prev(t, x->s), W_BRACE_END);
}

static int behind_template(const Inline *x)
{
    return x->f->template_first >= 0 ? next(x->from, next(x->from, x->f->template_last)) : x->f->start;
}

/* f's token k, as it is in the kernel. */
static char *word(const Inline *x, int k)
{
    return x->rename[k] ? format("%s ", x->rename[k]) : format("%.*s ", x->from->t[k].len, x->from->t[k].s);
}

/* What f gives back. */
static bool find_type(Inline *x)
{
    static const Word not_type[] = {W_INLINE, W_INLINE__, W_INLINE_, W_STATIC, W_CONSTEXPR, W_NONE};
    const Tokens *t = x->from;
    x->type = format("%s", "");
    x->value = true;
    for (int k = behind_template(x); k < x->f->name; k = next(t, k)) {
        if (in(t, specifiers, k) || in(t, not_type, k))
            continue;
        if (is(t, k, W_VOID) && !is(t, next(t, k), W_STAR))
            x->value = false;
        if (is(t, k, W_AUTO) || is(t, k, W_EXTERN) ||
            !(ident(t, k) || is(t, k, W_STAR) || is(t, k, W_SCOPE) || is(t, k, W_LESS) || is(t, k, W_GREATER)) ||
            is(t, k, W_ATTRIBUTE))
            return false;
        append(&x->type, word(x, k));
    }
    return x->value || x->s == x->call;
}

/* ---- templates ---- */

/* The type of the kernel's variable that the token names, if it is plainly told; or NULL. */
static char *type_of_variable(const Inline *x, int token)
{
    const Function *c = &x->k->canonical;
    const Decl *found = NULL;
    for (int i = 0; i < c->ndecl && !found; i++)
        for (int k = 0; k < c->decl[i]->nuse && !found; k++)
            if (c->decl[i]->use[k].at == token)
                found = c->decl[i];
    if (!found || found->stars || found->ndims || found->is_auto || found->is_decltype || found->is_ref)
        return NULL;
    char *out = format("%s", "");
    for (int k = found->type_first; k <= found->type_last; k = next(x->t, k))
        if (!is_qualifier(x->t, k))
            append(&out, format("%.*s ", x->t->t[k].len, x->t->t[k].s));
    return out;
}

/* The tokens between commas: the end of the part that begins at a, before `close`. */
static int part_end(const Tokens *t, int a, int close)
{
    while (a < close && !is(t, a, W_COMMA))
        a = next(t, is(t, a, W_PAREN) || is(t, a, W_SQUARE) || is(t, a, W_BRACE) ? mate(t, a) : a);
    return a;
}

/* What the type parameter called `name` is: the type of a variable that is given for a parameter of just this type. */
static char *deduced(const Inline *x, int name)
{
    const Tokens *t = x->t, *ft = x->from;
    int a = next(t, x->open);
    for (int i = 0; i < x->f->nparams && a < x->call_end; i++) {
        const Decl *d = x->f->decl[i];
        int e = part_end(t, a, x->call_end);
        bool just = !d->stars && !d->ndims && !d->is_ref;
        for (int k = d->type_first; k <= d->type_last; k = next(ft, k))
            just &= is(ft, k, W_CONST) || same(ft, k, name);
        if (just)
            return ident(t, a) && next(t, a) == e ? type_of_variable(x, a) : NULL;
        a = next(t, e);
    }
    return NULL;
}

/* Every use of the template's parameter `name` becomes `text`. */
static void replace_parameter(Inline *x, int name, const char *text)
{
    const Tokens *t = x->from;
    for (int i = next(t, x->f->template_last); i < x->f->end; i = next(t, i))
        if (ident(t, i) && same(t, i, name) && !is(t, prev(t, i), W_DOT) && !is(t, prev(t, i), W_ARROW) &&
            !is(t, prev(t, i), W_SCOPE))
            x->rename[i] = text;
}

static bool find_template(Inline *x)
{
    const Tokens *t = x->t, *ft = x->from;
    const Function *f = x->f;
    bool given = is(t, next(t, x->call), W_LESS);
    if (f->template_first < 0)
        return !given;
    int a = given ? next(t, next(t, x->call)) : x->open, close = prev(t, x->open);
    int end = next(ft, f->template_last);
    for (int p = f->template_first; p < end; p = next(ft, part_end(ft, p, end))) {
        int last = prev(ft, part_end(ft, p, end));
        bool type = (is(ft, p, W_TYPENAME) || is(ft, p, W_CLASS)) && next(ft, p) == last;
        for (int k = p; k <= last; k = next(ft, k))
            if (!ident(ft, k) || (!type && (is(ft, k, W_TYPENAME) || is(ft, k, W_CLASS) || is(ft, k, W_AUTO))))
                return false;
        char *text = NULL;
        if (given && a < close) {
            int e = part_end(t, a, close);
            char *arg = text_of(t, a, prev(t, e)), *of = p < last ? text_of(ft, p, prev(ft, last)) : NULL;
            text = type || !of ? format("%s", arg) : format("static_cast<%s>(%s)", of, arg);
            free(arg);
            free(of);
            a = e < close ? next(t, e) : e;
        } else if (type)
            text = deduced(x, last);
        if (!text || p == last)
            return false;
        replace_parameter(x, last, text);
    }
    return !given || a >= close;
}

/* f's body: nothing unusual, and no way out but its end. */
static bool plain_body(Inline *x)
{
    static const Word never[] = {
        W_GOTO,     W_STRUCT,          W_CLASS,    W_UNION, W_ENUM, W_TYPEDEF,  W_USING, W_TEMPLATE,     W_NAMESPACE,
        W_TRY,      W_CATCH,           W_ASM,      W_ASM__, W_ASM_, W_OPERATOR, W_THIS,  W_THREAD_LOCAL, W_FUNC,
        W_FUNCTION, W_PRETTY_FUNCTION, W_DECLTYPE, W_NONE};
    const Tokens *t = x->from;
    const Function *f = x->f;
    int returns = 0;
    const Node *last = f->tree->n ? f->tree->kid[f->tree->n - 1] : NULL;
    x->last = last ? last->first : f->end;
    for (int k = next(t, f->body); k < f->end; k++) {
        if (t->t[k].kind == T_CODE)
            return false;
        if (passed_over(t, k))
            continue;
        if (in(t, never, k) || (is(t, k, W_STATIC) && !is(t, next(t, k), W_SHARED) && !is(t, prev(t, k), W_SHARED)))
            return false;
        /* there is one array, not one a call */
        if (is(t, k, W_SHARED) && !is(t, prev(t, k), W_EXTERN) && !is(t, next(t, k), W_EXTERN) && f->inlined)
            return false;
        returns += is(t, k, W_RETURN);
    }
    bool ends = last && last->kind == S_RETURN;
    return returns == (x->value || ends) && (!returns || ends) && (x->value || !returns || last->n == 0);
}

static const char *own_name(const Inline *x, const Decl *d)
{
    return format("%.*s__cpudev_%d", d->len, d->name, x->number);
}

static void rename_all(Inline *x, const Decl *d, const char *to)
{
    x->rename[d->at] = to;
    for (int i = 0; i < d->nuse; i++)
        x->rename[d->use[i].at] = to;
}

/* The words by which f means something that it does not declare itself mean the same in the kernel. */
static bool names_keep_meaning(const Inline *x)
{
    const Tokens *t = x->from;
    const Function *f = x->f, *c = &x->k->canonical;
    bool is_type;
    for (int i = behind_template(x); i < f->end; i = next(t, i)) {
        int p = prev(t, i);
        if (!ident(t, i) || i == f->name || x->rename[i] || is(t, p, W_DOT) || is(t, p, W_ARROW))
            continue;
        for (int d = 0; d < c->ndecl; d++)
            if (same_as(t, i, c->decl[d]->name, c->decl[d]->len))
                return broken(x->u, RULE_INLINE_NAMES);
        if (template_parameter(x->u, x->k->f, t, i, &is_type))
            return false;
        int after = function_named(x->u, t, i, -1); /* there may be more functions of that name by now */
        if (is(t, next(t, i), W_PAREN) && after >= 0 && function_named(x->u, t, i, after) >= 0)
            return false;
    }
    return true;
}

/* The parameter d gets the tokens a..b; said in w. */
static bool give(Inline *x, Tokens *w, const Decl *d, int a, int b)
{
    const Tokens *t = x->t, *ft = x->from;
    bool group = contains(ft, d->type_first, d->type_last, W_THREAD_BLOCK) ||
                 contains(ft, d->type_first, d->type_last, W_THREAD_GROUP);
    if (d->ndims > 1)
        return false;
    if (d->is_ref && !group) { /* another name for the kernel's own variable */
        if (a != b || !ident(t, a) || contains(ft, d->type_first, d->type_last, W_CONST) ||
            is(ft, prev(ft, d->at), W_AND_AND))
            return false;
        for (int k = x->f->open; k < x->f->end; k = next(ft, k))
            if (ident(ft, k) && same_as(ft, k, t->t[a].s, t->t[a].len) && !is(ft, prev(ft, k), W_DOT) &&
                !is(ft, prev(ft, k), W_ARROW) && !x->rename[k])
                return false;
        rename_all(x, d, format("%.*s", t->t[a].len, t->t[a].s));
        return true;
    }
    char *type = format("%s", ""), *stars = format("%s", "");
    for (int k = d->type_first; k <= d->type_last; k = next(ft, k))
        append(&type, word(x, k));
    for (int k = d->first; k < d->at; k = next(ft, k))
        if (!is(ft, k, W_AND))
            append(&stars, format(" %.*s", ft->t[k].len, ft->t[k].s));
    const char *own = own_name(x, d);
    char *given = text_of(t, a, b);
    words_mark(w, &t->t[a]);
    words_say(w, &t->t[a], format("%s%s %s%s = %s;", type, stars, d->ndims ? "* " : "", own, given));
    rename_all(x, d, own);
    free(type);
    free(stars);
    free(given);
    return true;
}

static bool give_all(Inline *x, Tokens *w)
{
    const Tokens *t = x->t;
    int a = next(t, x->open);
    for (int i = 0; i < x->f->nparams; i++) {
        int e = part_end(t, a, x->call_end);
        if (a >= x->call_end || e == a || !give(x, w, x->f->decl[i], a, prev(t, e)))
            return false;
        a = e < x->call_end ? next(t, e) : e;
    }
    return a >= x->call_end;
}

/* The body, with its own names; its value goes to `result`. */
static void copy_body(const Inline *x, Tokens *w, const char *result)
{
    const Tokens *t = x->from;
    int first = next(t, x->f->body);
    words_mark(w, &t->t[first]);
    for (int k = first; k < x->f->end; k++) {
        Token one = t->t[k];
        one.before = one.after = NULL;
        if (k == first)
            one.lead = one.s;
        if (k == x->last && is(t, k, W_RETURN)) {
            words_space(w, one.lead, (int)(one.s - one.lead));
            if (!x->value)
                break;
            words_say(w, &one, format("%s =", result));
            continue;
        }
        if (one.kind == T_ID && x->rename[k]) {
            words_space(w, one.lead, (int)(one.s - one.lead));
            words_say(w, &one, format("%s", x->rename[k]));
        } else
            push(w, one);
    }
}

static void put_in_place(Inline *x, Tokens *w, const char *result)
{
    const Tokens *t = x->t;
    if (x->s != x->call) {
        words_mark(w, &t->t[x->s]);
        if (is(t, x->s, W_AUTO) && x->declares && next(t, x->call_end) == x->e) {
            words_say(w, &t->t[x->s], format("%s", x->type));
            words_space(w, " ", 1);
            words_copy(w, t, next(t, x->s), x->call);
        } else
            words_copy(w, t, x->s, x->call);
        words_say(w, &t->t[x->call], format(" %s ", result));
        words_mark(w, &t->t[next(t, x->call_end)]);
        words_copy(w, t, next(t, x->call_end), x->e + 1);
    }
    if (x->value && !x->declares)
        words_say(w, &t->t[x->e], format(" }"));
    replace_tokens(x->t, x->s, x->e + 1, w);
}

/* The kernel's tokens with the body in the place of the call. */
static bool put_call(Inline *x)
{
    const Function *f = x->f;
    for (int i = f->nparams; i < f->ndecl; i++)
        rename_all(x, f->decl[i], own_name(x, f->decl[i]));
    char *result = format("cpudev_result_%d", x->number);
    Tokens w = {NULL, 0, 0};
    if (x->value)
        words_say(&w, &x->t->t[x->s], format("%s%s %s; ", x->declares ? "" : "{ ", x->type, result));
    words_say(&w, &x->t->t[x->s], format("{ "));
    if (!give_all(x, &w) || !names_keep_meaning(x)) {
        free(w.t);
        return false;
    }
    copy_body(x, &w, result);
    words_say(&w, &x->t->t[x->e], format(" }"));
    put_in_place(x, &w, result);
    x->f->inlined = x->f->in_place = true;
    return true;
}

bool canonical_call(Unit *u, Kernel *k, int call, Function *f, int number)
{
    Inline x = {.u = u, .k = k, .f = f, .from = &u->tok, .t = k->canonical.tok, .call = call, .number = number};
    x.open = next(x.t, call);
    if (is(x.t, x.open, W_LESS))
        x.open = next(x.t, angle_forward(x.t, x.open));
    x.call_end = mate(x.t, x.open);
    if (f->member || f->name >= k->f->open || f->scope != k->f->scope || !f->tree || f->tree->kind == S_OPAQUE)
        return false;
    x.rename = must(calloc((size_t)u->tok.n, sizeof *x.rename));
    bool ok =
        find_template(&x) && find_statement(&x) && find_target(&x) && find_type(&x) && plain_body(&x) && put_call(&x);
    free(x.rename);
    return ok;
}
