/* print_expr.c: expressions and lvalues as CUDA C++, each in one of its spellings. */
#include <stdlib.h>

#include "print.h"

static const char *const ops[OPS] = {"+", "-", "*", "^", "|", "&", "<<", ">>", "/", "%", "<", "==", "&&"};
const char *op_text(int op) { return op == SET ? "" : ops[op]; }

const char *type_name(Type type)
{
    static const char *const names[TYPES] = {"unsigned",           "int",   "unsigned short", "unsigned char",
                                             "unsigned long long", "float", "Level"};
    return names[type];
}

char *expr_text(Printer *p, const Expr *e)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    print_expr(p, f, e);
    fclose(f);
    return text;
}

char *lvalue_text(Printer *p, const Lvalue *l)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    print_lvalue(p, f, l);
    fclose(f);
    return text;
}

static int form(const Printer *p, int form) { return p->k->plain ? 0 : form; }

void print_form(FILE *to, const char *form, const char *a, const char *b, const char *c, const char *d, const char *e)
{
    const char *const words[] = {a, b, c, d, e};
    for (; *form; form++)
        if (*form == '$' && form[1] >= '1' && form[1] <= '5')
            fputs(words[*++form - '1'], to);
        else
            fputc(*form, to);
}

static void print_thread(Printer *p, FILE *to, int how)
{
    static const char *const forms[THREAD_FORMS] = {"tid",    "(unsigned)Tid{}", "linear()",
                                                    "Me().v", "MY_THREAD",       "unsigned(Tid{})"};
    fputs(forms[form(p, how)], to);
}

static void print_block(Printer *p, FILE *to, int how)
{
    static const char *const forms[THREAD_FORMS] = {"blockIdx.x",   "(unsigned)Block{}", "block_number()",
                                                    "(blockIdx).x", "MY_BLOCK",          "blockIdx.x"};
    fputs(forms[form(p, how)], to);
}

/* An element of an array; the index has type unsigned and is below the number of threads. */
static void print_element(FILE *to, const Array *a, const char *index)
{
    switch (a->kind) {
    case SHARED_ROWS: fprintf(to, "%s[%s / 4][%s %% 4]", a->name, index, index); break;
    case SHARED_STRUCTS: fprintf(to, "%s[%s].v", a->name, index); break;
    case SHARED_VECTORS: fprintf(to, "((unsigned *)&%s[(%s) / 4])[(%s) %% 4]", a->name, index, index); break;
    case SHARED_OBJECT: fprintf(to, "%s.v[%s]", a->name, index); break;
    default: fprintf(to, "%s[%s]", a->name, index);
    }
}

/* Of an array that is a variable or a member: $1 is the array, $2 the index, $3 the object that it is in. */
static const char *const array_forms[LVALUE_FORMS] = {"$1[$2]",
                                                      "($2)[$1]",
                                                      "(*($1 + ($2)))",
                                                      "(&$1[0])[$2]",
                                                      "((unsigned *)$1)[$2]",
                                                      "(*(unsigned *)((char *)(size_t)$1 + 4 * ($2)))"};
static const char *const member_forms[2][LVALUE_FORMS] = {
    {"$1.x", "($1).x", "(&$1)->x", "($1.*(&Pack::x))", "(*(unsigned *)&$1)", "$1.Pack::x"},
    {"$1.in.y", "($1.in).y", "(&$1.in)->y", "(&$1)->in.y", "(*(unsigned *)&$1.in)", "((Pack &)$1).in.y"}};
static const char *const pointer_forms[LVALUE_FORMS] = {"(*$1)", "$1[0]", "0[$1]", "(*($1 + 0))", "(*&*$1)", "(*($1))"};

static void print_variable(Printer *p, FILE *to, const Lvalue *l)
{
    const char *name = l->var->name;
    char *index = l->index ? expr_text(p, l->index) : NULL, *array = NULL, *at = NULL;
    int how = form(p, l->form);
    if (l->index && l->index->kind == CONSTANT ? asprintf(&at, "%u", l->index->value & 3) < 0
                                               : l->index && asprintf(&at, "%s & 3", index) < 0)
        abort();
    switch (l->var->kind) {
    case ARRAY: print_form(to, array_forms[how], name, at, "", "", ""); break;
    case STRUCT:
        if (l->member < 2) {
            print_form(to, member_forms[l->member][how], name, "", "", "", "");
            break;
        }
        if (asprintf(&array, l->form % 2 ? "(&%s)->a" : "%s.a", name) < 0)
            abort();
        print_form(to, array_forms[how], array, at, "", "", "");
        break;
    case VIEW: fprintf(to, how % 2 ? "(&%s)->%c" : "%s.%c", name, "ab"[l->member]); break;
    case POINTER: print_form(to, pointer_forms[how], name, "", "", "", ""); break;
    default: fputs(name, to);
    }
    free(index);
    free(array);
    free(at);
}

void print_lvalue(Printer *p, FILE *to, const Lvalue *l)
{
    if (l->array) {
        const Array *a = l->array;
        char index[128];
        const char *me = a->number % 2 || p->k->plain ? "tid" : "MY_THREAD";
        snprintf(index, sizeof index, a->step == 1 && a->offset == 0 ? "%s" : "((%s * %uu + %uu) %% %uu)", me,
                 (unsigned)a->step, (unsigned)a->offset, p->k->threads);
        print_element(to, a, index);
        return;
    }
    print_variable(p, to, l);
}

static void print_load(Printer *p, FILE *to, const Expr *e)
{
    static const char *const whole[LOAD_FORMS] = {"%s",
                                                  "(%s)",
                                                  "*&%s",
                                                  "(+%s)",
                                                  "value_of(%s)",
                                                  "Wide(%s).v",
                                                  "const_cast<const unsigned &>(%s)",
                                                  "*(const unsigned *)&%s",
                                                  "[&] { return %s; }()"};
    static const char *const other[LOAD_FORMS] = {"(unsigned)%s",
                                                  "unsigned(%s)",
                                                  "static_cast<unsigned>(%s)",
                                                  "U(%s)",
                                                  "(unsigned)value_of(%s)",
                                                  "(unsigned)(%s)",
                                                  "unsigned{(unsigned)%s}",
                                                  "((unsigned)((void)0, %s))",
                                                  "(unsigned)[&] { return %s; }()"};
    static const char *const level[LOAD_FORMS] = {
        "(unsigned)%s",          "seen(%s)",   "tag(&%s)",  "({ Level l_ = %s; (unsigned)l_; })",
        "unsigned(%s)",          "seen((%s))", "(0u + %s)", "tag(&(Level &)%s)",
        "seen(reference_to(%s))"};
    Type type = e->from.var ? e->from.var->type : U32;
    char *text = lvalue_text(p, &e->from);
    fputc('(', to);
    fprintf(to, (type == U32 ? whole : type == LEVEL ? level : other)[form(p, e->form)], text);
    fputc(')', to);
    free(text);
}

static void print_constant(Printer *p, FILE *to, const Expr *e)
{
    static const char *const forms[CONSTANT_FORMS] = {"%uu",
                                                      "0x%xu",
                                                      "unsigned(%uu)",
                                                      "(0u + %uu)",
                                                      "constant<%uu>",
                                                      "({ static const unsigned s_ = %uu; s_; })",
                                                      "({ constexpr unsigned k_ = %uu; k_; })",
                                                      "(unsigned)Literal<%uu>::value",
                                                      "(0u + Literal<%uu>::number)"};
    fprintf(to, forms[form(p, e->form)], e->value);
}

static void print_binary(Printer *p, FILE *to, const Expr *e)
{
    static const char *const forms[BINARY_FORMS] = {
        "($1 $2 $3)",
        "calculate<'$2'>($1, $3)",
        "Calculate<'$2'>{}($1, $3)",
        "((unsigned)Soft{$1} $2 Soft{$3})",
        "([](unsigned p_, unsigned q_) { return p_ $2 q_; })($1, $3)",
        "CALCULATE($1, $2, $3)",
        "({ unsigned p_ = $1; p_ $2 $3; })",
        "($1 $2 ((void)0, $3))",
        "Calculate<'$2'>()($1, $3)",
        "(Wide($1) $2 Wide($3)).v",
        "operator$2(Wide($1), Wide($3)).v",
    };
    char *a = expr_text(p, e->a), *b = expr_text(p, e->b);
    switch (e->op) {
    case OP_SHL:
    case OP_SHR: fprintf(to, "(%s %s (%s & 31u))", a, ops[e->op], b); break;
    case OP_DIV:
    case OP_MOD: fprintf(to, "(%s %s (%s | 1u))", a, ops[e->op], b); break;
    case OP_LESS:
    case OP_EQUAL: fprintf(to, e->form % 2 ? "(unsigned)(%s %s %s)" : "(%s %s %s ? 1u : 0u)", a, ops[e->op], b); break;
    case OP_BOTH: fprintf(to, "(unsigned)(%s && %s)", a, b); break;
    default: print_form(to, forms[form(p, e->form)], a, ops[e->op], b, "", "");
    }
    free(a);
    free(b);
}

static void print_choose(Printer *p, FILE *to, const Expr *e)
{
    static const char *const forms[CHOOSE_FORMS] = {"($1 & 1 ? $2 : $3)",
                                                    "(Flag{$1 & 1} ? $2 : $3)",
                                                    "choose($1 & 1, $2, $3)",
                                                    "CHOOSE($1 & 1, $2, $3)",
                                                    "({ unsigned r_ = $3; if ($1 & 1) r_ = $2; r_; })",
                                                    "([&]() -> unsigned { if ($1 & 1) return $2; return $3; }())",
                                                    "(bool($1 & 1) ? (void)0, $2 : $3)"};
    char *c = expr_text(p, e->c), *a = expr_text(p, e->a), *b = expr_text(p, e->b);
    print_form(to, forms[form(p, e->form)], c, a, b, "", "");
    free(a);
    free(b);
    free(c);
}

static void print_call(Printer *p, FILE *to, const Expr *e)
{
    const Function *f = &p->k->functions[e->value];
    char *a = expr_text(p, e->a), *b = expr_text(p, e->b);
    int how = form(p, f->form);
    fprintf(to,
            how == 3   ? "f%d_%u{}(%s, %s)"
            : how == 4 ? "(*&f%d_%u)(%s, %s)" /* gcc 16 refuses (*f)(x) in a template */
                       : "f%d_%u(%s, %s)",
            p->k->number, e->value, a, b);
    free(a);
    free(b);
}

void print_expr(Printer *p, FILE *to, const Expr *e)
{
    static const char *const unary[] = {"(-%s)", "(~%s)", "(!%s ? 1u : 0u)", "(%s * 3u)"};
    char *text;
    switch (e->kind) {
    case CONSTANT: print_constant(p, to, e); break;
    case PARAMETER: fputs(e->value ? "m" : "n", to); break;
    case LOAD: print_load(p, to, e); break;
    case THREAD: print_thread(p, to, e->form); break;
    case BLOCK: print_block(p, to, e->form); break;
    case INPUT:
        text = expr_text(p, e->a);
        fprintf(to, form(p, e->form) ? "__ldg(in + %s %% %uu)" : "in[%s %% %uu]", text, (unsigned)INPUTS);
        free(text);
        break;
    case ELEMENT: {
        char index[64] = "at_";
        text = expr_text(p, e->a);
        if (e->from.array->kind == SHARED_ROWS) {
            fprintf(to, "({ const unsigned at_ = %s %% %uu; ", text, p->k->threads);
            print_element(to, e->from.array, index);
            fputs("; })", to);
        } else {
            char *whole = NULL;
            if (asprintf(&whole, "%s %% %uu", text, p->k->threads) < 0)
                abort();
            print_element(to, e->from.array, whole);
            free(whole);
        }
        free(text);
        break;
    }
    case BINARY: print_binary(p, to, e); break;
    case NEGATE:
        text = expr_text(p, e->a);
        fprintf(to, unary[e->op], text);
        free(text);
        break;
    case CHOOSE: print_choose(p, to, e); break;
    case CALL: print_call(p, to, e); break;
    }
}

void print_condition(Printer *p, FILE *to, const Expr *e)
{
    print_expr(p, to, e);
    fputs(" & 1", to);
}
