/* arithmetic.c: operations that C++ leaves open and PTX defines.
 *
 * Contract of pass_arithmetic: in device code, sets Token.as of operators and round operands, so that what is printed
 * names the functions of include/cpudev_arithmetic.h; no other pass sees a difference. Shifts, divisions and remainders
 * are found in the tokens, whatever the tree has understood; explicit conversions too, where their type is a keyword's;
 * implicit ones where the tree knows what is set, returned or given to a function. What is a constant is left alone. */
#include "analysis/analysis.h"
#include "analysis/numbers.h"
#include "front/parser.h"

#include <stdlib.h>
#include <string.h>

#define ARITHMETIC "::cpudev::arithmetic::"

/* The body that is being looked at. */
typedef struct {
    Unit *u;
    Function *f;
    Tokens *t;
    bool *done; /* tokens at which a conversion or an operator has been dealt with */
    const bool *bit_fields, *parameters, *typedefs; /* by key(): the names of such members and types */
} Body;

enum { KEYS = 1 << 17 };
static unsigned key(const Token *k)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < k->len; i++)
        h = (h ^ (unsigned char)k->s[i]) * 16777619u;
    return h % KEYS;
}

static char *shown(const Token *k) { return k->as ? format("%s", k->as) : format("%.*s", k->len, k->s); }

static void set(Token *k, char *text)
{
    free(k->as);
    k->as = text;
}

/* `open` first.. last `)` */
static void wrap(Tokens *t, int first, int last, char *open)
{
    char *text = shown(&t->t[first]);
    set(&t->t[first], format("%s%s", open, text));
    free(text);
    text = shown(&t->t[last]);
    set(&t->t[last], format("%s)", text));
    free(text);
    free(open);
}

/* ---- operators ---- */

/* A number that is no 0, and as a count less than 32, with nothing behind it that belongs to the operand. */
static bool harmless_literal(const Tokens *t, int i, bool shift)
{
    static const char *const tighter[] = {"+", "-", "*", "/", "%", NULL};
    const Token *k = &t->t[i];
    if (k->kind != T_NUM)
        return is(t, i, "sizeof") || is(t, i, "warpSize") || is(t, i, "blockDim") || is(t, i, "gridDim");
    char text[40];
    if (k->len >= (int)sizeof text)
        return false;
    memcpy(text, k->s, (size_t)k->len);
    text[k->len] = 0;
    char *end;
    unsigned long value = strtoul(text, &end, 0);
    if (*end == '.' || (*end && strchr("eEfF", *end)))
        return !shift;
    return shift ? value < 32 && !in(t, tighter, next(t, i)) : value != 0;
}

/* Is the `>>` at i two ends of template arguments? */
static bool closes_templates(const Tokens *t, int i)
{
    int depth = 0;
    for (int j = i + 1; j >= 0; j = prev(t, j)) {
        if (t->t[j].kind != T_PUNCT || t->t[j].len != 1)
            continue;
        char c = *t->t[j].s;
        if (c == ')' || c == ']' || c == '}') {
            j = mate_back(t, j);
            if (j < 0)
                return false;
        } else if (c == '>') {
            depth++;
        } else if (c == '<') {
            if (j > 0 && adjacent(t, j - 1) && is(t, j - 1, "<"))
                j--; /* a shift */
            else if (!ident(t, prev(t, j)))
                return false;
            else if (--depth == 0)
                return true;
        } else if (strchr(";{([", c)) {
            return false;
        }
    }
    return false;
}

/* Does the operand that ends at i end in the name of a member that may be a bit field, to which no reference binds? */
static bool may_be_bit_field(const Body *b, int i)
{
    while (is(b->t, i, ")"))
        i = prev(b->t, i);
    if (!ident(b->t, i) || (local_name(b->f, i) && !is(b->t, prev(b->t, i), ".") && !is(b->t, prev(b->t, i), "->")))
        return false;
    return b->bit_fields[key(&b->t->t[i])];
}

static void operator_at(Body *b, int i)
{
    Tokens *t = b->t;
    const bool angle = is(t, i, "<") || is(t, i, ">");
    int length = 1;
    bool change = false;
    if (angle) {
        if (!adjacent(t, i) || !same(t, i, i + 1) || (adjacent(t, i + 1) && same(t, i, i + 2)) ||
            (i > 0 && adjacent(t, i - 1) && same(t, i, i - 1)))
            return;
        change = adjacent(t, i + 1) && is(t, i + 2, "=");
        length = change ? 3 : 2;
        if (!change && is(t, i, ">") && !b->done[i] && closes_templates(t, i))
            return;
    } else if (is(t, i, "/=") || is(t, i, "%=")) {
        change = true;
    } else if (!is(t, i, "/") && !is(t, i, "%")) {
        return;
    }
    int before = prev(t, i), after = next(t, i + length - 1);
    if (is(t, before, "operator") || harmless_literal(t, after, angle))
        return;
    if (t->t[before].kind == T_PUNCT && !is(t, before, ")") && !is(t, before, "]") && !is(t, before, "}"))
        return; /* of a macro's rest, or of an operator's name */
    if (change && may_be_bit_field(b, before))
        return;
    Token *k = &t->t[i + length - 1];
    if (k->as)
        return;
    char *own = format("%.*s", k->len, k->s);
    if (length == 3)
        set(k, format("= " ARITHMETIC "gpu %.2s=", t->t[i].s));
    else
        set(k, format("%s " ARITHMETIC "gpu %.*s", own, angle ? 2 : k->len, t->t[i].s));
    free(own);
}

/* x.b /= n of what may be a bit field is x.b = x.b / n, where nothing is done twice by that. */
static bool pure_place(const Node *n)
{
    n = strip(n);
    return n->kind == E_NAME || n->kind == E_LITERAL ||
           (n->kind == E_MEMBER && pure_place(n->kid[0])) ||
           (n->kind == E_INDEX && pure_place(n->kid[0]) && pure_place(n->kid[1]));
}

static void change_bit_field(Body *b, const Node *n)
{
    Tokens *t = b->t;
    const bool shift = is(t, n->op, "<") || is(t, n->op, ">");
    if ((!shift && !is(t, n->op, "/=") && !is(t, n->op, "%=")) || !pure_place(n->kid[0]) ||
        !may_be_bit_field(b, n->kid[0]->last) || harmless_literal(t, n->kid[1]->first, shift))
        return;
    char *place = text_of(t, n->kid[0]->first, n->kid[0]->last);
    const int length = shift ? 2 : 1;
    for (int i = n->op; i < n->op_last; i++)
        set(&t->t[i], format("%s", ""));
    set(&t->t[n->op_last], format("= +%s %.*s " ARITHMETIC "gpu %.*s", place, length, t->t[n->op].s, length, t->t[n->op].s));
    wrap(t, n->kid[1]->first, n->kid[1]->last, format("("));
    free(place);
}

/* ---- conversions ---- */

static bool is_integer_type(const Tokens *t, int first, int last)
{
    return number_of_type(t, first, last) == NUMBER_INTEGER;
}

static bool is_one_of(const Body *b, const bool *names, int first, int last)
{
    while (first < last && is_qualifier(b->t, first))
        first = next(b->t, first);
    return first == last && ident(b->t, first) && names[key(&b->t->t[first])] && !local_name(b->f, first);
}

/* Is the type an integer's, or a parameter of a template, which may be one? */
static bool may_be_integer_type(const Body *b, int first, int last)
{
    return is_integer_type(b->t, first, last) || is_one_of(b, b->typedefs, first, last) ||
           is_one_of(b, b->parameters, first, last);
}

/* A variable of an integer's type, or an element or target of one */
static bool is_integer_place(const Body *b, const Node *n)
{
    const Decl *d = named(n);
    return number_of(b->t, n) == NUMBER_INTEGER || (d && !d->stars && !d->ndims && !d->is_ref && b->t == b->f->tok &&
                                                    is_one_of(b, b->typedefs, d->type_first, d->type_last));
}

/* May a value of this kind be of floating point, and be what an integer is made of? */
static bool may_be_real(const Tokens *t, const Node *n)
{
    n = strip(n);
    if (n->kind == E_LITERAL || n->kind == E_LIST || n->kind == E_OPAQUE || n->kind == E_STRING)
        return false;
    const Number kind = number_of(t, n);
    return kind == NUMBER_REAL || kind == NUMBER_UNKNOWN;
}

/* A value that is a function's name has no type by itself. */
static bool names_function(const Body *b, const Node *n)
{
    n = strip(n);
    return n->kind == E_NAME && !n->decl;
}

static char *type_text(const Tokens *t, int first, int last)
{
    char *text = format("%s", "");
    for (int i = first; i <= last; i = next(t, i))
        if (!is_qualifier(t, i) || is(t, i, "typename"))
            append(&text, format("%s%.*s", *text ? " " : "", t->t[i].len, t->t[i].s));
    return text;
}

static void convert(Body *b, int type_first, int type_last, int first, int last)
{
    char *type = type_text(b->t, type_first, type_last);
    wrap(b->t, first, last, format(ARITHMETIC "cast<%s>(", type));
    free(type);
}

static void explicit_cast(Body *b, const Node *n)
{
    const Tokens *t = b->t;
    if (n->n != 1 || b->done[n->first] || is(t, n->last, "}"))
        return;
    b->done[n->first] = true;
    const Number kind = number_of_type(t, n->op, n->op_last);
    for (int i = n->op; i <= n->op_last; i = next(t, i))
        if (is(t, i, "decltype") || is(t, i, "auto"))
            return;
    if (kind == NUMBER_NEITHER || kind == NUMBER_REAL || !may_be_real(t, n->kid[0]) || names_function(b, n->kid[0]))
        return;
    if (is(t, n->first, "reinterpret_cast") || is(t, n->first, "const_cast"))
        return;
    if (kind == NUMBER_UNKNOWN && (n->op != n->op_last || !ident(t, n->op) || has_name(b->u, t, n->op, N_CLASS) ||
                                   is_type_word(t, n->op)))
        return; /* a class, or a type of several words */
    convert(b, n->op, n->op_last, n->kid[0]->first, n->kid[0]->last);
}

/* Of what is set: known to be no integer? */
static bool surely_no_integer(const Tokens *t, const Node *n)
{
    const Number kind = number_of(t, n);
    return kind == NUMBER_REAL || kind == NUMBER_NEITHER;
}

static void assignment(Body *b, const Node *n)
{
    Tokens *t = b->t;
    const Node *to = n->kid[0], *value = n->kid[1];
    change_bit_field(b, n);
    if (b->done[n->op] || !may_be_real(t, value) || surely_no_integer(t, to) || strip(to)->kind == E_CAST)
        return;
    b->done[n->op] = true;
    if (is(t, n->op, "=")) {
        if (names_function(b, value))
            return;
        char *place = text_of(t, to->first, to->last);
        wrap(t, value->first, value->last, format(ARITHMETIC "assigned<decltype(%s)>(", place));
        free(place);
    } else if ((is(t, n->op, "+=") || is(t, n->op, "-=") || is(t, n->op, "*=")) &&
               is_integer_place(b, to) && !t->t[n->op].as) {
        set(&t->t[n->op], format("%.*s " ARITHMETIC "gpu %.*s", 2, t->t[n->op].s, 2, t->t[n->op].s));
    }
}

static void initialiser(Body *b, const Decl *d)
{
    Tokens *t = b->t;
    if (!d->init || b->done[d->at] || d->stars || d->ndims || d->is_ref || d->is_auto || d->is_decltype ||
        d->is_param || !may_be_integer_type(b, d->type_first, d->type_last))
        return;
    b->done[d->at] = true;
    const Node *value = d->init_form == '(' && d->init->kind == E_LIST && d->init->n == 1 ? d->init->kid[0] : d->init;
    if (may_be_real(t, value) && (is_integer_type(t, d->type_first, d->type_last) || strip(value)->kind != E_CALL))
        convert(b, d->type_first, d->type_last, value->first, value->last);
}

/* The type that the function returns, if it is an integer's: first..last in its tokens. */
static bool returns_integer(const Body *b, int *first, int *last)
{
    const Function *f = b->f;
    const Tokens *t = f->tok;
    if (f->name < 0 || f->kernel || is(t, f->name, "operator"))
        return false;
    *last = prev(t, f->name);
    *first = f->name;
    for (int i = *last; i >= f->start && (is_keyword_type(t, i) || number_of_type(t, i, i) == NUMBER_INTEGER); i = prev(t, i))
        *first = i;
    if (*first == f->name && may_be_integer_type(b, *last, *last) && !is(t, prev(t, *last), "::"))
        *first = *last;
    return *first < f->name && may_be_integer_type(b, *first, *last);
}

static void returned(Body *b, const Node *n)
{
    int first, last;
    if (n->n != 1 || b->done[n->first] || b->t != b->f->tok || !returns_integer(b, &first, &last) ||
        !may_be_real(b->t, n->kid[0]) || (!is_integer_type(b->t, first, last) && strip(n->kid[0])->kind == E_CALL))
        return;
    b->done[n->first] = true;
    convert(b, first, last, n->kid[0]->first, n->kid[0]->last);
}

/* What a function of the program takes as an integer, if there is one of that name alone. */
static void arguments(Body *b, const Node *n)
{
    const Node *callee = n->kid[0];
    Tokens *t = b->t;
    if (b->done[n->op] || callee->kind != E_NAME || callee->decl || callee->first != callee->last)
        return;
    b->done[n->op] = true;
    const int number = function_named(b->u, t, callee->first, -1);
    if (number < 0 || function_named(b->u, t, callee->first, number) >= 0)
        return;
    const Function *f = &b->u->function[number];
    for (int i = 1; i < n->n && i <= f->nparams; i++) {
        const Decl *d = f->decl[i - 1];
        const bool integer = is_integer_type(f->tok, d->type_first, d->type_last) ||
                             (d->type_first == d->type_last && b->typedefs[key(&f->tok->t[d->type_first])]);
        if (!d->stars && !d->ndims && !d->is_ref && !d->is_auto && integer && may_be_real(t, n->kid[i])) {
            char *type = type_text(f->tok, d->type_first, d->type_last);
            wrap(t, n->kid[i]->first, n->kid[i]->last, format(ARITHMETIC "cast<%s>(", type));
            free(type);
        }
    }
}

static void binary(Body *b, const Node *n)
{
    Tokens *t = b->t;
    if (n->op != n->op_last)
        b->done[n->op] = true; /* a shift or a comparison, and no ends of templates */
    else if (!is(t, n->op, "/") && !is(t, n->op, "%"))
        return;
    else if (!t->t[n->op].as && is(t, n->op, "/") &&
             (number_of(t, n->kid[0]) == NUMBER_REAL || number_of(t, n->kid[1]) == NUMBER_REAL))
        set(&t->t[n->op], format("/")); /* as it is */
    for (int i = 0; i < 2; i++) { /* a bit field is promoted before it is a function's argument */
        const Node *k = n->kid[i];
        if ((k->kind == E_MEMBER || k->kind == E_NAME) && may_be_bit_field(b, k->last) && !b->done[k->last]) {
            char *text = shown(&t->t[k->first]);
            set(&t->t[k->first], format(" +%s", text));
            free(text);
            b->done[k->last] = true;
        }
    }
}

static void visit(Body *b, const Node *n)
{
    if (!n)
        return;
    if ((n->kind == E_ASSIGN || n->kind == S_EXPR) && n->kid[0]->kind == E_CAST)
        b->done[n->kid[0]->first] = true; /* int(x) = 3; declares x */
    for (int i = 0; i < n->n; i++)
        visit(b, n->kid[i]);
    switch (n->kind) {
    case E_CAST: explicit_cast(b, n); break;
    case E_ASSIGN: assignment(b, n); break;
    case E_CALL: arguments(b, n); break;
    case S_RETURN: returned(b, n); break;
    case E_BINARY: binary(b, n); break;
    default: break;
    }
    if (n->kind == S_DECL)
        for (int i = 0; i < b->f->ndecl; i++)
            if (b->f->decl[i]->statement == n)
                initialiser(b, b->f->decl[i]);
}

/* ---- conversions in what the tree has not understood ---- */

/* The last token of the operand of a cast that begins at i, or -1. */
static int operand_end(const Tokens *t, int i)
{
    static const char *const prefix[] = {"+", "-", "!", "~", "*", "&", "++", "--", NULL};
    while (in(t, prefix, i) || (is(t, i, "(") && is_keyword_type(t, next(t, i))))
        i = is(t, i, "(") ? next(t, mate(t, i)) : next(t, i);
    int last = i;
    if (is(t, i, "(")) {
        last = mate(t, i);
    } else if (ident(t, i) && (!is_statement_word(t, i) || is(t, i, "static_cast"))) {
        for (;;) {
            int n = next(t, last), angle = is(t, n, "<") ? angle_forward(t, n) : -1;
            if (angle > 0 && (is(t, next(t, angle), "(") || is(t, next(t, angle), "::")))
                last = angle, n = next(t, last);
            if (!is(t, n, "::") || !ident(t, next(t, n)))
                break;
            last = next(t, n);
        }
    } else if (t->t[i].kind != T_NUM) {
        return -1;
    }
    for (;;) {
        int n = next(t, last);
        if (is(t, n, "(") || is(t, n, "["))
            last = mate(t, n);
        else if ((is(t, n, ".") || is(t, n, "->")) && ident(t, next(t, n)))
            last = next(t, n);
        else if (is(t, n, "++") || is(t, n, "--"))
            last = n;
        else
            return last;
    }
}

/* A value that is no name of a function's, as far as tokens say. */
static bool has_type(const Body *b, int first, int last)
{
    return first <= last && b->t->t[first].kind != T_STR && !is(b->t, first, "{") && !is(b->t, first, "&") &&
           (first != last || (b->t->t[first].kind == T_ID && !is(b->t, first, "nullptr") &&
                              !has_name(b->u, b->t, first, N_FUNCTION) && !has_name(b->u, b->t, first, N_TEMPLATE)));
}

static void loose_static_cast(Body *b, int i)
{
    const Tokens *t = b->t;
    const int close = angle_forward(t, next(t, i)), open = close > 0 ? next(t, close) : -1;
    if (b->done[i] || open < 0 || !is(t, open, "("))
        return;
    const int type_first = next(t, next(t, i)), type_last = prev(t, close), first = next(t, open),
              last = prev(t, mate(t, open));
    if (may_be_integer_type(b, type_first, type_last) && has_type(b, first, last))
        convert(b, type_first, type_last, first, last);
}

/* (T)x, where no name or closing bracket stands in front */
static void loose_c_cast(Body *b, int i)
{
    const Tokens *t = b->t;
    const int p = prev(t, i), type_first = next(t, i), type_last = prev(t, mate(t, i));
    if (b->done[i] || type_first > type_last || !may_be_integer_type(b, type_first, type_last) || is(t, p, ")") ||
        is(t, p, "]") || is(t, p, ">") || (ident(t, p) && !is(t, p, "return") && !is(t, p, "case") && !is(t, p, "else")))
        return;
    const int first = next(t, mate(t, i)), last = operand_end(t, first);
    if (last >= 0 && t->t[first].kind != T_NUM && has_type(b, first, last))
        convert(b, type_first, type_last, first, last);
}

/* T(x) in an expression */
static void loose_call_cast(Body *b, int i)
{
    static const char *const before[] = {"=", "+", "-", "*", "/", "%", "?", "&", "|", "^", "return", "==", "!=",
                                         "+=", "-=", "*=", "&&", "||", "(", "[", ":", NULL};
    const Tokens *t = b->t;
    const int open = next(t, i), first = next(t, open), last = prev(t, mate(t, open));
    if (b->done[i] || !is(t, open, "(") || !in(t, before, prev(t, i)) || !may_be_integer_type(b, i, i) ||
        is_type_word(t, first) || !has_type(b, first, last))
        return;
    for (int k = first; k <= last; k = next(t, k)) {
        if (is(t, k, ","))
            return;
        if (is(t, k, "(") || is(t, k, "[") || is(t, k, "{"))
            k = mate(t, k);
    }
    convert(b, i, i, first, last);
}

static void loose_cast(Body *b, int i)
{
    if (is(b->t, i, "static_cast") && is(b->t, next(b->t, i), "<"))
        loose_static_cast(b, i);
    else if (is(b->t, i, "("))
        loose_c_cast(b, i);
    else if (b->t->t[i].kind == T_ID)
        loose_call_cast(b, i);
}

/* Functions of C's library whose answers differ: cpudev_math.h has a GPU's, for every type. */
static void function_at(Body *b, int i)
{
    static const char *const names[] = {"fmin",    "fmax",    "lround", "lroundf", "llround",
                                        "llroundf", "lrint", "lrintf",  "llrint", "llrintf", "malloc", "free", NULL};
    Tokens *t = b->t;
    if (t->t[i].as || !in(t, names, i) || !is(t, next(t, i), "(") || function_named(b->u, t, i, -1) >= 0 ||
        hidden_by_program(b->u, b->f, t, i) || local_name(b->f, i))
        return;
    const bool heap = is(t, i, "malloc") || is(t, i, "free");
    if (heap && (b->u->check || b->f->host))
        return;
    const int p = prev(t, i), space = prev(t, p);
    if (is(t, p, ".") || is(t, p, "->") || (ident(t, p) && !is_statement_word(t, p)))
        return;
    if (is(t, p, "::")) {
        if (is(t, space, "std"))
            set(&t->t[space], format("%s", ""));
        else if (ident(t, space) && !is_statement_word(t, space))
            return;
        set(&t->t[p], format("%s", ""));
    }
    set(&t->t[i], format(heap ? "::cpudev_kernel_%.*s" : ARITHMETIC "%.*s", t->t[i].len, t->t[i].s));
}

/* A kernel's printf() returns the number of its arguments behind the format, and C's the number of characters. */
static void printf_at(Body *b, int i)
{
    static const char *const used[] = {"=", "(", "return", "+", "-", "*", "+=", "-=", "==", "!=", "<", ">", "?", "|=", "&=", NULL};
    Tokens *t = b->t;
    const int open = next(t, i);
    int count = 0, before = prev(t, i);
    if (is(t, before, "::"))
        before = is(t, prev(t, before), "std") ? prev(t, prev(t, before)) : prev(t, before);
    if (b->f->host || t->t[i].as || !is(t, i, "printf") || !is(t, open, "(") || !in(t, used, before))
        return;
    for (int k = next(t, open); k < mate(t, open); k = next(t, k)) {
        const int angle = is(t, k, "<") && ident(t, prev(t, k)) ? angle_forward(t, k) : -1;
        if (angle > 0 && is(t, next(t, angle), "("))
            k = angle;
        else if (is(t, k, "(") || is(t, k, "[") || is(t, k, "{"))
            k = mate(t, k);
        else if (is(t, k, ".") && is(t, next(t, k), "."))
            return; /* a pack */
        count += is(t, k, ",");
    }
    int first = next(t, before);
    char *text = shown(&t->t[first]);
    set(&t->t[first], format("(%s", text));
    free(text);
    text = shown(&t->t[mate(t, open)]);
    set(&t->t[mate(t, open)], format("%s < 0 ? -1 : %d)", text, count));
    free(text);
}

static bool looked_at(const Token *k) { return !k->sys && !k->ours && !k->library && k->kind != T_MARK; }

static void body(Body *b, int first, int last)
{
    Tokens *t = b->t;
    for (int i = first; i <= last; i++) {
        if (is(t, i, "static_assert") && is(t, next(t, i), "("))
            i = mate(t, next(t, i));
        if (!looked_at(&t->t[i]) || t->t[i].drop)
            continue;
        if (t->t[i].kind == T_PUNCT)
            operator_at(b, i);
        if (t->t[i].kind == T_PUNCT || t->t[i].kind == T_ID)
            loose_cast(b, i);
    }
}

static void functions(Body *b, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (b->t->t[i].kind == T_ID && looked_at(&b->t->t[i]) && !b->t->t[i].drop)
            function_at(b, i), printf_at(b, i);
}

/* `name : 3` followed by `;` or `,`, wherever it stands. */
static void find_bit_fields(const Tokens *t, bool *found)
{
    for (int i = 1; i < t->n - 3; i++) {
        if (t->t[i].kind != T_PUNCT || t->t[i].len != 1 || *t->t[i].s != ':' || t->t[i].sys || t->t[i].ours)
            continue;
        int name = prev(t, i), end = next(t, i);
        for (int most = 0; most < 8 && !is(t, end, ";") && !is(t, end, ","); most++)
            end = is(t, end, "(") ? next(t, mate(t, end)) : next(t, end);
        if (ident(t, name) && (is(t, end, ";") || is(t, end, ",")))
            found[key(&t->t[name])] = true;
    }
}

/* `typedef unsigned char name;` and `using name = unsigned char;` */
static void find_typedefs(const Tokens *t, bool *found)
{
    for (int i = 0; i < t->n - 3; i++) {
        if (t->t[i].kind != T_ID || t->t[i].sys || (!is(t, i, "typedef") && !is(t, i, "using")))
            continue;
        const bool alias = is(t, i, "using");
        int semi = i;
        for (int most = 0; most < 9 && !is(t, semi, ";"); most++)
            semi = next(t, semi);
        const int name = alias ? next(t, i) : prev(t, semi), first = alias ? next(t, next(t, name)) : next(t, i);
        if (is(t, semi, ";") && ident(t, name) && (!alias || is(t, next(t, name), "=")) &&
            is_integer_type(t, first, alias ? prev(t, semi) : prev(t, name)))
            found[key(&t->t[name])] = true;
    }
}

/* `typename T` and `class T` in a template's parameters. */
static void find_parameters(const Tokens *t, bool *found)
{
    for (int i = 0; i < t->n - 2; i++) {
        if (t->t[i].kind != T_ID || t->t[i].sys || t->t[i].ours || (!is(t, i, "typename") && !is(t, i, "class")))
            continue;
        const int name = next(t, i), after = next(t, name);
        if (ident(t, name) && (is(t, after, ",") || is(t, after, ">") || is(t, after, "=")))
            found[key(&t->t[name])] = true;
    }
}

void pass_arithmetic(Unit *u)
{
    static bool bit_fields[KEYS], parameters[KEYS], typedefs[KEYS];
    find_typedefs(&u->tok, typedefs);
    find_bit_fields(&u->tok, bit_fields);
    find_parameters(&u->tok, parameters);
    Body b = {.u = u, .t = &u->tok, .bit_fields = bit_fields, .parameters = parameters, .typedefs = typedefs};
    b.done = must(calloc((size_t)u->tok.n, 1));
    for (int i = 0; i < u->nfunction; i++) {
        b.f = &u->function[i];
        if (b.f->body < 0 || !looked_at(&u->tok.t[b.f->body]))
            continue;
        functions(&b, b.f->body, b.f->end);
        if (b.f->tree && b.f->tok == &u->tok)
            visit(&b, b.f->tree);
    }
    for (int i = 0; i < u->nfunction; i++) {
        b.f = &u->function[i];
        if (b.f->body < 0)
            continue;
        int first = b.f->close;
        while (first < b.f->body && !is(&u->tok, first, ":"))
            first = next(&u->tok, first);
        body(&b, first, b.f->end);
    }
    free(b.done);
    for (int i = 0; i < u->nkernel; i++) {
        if (u->kernel[i].run == RUN_FIBERS)
            continue;
        b.f = &u->kernel[i].canonical;
        b.t = b.f->tok;
        b.done = must(calloc((size_t)b.t->n, 1));
        functions(&b, b.f->body, b.f->end);
        visit(&b, b.f->tree);
        body(&b, b.f->body, b.f->end);
        free(b.done);
    }
}
