/* flush.c: may the file's kernels run on a processor that takes subnormal numbers as 0, as -ftz=true asks for float?
 *
 * A processor does that for float and double at once, and a GPU for float alone. So the file's device code must have no
 * double but what a literal makes of one expression of float, in which no double can become subnormal; no bfloat16 and no
 * matrix fragments, whose arithmetic is done in float here and keeps subnormal numbers on a GPU; no inline PTX of such
 * types, which says itself what it flushes; and no functions of other files. Device code is whatever is not plainly the
 * host's: functions at namespace scope without __device__ or __global__, and their declarations. An instance of a template
 * may have doubles all the same: the runtime sees it by the kernel's name. Nothing is changed. */
#include "front/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One run of device code. */
typedef struct {
    const Tokens *t;
    int first, last;
    bool deduces;   /* a function in it may return what it computes in double */
    bool operators; /* the unit has templates of operators, which a literal may be given to */
} Range;

/* A name of double or of something made of it, or of a type whose arithmetic is done in float here. */
static bool bad_name(const Token *k)
{
    static const char *const narrow[] = {"bfloat16",           "bf16", "tf32", "wmma", "cudaTextureObject_t",
                                         "cudaSurfaceObject_t"};
    if (text_starts(k, "double") &&
        (k->len == 6 || isdigit((unsigned char)k->s[6]) || (k->len == 8 && !memcmp(k->s + 6, "_t", 2))))
        return true;
    if (text_has(k, "double") && (text_starts(k, "make_") || text_starts(k, "__") || text_starts(k, "curand")))
        return true;
    if (text_has(k, "DoubleComplex") || text_starts(k, "float64"))
        return true;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        if (text_has(k, narrow[i]))
            return true;
    return false;
}

/* std::numbers::pi and its like are doubles. */
static bool std_number(const Tokens *t, int i) { return same_as(t, i, "numbers", 7) && is(t, prev(t, i), W_SCOPE); }

static bool bad_ptx(const Token *k)
{
    static const char *const types[] = {".f16", ".f32", ".f64", ".bf16", ".tf32"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (text_has(k, types[i]))
            return true;
    return false;
}

static bool double_literal(const Token *k) { return is_floating(k) && !strchr("fF", k->s[k->len - 1]); }

/* Neither as small nor as large that six more factors bring it to where doubles become subnormal. */
static bool ordinary(const Token *k)
{
    char *end;
    const double value = fabs(strtod(k->s, &end));
    return end == k->s + k->len && (value == 0 || (value > 1e-30 && value < 1e30));
}

/* What follows `name (` is given to a function that takes any type, for all that is known. */
static bool may_deduce(const Tokens *t, int paren)
{
    static const Word words[] = {W_IF, W_WHILE, W_FOR, W_SWITCH, W_RETURN, W_SIZEOF, W_NONE};
    static const char *const floats[] = {
        "fminf",  "fmaxf",  "expf",   "exp2f",  "exp10f", "logf",   "log2f",  "log10f",     "sqrtf", "rsqrtf",
        "sinf",   "cosf",   "tanf",   "tanhf",  "powf",   "fabsf",  "floorf", "ceilf",      "fmaf",  "roundf",
        "truncf", "__expf", "__logf", "__sinf", "__cosf", "__powf", "printf", "__fdividef", NULL};
    const int p = prev(t, paren);
    if (is(t, p, W_GREATER) || is(t, p, W_SQUARE_END))
        return true;
    return ident(t, p) && !in(t, words, p) && !is_keyword_type(t, p) && !named_in(t, floats, p);
}

/* The literal stands in an expression of float, with few factors, whose value becomes a float, a number or a truth value:
 * there is no variable of type double. Of normal numbers of float, a product or quotient of seven is a normal double. */
static bool harmless(const Range *r, int at)
{
    static const Word ends[] = {W_SEMICOLON, W_BRACE, W_BRACE_END, W_NONE};
    static const Word factors[] = {W_STAR, W_SLASH, W_MUL_ASSIGN, W_DIV_ASSIGN, W_NONE};
    static const Word unknown[] = {W_AUTO, W_DECLTYPE, W_TEMPLATE, W_OPERATOR, W_NONE};
    const Tokens *t = r->t;
    int first = at, last = at, many = 0;
    while (first > r->first && !in(t, ends, prev(t, first)))
        first = prev(t, first);
    while (last < r->last && !in(t, ends, next(t, last)))
        last = next(t, last);
    const int before = prev(t, first), opener = is(t, before, W_BRACE) ? prev(t, before) : -1;
    if (r->operators || !ordinary(&t->t[at]) ||
        (opener >= 0 && !is(t, opener, W_ELSE) && !is(t, opener, W_DO) && !is(t, opener, W_PAREN_END)))
        return false;
    for (int i = first; i <= last; i = next(t, i)) {
        many += in(t, factors, i);
        if (in(t, unknown, i) || (is(t, i, W_RETURN) && r->deduces) || (is(t, i, W_PAREN) && may_deduce(t, i)))
            return false;
    }
    return many <= 6;
}

/* The first token of a run that needs subnormal numbers, or may; -1 if there is none. */
static int offence(const Tokens *t, int first, int last, bool operators)
{
    Range r = {t, first, last, contains(t, first, last, W_AUTO), operators};
    for (int i = first; i <= last; i = next(t, i))
        r.deduces |= is(t, i, W_SQUARE_END) && (is(t, next(t, i), W_PAREN) || is(t, next(t, i), W_BRACE));
    for (int i = first; i <= last; i = next(t, i)) {
        const Token *k = &t->t[i];
        if (k->sys || k->header)
            continue;
        if ((k->kind == T_ID && (bad_name(k) || std_number(t, i))) || (k->kind == T_STR && bad_ptx(k)) ||
            (double_literal(k) && !harmless(&r, i)))
            return i;
    }
    return -1;
}

/* Has a function of this name a body anywhere? */
static bool is_defined(const Tokens *t, int name)
{
    for (int i = 0; i < t->n; i++) {
        if (t->t[i].kind != T_ID || !same(t, i, name) || !is(t, next(t, i), W_PAREN))
            continue;
        int after = next(t, mate(t, next(t, i)));
        while (is(t, after, W_CONST) || is(t, after, W_NOEXCEPT))
            after = next(t, after);
        if (is(t, after, W_BRACE))
            return true;
    }
    return false;
}

/* One declaration at namespace scope: its tokens up to `;` or to the brace that opens its body. */
typedef struct {
    int first, end;           /* end: that token */
    int name;                 /* in front of its first parentheses, or -1 */
    bool device, type, value; /* device code; a class or a name of a type; a value that device code may use */
    bool opens;               /* a namespace, or extern "C" */
} Declaration;

static Declaration read_declaration(const Tokens *t, int i)
{
    static const Word types[] = {W_CLASS, W_STRUCT, W_UNION, W_ENUM, W_TYPEDEF, W_USING, W_NONE};
    static const Word device[] = {W_DEVICE, W_GLOBAL, W_CONSTANT, W_SHARED, W_MANAGED, W_NONE};
    Declaration d = {.first = i, .name = -1};
    bool paren = false;
    for (;; i = next(t, i)) {
        d.end = i;
        if (t->t[i].kind == T_END || is(t, i, W_SEMICOLON) || is(t, i, W_BRACE))
            break;
        if (is(t, i, W_TEMPLATE) && is(t, next(t, i), W_LESS) && angle_forward(t, next(t, i)) > 0)
            i = angle_forward(t, next(t, i));
        else if (is(t, i, W_PAREN)) {
            if (!paren && !d.value && ident(t, prev(t, i)))
                d.name = prev(t, i);
            paren = true;
            i = mate(t, i);
        }
        d.device |= in(t, device, i);
        d.type |= in(t, types, i);
        d.value |= is(t, i, W_ASSIGN) || is(t, i, W_CONST) || is(t, i, W_CONSTEXPR);
        d.opens |= is(t, i, W_NAMESPACE) || (is(t, i, W_EXTERN) && is(t, next(t, next(t, i)), W_BRACE));
    }
    return d;
}

/* The first token of what is device code in this declaration and has to stay as it is, or -1. */
static int offence_in(const Tokens *t, const Declaration *d, bool operators)
{
    const bool body = is(t, d->end, W_BRACE);
    const int last = body ? mate(t, d->end) : d->end;
    const bool constant = contains(t, d->first, d->end, W_CONST) || contains(t, d->first, d->end, W_CONSTEXPR) ||
                          contains(t, d->first, d->end, W_AUTO);
    if (d->device || d->type || (d->name < 0 && constant))
        return offence(t, d->first, last, operators);
    int found = d->name >= 0 && d->value ? offence(t, d->first, d->end, operators)
                                         : -1; /* a constant, or a function that returns one */
    if (found < 0 && contains(t, d->first, d->end, W_CONSTEXPR))
        found = offence(t, d->first, last, operators);
    if (found < 0 && body && (contains(t, d->end, last, W_DEVICE) || contains(t, d->end, last, W_GLOBAL)))
        found = offence(t, d->end, last, operators); /* lambdas and local classes, and what they catch */
    return found;
}

bool may_flush(const Unit *u)
{
    const Tokens *t = &u->tok;
    bool operators = false;
    for (int i = 0; i < t->n && !operators; i++)
        operators = is(t, i, W_OPERATOR) && !t->t[i].sys && !t->t[i].header &&
                    contains(t, statement_start(t, i), i, W_TEMPLATE);
#if !defined(__x86_64__) && !defined(__aarch64__)
    warning_at(t->t, "-ftz=true is not obeyed on this machine: subnormal numbers are kept");
    return false;
#endif
    for (int i = passed_over(t, 0) ? next(t, 0) : 0; i < t->n && t->t[i].kind != T_END;) {
        if (is(t, i, W_BRACE_END) || is(t, i, W_SEMICOLON)) {
            i = next(t, i);
            continue;
        }
        const Declaration d = read_declaration(t, i);
        const bool body = is(t, d.end, W_BRACE);
        const Token *k = &t->t[i];
        const bool ours = k->sys || k->header;
        i = t->t[d.end].kind == T_END ? d.end : next(t, body && !d.opens ? mate(t, d.end) : d.end);
        if (ours || d.opens)
            continue;
        if (!body && !k->library && d.name >= 0 && !d.type && !d.value && contains(t, d.first, d.end, W_DEVICE) &&
            !is_defined(t, d.name)) {
            warning_at(
                &t->t[d.name],
                "-ftz=true is not obeyed in this file: \"%.*s\" is in another file, which may need subnormal numbers",
                t->t[d.name].len, t->t[d.name].s);
            return false;
        }
        const int at = offence_in(t, &d, operators);
        if (at >= 0) {
            warning_at(&t->t[at],
                       "-ftz=true is not obeyed in this file: \"%.*s\" keeps subnormal numbers on a GPU, and a CPU "
                       "flushes all or none",
                       t->t[at].len, t->t[at].s);
            return false;
        }
    }
    return true;
}
