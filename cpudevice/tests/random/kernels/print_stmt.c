/* print_stmt.c: statements as CUDA C++, each in one of its spellings. */
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "print_scope.h"

static int form(const Printer *p, int form) { return p->k->plain ? 0 : form; }

/* ---- declarations */

static void declare_scalar(Printer *p, const Stmt *s)
{
    const Var *v = s->var;
    char *e = expr_text(p, s->init[0]);
    const char *type = type_name(v->type), *constant = v->constant ? "const " : "", *name = v->name;
    if (v->type == U32) {
        switch (form(p, s->form)) {
        case 1: fprintf(p->to, "%sunsigned %s(%s);\n", constant, name, e); break;
        case 2: fprintf(p->to, "%sunsigned %s{%s};\n", constant, name, e); break;
        case 3: fprintf(p->to, "%sauto %s = %s;\n", constant, name, e); break;
        case 4:
            if (v->constant)
                fprintf(p->to, "unsigned const %s = %s;\n", name, e);
            else
                fprintf(p->to, "unsigned %s;\n%s = %s;\n", name, name, e);
            break;
        case 5: fprintf(p->to, "%sdecltype(0u) %s = {%s};\n", constant, name, e); break;
        case 6:
            fprintf(p->to, "[[maybe_unused]] %sunsigned %s = %s, *%s_p = nullptr;\n", constant, name, e, name);
            break;
        case 7: fprintf(p->to, "%sunsigned(%s) = %s;\n", constant, name, e); break;
        case 8: fprintf(p->to, "%sunsigned %s = {%s};\n", constant, name, e); break;
        case 9: fprintf(p->to, "%sauto %s{%s};\n", constant, name, e); break;
        case 10: fprintf(p->to, "typedef %sunsigned Type_%s; Type_%s %s(%s);\n", constant, name, name, name, e); break;
        default: fprintf(p->to, "%sunsigned %s = %s;\n", constant, name, e);
        }
    } else {
        const char *mask = v->type == F32 ? " & 0xffffu" : "";
        switch (v->type == LEVEL ? 1 + form(p, s->form) % 3 : form(p, s->form)) {
        case 1: fprintf(p->to, "%s %s((%s)(%s%s));\n", type, name, type, e, mask); break;
        case 2: fprintf(p->to, "auto %s = (%s)(%s%s);\n", name, type, e, mask); break;
        case 3: fprintf(p->to, "%s %s{(%s)(%s%s)};\n", type, name, type, e, mask); break;
        default: fprintf(p->to, "%s %s = %s%s;\n", type, name, e, mask);
        }
    }
    free(e);
}

static void declare_whole(Printer *p, const Stmt *s)
{
    const Var *v = s->var;
    char *e[FIELDS] = {NULL};
    const char *name = v->name;
    for (int i = 0; i < v->cells; i++)
        e[i] = expr_text(p, s->init[i]);
    if (v->kind == ARRAY) {
        static const char *const forms[] = {"unsigned %s[4] = {%s, %s, %s, %s};\n",
                                            "unsigned %s[] = {%s, %s, %s, %s};\n", "unsigned %s[4]{%s, %s, %s, %s};\n",
                                            "alignas(16) unsigned %s[2 + 2] = {%s, %s, %s, %s};\n"};
        fprintf(p->to, forms[form(p, s->form) % 4], name, e[0], e[1], e[2], e[3]);
    } else {
        static const char *const forms[] = {"Pack %s = {%s, {%s}, {%s, %s, %s, %s}};\n",
                                            "Pack %s{%s, {%s}, {%s, %s, %s, %s}};\n",
                                            "Pack %s = make_pack(%s, %s, %s, %s, %s, %s);\n",
                                            "auto %s = Pack{%s, {%s}, {%s, %s, %s, %s}};\n",
                                            "Built %s(%s, %s, %s, %s, %s, %s);\n",
                                            "Pack %s = {%s, %s, %s, %s, %s, %s};\n"};
        fprintf(p->to, forms[form(p, s->form) % 6], name, e[0], e[1], e[2], e[3], e[4], e[5]);
    }
    for (int i = 0; i < v->cells; i++)
        free(e[i]);
}

static void declare_reference(Printer *p, const Stmt *s)
{
    static const char *const references[] = {"unsigned &%s = %s;\n",     "auto &%s = %s;\n",
                                             "auto &&%s = %s;\n",        "unsigned &%s = *&%s;\n",
                                             "decltype(0u) &%s = %s;\n", "unsigned &%s = reference_to(%s);\n",
                                             "unsigned &%s{%s};\n",      "unsigned &(%s) = (%s);\n"};
    static const char *const pointers[] = {"unsigned *%s = &%s;\n",   "auto *%s = &%s;\n",
                                           "auto %s = &%s;\n",        "unsigned *%s(&%s);\n",
                                           "unsigned *%s{&(%s)};\n",  "unsigned *%s = &reference_to(%s);\n",
                                           "unsigned *%s = {&%s};\n", "unsigned *(%s) = (&%s);\n"};
    static const char *const views[] = {"View %s = {%s, %s};\n", "View %s{%s, %s};\n", "auto %s = View{%s, %s};\n",
                                        "auto %s = make_view(%s, %s);\n"};
    char *a = lvalue_text(p, &s->target), *b = lvalue_text(p, &s->target2);
    int f = form(p, s->form);
    if (s->var->kind == VIEW)
        fprintf(p->to, views[f % 4], s->var->name, a, b);
    else
        fprintf(p->to, s->var->kind == REFERENCE ? references[f % 8] : pointers[f % 8], s->var->name, a);
    free(a);
    free(b);
}

/* ---- assignments */

/* $1: what is assigned; $2: the operator with its =; $3: the value; $4: the type; $5: the operator. */
static const char *const assign_forms[ASSIGN_FORMS] = {
    "$1 $2 $3;",
    "($1) $2 $3;",
    "*&$1 $2 $3;",
    "*($4 *)&$1 $2 $3;",
    "reinterpret_cast<$4 &>($1) $2 $3;",
    "($4 &)$1 $2 $3;",
    "const_cast<$4 &>($1) $2 $3;",
    "change<'$5'>($1, $3);",
    "change_at<'$5'>(&$1, $3);",
    "Change<'$5'>{}($1, $3);",
    "Change<'$5'>()($1, $3);",
    "[&] { $1 $2 $3; }();",
    "[&](unsigned e_) { $1 $2 e_; }($3);",
    "[&r_ = $1, e_ = $3]() { r_ $2 e_; }();",
    "{ Holder<$4> h_{$1}; h_.template change<'$5'>($3); }",
    "{ $4 t_ = $1; t_ $2 $3; memcpy(&$1, &t_, sizeof t_); }",
    "{ $4 *q_[2] = {&$1, &$1}; *q_[tid & 1] $2 $3; }",
    "CHANGE_CAREFULLY($1, $2, $3);",
    "(void)($1 $2 $3, 0);",
    "if (($1 $2 $3), true) {}",
    "for (bool once_ = true; once_; once_ = false) $1 $2 $3;",
    "switch (0) default: $1 $2 $3;",
    "CHANGE($1, $2, $3);",
    "do { $1 $2 $3; } while (0);",
    "{ auto &&r_ = $1; r_ $2 $3; }",
    "{ $4 &r_ = *static_cast<$4 *>(static_cast<void *>(&$1)); r_ $2 $3; }",
    "(tid & 1 ? $1 : $1) $2 $3;",
    "reference_to($1) $2 $3;",
    "(void)exchange_in<'$5'>($1, $3);",
    "{ struct { $4 &r; } s_{$1}; s_.r $2 $3; }",
    "Pair<$4>{$1, $1}.second $2 $3;",
    "{ auto [p_, q_] = Pair<$4>{$1, $1}; q_ $2 $3; }",
    "0[&$1] $2 $3;",
    "{ void *v_ = &$1; *($4 *)v_ $2 $3; }",
    "{ const $4 &c_ = $1; const_cast<$4 &>(c_) $2 $3; }",
    "if (auto *a_ = &$1) *a_ $2 $3;",
    "while (true) { $1 $2 $3; break; }",
    "([&]() -> $4 & { return $1; })() $2 $3;",
    "{ struct { $4 *p; } s_ = {&$1}; *s_.p $2 $3; }",
    "{ union { $4 *p; const void *v; } u_; u_.p = &$1; *($4 *)u_.v $2 $3; }",
    "$1 <<= Put<'$5'>{$3};",
    "$1->*Put<'$5'>{$3};",
    "$1 << Put<'$5'>{$3};",
};

static void print_change(Printer *p, const char *target, Type type, int op, const char *value, int how)
{
    char assignment[4];
    snprintf(assignment, sizeof assignment, "%s=", op_text(op));
    char *whole = NULL;
    if (type == LEVEL && how == 12) /* its parameter is unsigned */
        how = 11;
    if (asprintf(&whole,
                 type == U32     ? "%s"
                 : type == F32   ? "(%s & 0xffffu)"
                 : type == LEVEL ? "Level(%s)"
                                 : "(%s)",
                 value) < 0)
        abort();
    print_form(p->to, assign_forms[how], target, assignment, whole, type_name(type), op == SET ? "=" : op_text(op));
    fputc('\n', p->to);
    free(whole);
}

static void print_assign(Printer *p, const Stmt *s)
{
    char *target = lvalue_text(p, &s->target), *value = expr_text(p, s->a);
    int how = form(p, s->form);
    if (p->in_function && (how == 16 || how == 26))
        how = 0; /* they name tid */
    print_change(p, target, s->target.var ? s->target.var->type : U32, s->op, value, how);
    free(target);
    free(value);
}

static void print_alter(Printer *p, const Stmt *s)
{
    static const char *const forms[ALTER_FORMS] = {"($1 & 1 ? $2 : $3) $4= $5;\n", "*($1 & 1 ? &$2 : &$3) $4= $5;\n",
                                                   "either($1 & 1, $2, $3) $4= $5;\n",
                                                   "{ unsigned *w_[] = {&$3, &$2}; w_[$1 & 1][0] $4= $5; }\n"};
    char *c = expr_text(p, s->a), *a = lvalue_text(p, &s->target), *b = lvalue_text(p, &s->target2),
         *e = expr_text(p, s->b);
    print_form(p->to, forms[form(p, s->form)], c, a, b, op_text(s->op), e);
    free(a);
    free(b);
    free(c);
    free(e);
}

static void print_swap(Printer *p, const Stmt *s)
{
    static const char *const forms[SWAP_FORMS] = {"{ unsigned t_ = $1; $1 = $2; $2 = t_; }\n", "SWAP($1, $2);\n",
                                                  "exchange($1, $2);\n", "$1 ^= $2, $2 ^= $1, $1 ^= $2;\n"};
    print_form(p->to, forms[form(p, s->form)], s->target.var->name, s->target2.var->name, "", "", "");
}

static void print_atomic(Printer *p, const Stmt *s)
{
    static const char *const names[ATOMIC_OPS] = {"Add", "Xor", "Or", "And", "Max", "Min"};
    Expr index = {.kind = ELEMENT, .from = {.array = s->array}, .a = s->a};
    char *value = expr_text(p, s->b), *at = expr_text(p, s->a);
    if (s->array->kind == SHARED_ROWS)
        fprintf(p->to, "atomic%s(&%s[0][0] + %s %% %uu, %s);\n", names[s->op], s->array->name, at, p->k->threads,
                value);
    else {
        fprintf(p->to, form(p, s->form) ? "(void)atomic%s(&" : "atomic%s(&", names[s->op]);
        print_expr(p, p->to, &index);
        fprintf(p->to, ", %s);\n", value);
    }
    free(value);
    free(at);
}

/* ---- control flow */

static void print_block(Printer *p, const Stmt *s)
{
    fputs("{\n", p->to);
    print_statements(p, s);
    fputs("}", p->to);
}

static void print_if(Printer *p, const Stmt *s)
{
    static const char *const forms[IF_FORMS] = {"if (%s & 1) ",
                                                "if (bool b_ = %s & 1) ",
                                                "if (unsigned c_ = %s & 1; c_) ",
                                                "if (Flag{%s & 1}) ",
                                                "if (!(%s & 1)) ",
                                                "if ((%s & 1) != 0 && true) ",
                                                "if (holds(%s & 1)) ",
                                                "if (const auto f_ = [&] { return %s & 1; }; f_()) ",
                                                "if (Level g_ = Level(%s & 1)) ",
                                                "if (%s & 1 ? true : false) "};
    char *c = expr_text(p, s->a);
    int how = form(p, s->form);
    fprintf(p->to, forms[how], c);
    print_block(p, how == 4 ? s->other : s->body);
    if (s->other || how == 4) {
        fputs(" else ", p->to);
        print_block(p, how == 4 ? s->body : s->other);
    }
    fputc('\n', p->to);
    free(c);
}

static void print_loop(Printer *p, const Stmt *s)
{
    static const char *const heads[LOOP_FORMS] = {
        "for (unsigned $1 = 0; $1 < ($2 & 3); $1++) {\n",
        "for (unsigned $1 = 0; $1 < ($2 & 3); ++($1)) {\n",
        "{\nunsigned $1 = 0;\nwhile ($1 < ($2 & 3)) {\n",
        "{\nunsigned $1 = 0;\nif ($2 & 3) do {\n",
        "for (unsigned $1 = 0;; $1 += 1) {\nif ($1 >= ($2 & 3)) break;\n",
        "{\nunsigned $1 = 0;\nagain_$3:\nif ($1 < ($2 & 3)) {\n",
        "const unsigned list_$3[] = {0$4};\nfor (unsigned $1 : list_$3) {\n",
        "for (unsigned $1 = $2 & 3; $1-- > 0;) {\n",
        "for (unsigned $1 = 0; $1 < ($2 & 3); advance($1)) {\n",
        "for (unsigned $1 = 0, x_$3 = 7; $1 < ($2 & 3); $1++, x_$3 += 3) {\n",
        "{\nunsigned $1 = 0;\nfor (; $1 < ($2 & 3); $1 += 1) {\n",
    };
    static const char *const tails[LOOP_FORMS] = {"}\n",
                                                  "}\n",
                                                  "$1 += 1;\n}\n}\n",
                                                  "} while (++$1 < ($2 & 3));\n}\n",
                                                  "}\n",
                                                  "$1++;\ngoto again_$3;\n}\n}\n",
                                                  "}\n",
                                                  "}\n",
                                                  "}\n",
                                                  "}\n",
                                                  "}\n}\n"};
    char *bound = expr_text(p, s->a);
    const char *list = s->a->value == 1 ? "" : s->a->value == 2 ? ", 1" : ", 1, 2";
    char id[16];
    snprintf(id, sizeof id, "%d", s->id);
    print_form(p->to, heads[s->form], s->var->name, bound, id, list, "");
    print_statements(p, s->body);
    print_form(p->to, tails[s->form], s->var->name, bound, id, list, "");
    free(bound);
}

static void print_switch(Printer *p, const Stmt *s)
{
    const Stmt *parts[] = {s->body, s->other, s->third};
    static const int order[SWITCH_FORMS][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
    char *e = expr_text(p, s->a);
    fprintf(p->to, "switch (%s %% 3u) {\n", e);
    for (int i = 0; i < 3; i++) {
        int which = order[form(p, s->form)][i];
        fprintf(p->to, which < 2 ? "case %d: " : "default: ", which);
        print_block(p, parts[which]);
        fputs("\nbreak;\n", p->to);
    }
    fputs("}\n", p->to);
    free(e);
}

static void print_barrier(Printer *p, const Stmt *s)
{
    static const char *const forms[BARRIER_FORMS] = {"__syncthreads();",
                                                     "BARRIER();",
                                                     "cg::this_thread_block().sync();",
                                                     "wait_here();",
                                                     "(void)__syncthreads_count((int)%s);",
                                                     "Wait{}();",
                                                     "[] { __syncthreads(); }();",
                                                     "cg::sync(cg::this_thread_block());",
                                                     "if (__syncthreads_or(1)) {}",
                                                     "(void)0, __syncthreads();"};
    char *e = expr_text(p, s->a);
    fprintf(p->to, forms[form(p, s->form)], e);
    fputc('\n', p->to);
    free(e);
}

static void print_collect(Printer *p, const Stmt *s)
{
    static const char *const calls[COLLECTIVES] = {
        "(unsigned)__syncthreads_count($1 & 1)",
        "(unsigned)(__syncthreads_or($1 & 1) != 0)",
        "(unsigned)(__syncthreads_and($1 & 1) != 0)",
        "__shfl_sync(warp_mask(tid, $3u), $1, (int)($2 % warp_lanes(tid, $3u)))",
        "__ballot_sync(warp_mask(tid, $3u), $1 & 1)",
        "(unsigned)(__any_sync(warp_mask(tid, $3u), $1 & 1) != 0)",
        "cg::tiled_partition<16>(cg::this_thread_block()).shfl($1, (int)($2 % 16u))",
        "tile_sum<8>($1)"};
    static const int how[COLLECT_FORMS] = {0, 1, 7, 11, 24};
    char *a = expr_text(p, s->a), *b = expr_text(p, s->b), *target = lvalue_text(p, &s->target), *call, threads[16];
    size_t length;
    snprintf(threads, sizeof threads, "%u", p->k->threads);
    FILE *text = open_memstream(&call, &length);
    print_form(text, calls[s->op], a, b, threads, "", "");
    fclose(text);
    print_change(p, target, U32, SET, call, how[form(p, s->form)]);
    free(a);
    free(b);
    free(call);
    free(target);
}

void print_statements(Printer *p, const Stmt *s)
{
    char *a, *b;
    for (; s; s = s->next) {
        if (s->dropped)
            continue;
        switch (s->kind) {
        case DECLARE:
            if (s->var->parameter)
                break;
            if (s->var->kind == SCALAR)
                declare_scalar(p, s);
            else if (s->var->kind == ARRAY || s->var->kind == STRUCT)
                declare_whole(p, s);
            else
                declare_reference(p, s);
            break;
        case ASSIGN: print_assign(p, s); break;
        case ALTER: print_alter(p, s); break;
        case SWAP: print_swap(p, s); break;
        case REBIND:
            a = lvalue_text(p, &s->target);
            fprintf(p->to, "%s = &%s;\n", s->var->name, a);
            free(a);
            break;
        case ATOMIC_OP: print_atomic(p, s); break;
        case IF: print_if(p, s); break;
        case LOOP: print_loop(p, s); break;
        case SWITCH: print_switch(p, s); break;
        case LEAVE:
            a = expr_text(p, s->a);
            fprintf(p->to, "if (%s & 1) %s;\n", a, s->op ? "continue" : "break");
            free(a);
            break;
        case SCOPE: print_scope(p, s); break;
        case BARRIER: print_barrier(p, s); break;
        case COLLECT: print_collect(p, s); break;
        case CALL_BY_REFERENCE:
            a = lvalue_text(p, &s->target), b = expr_text(p, s->a);
            fprintf(p->to,
                    form(p, p->k->functions[s->function].form) == 3 ? "f%d_%d{}(%s, %s);\n" : "f%d_%d(%s, %s);\n",
                    p->k->number, s->function, a, b);
            free(a);
            free(b);
            break;
        }
    }
}

void print_functions(Printer *p)
{
    for (int i = 0; i < p->k->function_count; i++) {
        const Function *f = &p->k->functions[i];
        int how = form(p, f->form), functor = how == 3;
        char name[32];
        snprintf(name, sizeof name, "f%d_%d", p->k->number, i);
        p->in_function = 1;
        if (functor)
            fprintf(p->before, "struct %s {\n", name);
        fprintf(p->before, "%s__device__ %s %s(unsigned %sp, %sunsigned q)%s\n{\n",
                how == 1   ? "__noinline__ "
                : how == 2 ? "__forceinline__ "
                : how == 5 ? "static inline "
                : how == 6 ? "template <int N_ = 3> "
                           : "",
                f->by_reference ? "void" : "unsigned", functor ? "operator()" : name, f->by_reference ? "&" : "",
                f->by_reference ? "const " : "", functor ? " const" : "");
        FILE *to = p->to;
        p->to = p->before;
        if (f->by_reference) {
            print_statements(p, f->body);
        } else {
            fputs("return ", p->before);
            print_expr(p, p->before, f->result);
            fputs(";\n", p->before);
        }
        p->to = to;
        fputs(functor ? "}\n};\n" : "}\n", p->before);
        p->in_function = 0;
    }
}
