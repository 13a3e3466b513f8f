/* print_scope.c: a scope's statements as a block, a function, a functor, a lambda, a macro or a loop that runs once. */
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "print_scope.h"

/* ---- which variables and arrays of the outside a list of statements uses */

typedef struct {
    const Var *used[MAX_USED], *own[MAX_USED];
    int used_count, own_count;
    int arrays[MAX_ARRAYS];
} Uses;

static void use_expr(Uses *u, const Expr *e);

static void use_var(Uses *u, const Var *v)
{
    for (int i = 0; i < u->own_count; i++)
        if (u->own[i] == v)
            return;
    for (int i = 0; i < u->used_count; i++)
        if (u->used[i] == v)
            return;
    if (u->used_count == MAX_USED)
        abort();
    u->used[u->used_count++] = v;
}

static void use_lvalue(Uses *u, const Lvalue *l)
{
    if (l->var)
        use_var(u, l->var);
    if (l->array)
        u->arrays[l->array->number] = 1;
    use_expr(u, l->index);
}

static void use_expr(Uses *u, const Expr *e)
{
    if (!e)
        return;
    use_lvalue(u, &e->from);
    use_expr(u, e->a);
    use_expr(u, e->b);
    use_expr(u, e->c);
}

static void use_statements(Uses *u, const Stmt *s)
{
    for (; s; s = s->next) {
        if (s->dropped)
            continue;
        use_lvalue(u, &s->target);
        use_lvalue(u, &s->target2);
        use_expr(u, s->a);
        use_expr(u, s->b);
        for (int i = 0; i < FIELDS; i++)
            use_expr(u, s->init[i]);
        if (s->array)
            u->arrays[s->array->number] = 1;
        if (s->kind == DECLARE || s->kind == LOOP) {
            if (u->own_count == MAX_USED)
                abort();
            u->own[u->own_count++] = s->var;
        } else if (s->var) {
            use_var(u, s->var);
        }
        use_statements(u, s->body);
        use_statements(u, s->other);
        use_statements(u, s->third);
    }
}

int statements_use(const Stmt *s, const Var *v)
{
    Uses *u = keep(sizeof *u);
    use_statements(u, s);
    for (int i = 0; i < u->used_count; i++)
        if (u->used[i] == v)
            return 1;
    return 0;
}

/* ---- parameters and arguments */

static void print_var_declarator(FILE *to, const Var *v)
{
    const char *constant = v->constant ? "const " : "";
    switch (v->kind) {
    case SCALAR: fprintf(to, "%s%s &%s", constant, type_name(v->type), v->name); break;
    case ARRAY: fprintf(to, "unsigned (&%s)[4]", v->name); break;
    case STRUCT: fprintf(to, "Pack &%s", v->name); break;
    case REFERENCE: fprintf(to, "unsigned &%s", v->name); break;
    case POINTER: fprintf(to, "unsigned *&%s", v->name); break;
    case VIEW: fprintf(to, "View &%s", v->name); break;
    }
}

static void print_array_declarator(FILE *to, const Array *a)
{
    switch (a->kind) {
    case SHARED_ROWS: fprintf(to, "unsigned (*%s)[4]", a->name); break;
    case SHARED_STRUCTS: fprintf(to, "Slot *%s", a->name); break;
    case SHARED_VECTORS: fprintf(to, "uint4 *%s", a->name); break;
    case SHARED_OBJECT: fprintf(to, "Held &%s", a->name); break;
    default: fprintf(to, "unsigned *%s", a->name);
    }
}

/* Every parameter (or, if names is set, every argument), with this between them. */
static void print_parameters(Printer *p, FILE *to, const Uses *u, int names, const char *between)
{
    fprintf(to, names ? "tid%sn%sm%sin" : "const unsigned tid%sconst unsigned n%sconst unsigned m%sconst unsigned *in",
            between, between, between);
    for (int i = 0; i < u->used_count; i++) {
        fputs(between, to);
        if (names)
            fputs(u->used[i]->name, to);
        else
            print_var_declarator(to, u->used[i]);
    }
    for (int i = 0; i < p->k->array_count; i++)
        if (u->arrays[i]) {
            fputs(between, to);
            if (names)
                fputs(p->k->arrays[i].name, to);
            else
                print_array_declarator(to, &p->k->arrays[i]);
        }
}

static char *body_text(Printer *p, const Stmt *s)
{
    char *text;
    size_t size;
    FILE *outer = p->to;
    p->to = open_memstream(&text, &size);
    print_statements(p, s);
    fclose(p->to);
    p->to = outer;
    return text;
}

static void outline(Printer *p, const Stmt *s, const char *body, int functor, const char *before)
{
    Uses *u = keep(sizeof *u);
    use_statements(u, s->body);
    char name[64];
    snprintf(name, sizeof name, "part%d_%d", p->k->number, s->id);
    if (functor) {
        fprintf(p->before, "struct %s {\n    ", name);
        print_parameters(p, p->before, u, 0, ";\n    ");
        fprintf(p->before, ";\n    __device__ void operator()() const\n    {\n%s    }\n};\n", body);
    } else {
        fprintf(p->before, "%s__device__ void %s(", before, name);
        print_parameters(p, p->before, u, 0, ", ");
        fprintf(p->before, ")\n{\n    {\n%s    }\n}\n", body);
    }
    fprintf(p->to, functor ? "%s{" : "%s(", name);
    print_parameters(p, p->to, u, 1, ", ");
    fputs(functor ? "}();\n" : ");\n", p->to);
}

void print_scope(Printer *p, const Stmt *s)
{
    char *body = body_text(p, s->body);
    switch (p->k->plain ? 0 : s->form) {
    case 1: outline(p, s, body, 0, ""); break;
    case 2: fprintf(p->to, "[&] {\n%s}();\n", body); break;
    case 3: fprintf(p->to, "auto part_%d = [&]() {\n%s};\npart_%d();\n", s->id, body, s->id); break;
    case 4:
        for (char *c = body; *c; c++)
            if (*c == '\n')
                *c = ' ';
        fprintf(p->before, "#define PART%d_%d { %s }\n", p->k->number, s->id, body);
        fprintf(p->to, "PART%d_%d\n", p->k->number, s->id);
        break;
    case 5: fprintf(p->to, "do {\n%s} while (0);\n", body); break;
    case 6: fprintf(p->to, "if (true) {\n%s}\n", body); break;
    case 7: outline(p, s, body, 1, ""); break;
    case 8: outline(p, s, body, 0, "__noinline__ "); break;
    case 9: fprintf(p->to, "for (bool once_ = true; once_; once_ = false) {\n%s}\n", body); break;
    case 11: outline(p, s, body, 0, "template <int N_ = 2> "); break;
    case 12: fprintf(p->to, "switch (0) {\ndefault: {\n%s}\n}\n", body); break;
    case 13: fprintf(p->to, "while (true) {\n%sbreak;\n}\n", body); break;
    case 10: fprintf(p->to, "[&](auto) {\n%s}(0);\n", body); break;
    default: fprintf(p->to, "{\n%s}\n", body);
    }
    free(body);
}
