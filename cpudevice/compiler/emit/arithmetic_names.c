/* arithmetic_names.c: which names of the program pass_arithmetic has to know: members to which no reference binds, types
 * that are or may be an integer's, operators whose left operand is a reference. By name alone, wherever it stands. */
#include "emit/gpu_arithmetic.h"

int operator_index(const Tokens *t, int i)
{
    return is(t, i, W_LESS) ? 0 : is(t, i, W_GREATER) ? 1 : is(t, i, W_SLASH) ? 2 : is(t, i, W_PERCENT) ? 3 : -1;
}

/* `operator<<(T &a, ...)` of the program, which takes an operand that is no value alone. */
static void kept_operator(const Tokens *t, int i, bool *found)
{
    const int at = next(t, i), index = operator_index(t, at);
    int open = at;
    while (open < t->n - 1 && t->t[open].kind == T_PUNCT && !is(t, open, W_PAREN))
        open = next(t, open);
    if (index < 0 || !is(t, open, W_PAREN))
        return;
    const int end = mate(t, open);
    for (int k = next(t, open); k < end && !is(t, k, W_COMMA) && !is(t, k, W_CONST); k = next(t, k))
        if (is(t, k, W_PAREN))
            k = mate(t, k);
        else if (is(t, k, W_AND))
            found[index] = true;
}

/* The members of the struct that is packed at i, before its brace or after it. */
static void packed_members(const Tokens *t, int i, NameSet *found)
{
    int open = i;
    for (int most = 0; most < 8 && open < t->n - 1 && !is(t, open, W_BRACE) && !is(t, open, W_SEMICOLON); most++)
        open = next(t, open);
    for (int back = 0; back < 6 && open > 0 && !is(t, open, W_BRACE); back++)
        open = is(t, open, W_BRACE_END) ? mate_back(t, open) : prev(t, open);
    if (!is(t, open, W_BRACE))
        return;
    for (int k = next(t, open), end = mate(t, open); k < end; k = next(t, k)) {
        const int after = next(t, k);
        if (ident(t, k) && (is(t, after, W_SEMICOLON) || is(t, after, W_COMMA) || is(t, after, W_SQUARE)))
            add_to(found, &t->t[k]);
    }
}

/* Is the colon the second half of `a ? b : c`? */
static bool of_condition(const Tokens *t, int colon)
{
    for (int k = prev(t, colon); k > 0; k = prev(t, k)) {
        if (is(t, k, W_PAREN_END) || is(t, k, W_SQUARE_END) || is(t, k, W_BRACE_END)) {
            if ((k = mate_back(t, k)) < 0)
                return false;
            continue; /* the search ends at the beginning of a bracket that the colon is in, not of this one */
        }
        if (is(t, k, W_SEMICOLON) || is(t, k, W_BRACE) || is(t, k, W_PAREN))
            return false;
        if (is(t, k, W_QUESTION))
            return true;
    }
    return false;
}

/* `name : 3` followed by `;` or `,`; neither a label nor the variable of a loop over a range */
static void bit_field(const Tokens *t, int colon, NameSet *found)
{
    const int name = prev(t, colon);
    int end = next(t, colon);
    for (int most = 0; most < 8 && !is(t, end, W_SEMICOLON) && !is(t, end, W_COMMA); most++) {
        if (is(t, end, W_PAREN_END) || is(t, end, W_BRACE) || is(t, end, W_BRACE_END))
            return;
        end = is(t, end, W_PAREN) ? next(t, mate(t, end)) : next(t, end);
    }
    if (ident(t, name) && (is(t, end, W_SEMICOLON) || is(t, end, W_COMMA)) && !is(t, prev(t, name), W_CASE) &&
        !of_condition(t, colon))
        add_to(found, &t->t[name]);
}

/* `typedef unsigned char name;` and `using name = unsigned char;` */
static void type_name(const Tokens *t, int i, NameSet *found)
{
    const bool alias = is(t, i, W_USING);
    int semi = i;
    for (int most = 0; most < 9 && !is(t, semi, W_SEMICOLON); most++)
        semi = next(t, semi);
    const int name = alias ? next(t, i) : prev(t, semi), first = alias ? next(t, next(t, name)) : next(t, i);
    if (is(t, semi, W_SEMICOLON) && ident(t, name) && (!alias || is(t, next(t, name), W_ASSIGN)) &&
        is_integer_type(t, first, alias ? prev(t, semi) : prev(t, name)))
        add_to(found, &t->t[name]);
}

/* `typename T` and `class T` in a template's parameters */
static void type_parameter(const Tokens *t, int i, NameSet *found)
{
    const int name = next(t, i), after = next(t, name);
    if (ident(t, name) && (is(t, after, W_COMMA) || is(t, after, W_GREATER) || is(t, after, W_ASSIGN)))
        add_to(found, &t->t[name]);
}

/* `template <unsigned v> constexpr unsigned name = v;` */
static void variable_template(const Tokens *t, int i, NameSet *found)
{
    const int open = next(t, i), close = is(t, open, W_LESS) ? angle_forward(t, open) : -1;
    if (close < 0)
        return;
    for (int k = next(t, close), most = 0; most < 12 && k < t->n - 1; most++, k = next(t, k)) {
        const int after = next(t, k);
        if (!ident(t, k) && !is(t, k, W_SCOPE) && !is(t, k, W_STAR))
            return;
        if (ident(t, k) && (is(t, after, W_ASSIGN) || is(t, after, W_BRACE)) && !is(t, prev(t, k), W_STRUCT) &&
            !is(t, prev(t, k), W_CLASS) && !is(t, prev(t, k), W_UNION) && !is(t, prev(t, k), W_USING)) {
            add_to(found, &t->t[k]);
            return;
        }
    }
}

/* `static const int name = 3;` */
static void static_constant(const Tokens *t, int i, NameSet *found)
{
    int k = next(t, i);
    if (!is(t, k, W_CONST) && !is(t, k, W_CONSTEXPR))
        return;
    while (ident(t, next(t, k)))
        k = next(t, k);
    const int after = next(t, k);
    if (is(t, after, W_ASSIGN) || is(t, after, W_BRACE) || is(t, after, W_SEMICOLON))
        add_to(found, &t->t[k]);
}

void find_names(const Tokens *t, Names *found)
{
    for (int i = 1; i < t->n - 3; i++) {
        const Token *k = &t->t[i];
        if (k->kind == T_PUNCT) {
            if (k->len == 1 && *k->s == ':' && !k->sys && !k->ours)
                bit_field(t, i, &found->bit_fields);
        } else if (k->kind != T_ID || k->sys) {
            continue;
        } else if (is(t, i, W_TYPEDEF) || is(t, i, W_USING)) {
            type_name(t, i, &found->typedefs);
        } else if (k->ours) {
            continue;
        } else if (is(t, i, W_TEMPLATE)) {
            variable_template(t, i, &found->values);
        } else if (is(t, i, W_STATIC)) {
            static_constant(t, i, &found->constants);
        } else if (is(t, i, W_OPERATOR)) {
            kept_operator(t, i, found->kept);
        } else if (is(t, i, W_TYPENAME) || is(t, i, W_CLASS)) {
            type_parameter(t, i, &found->parameters);
        } else if (same_as(t, i, "packed", 6) || same_as(t, i, "__packed__", 10)) {
            packed_members(t, i, &found->bit_fields);
        }
    }
}
