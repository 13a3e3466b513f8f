/* effects.c: how each variable is used at each place.
 *
 * Contract: fills Decl.use and sets Decl.only_read. A whitelist: a use is a read only where the tree shows that the
 * value is taken (an operand of an arithmetic operator, an index, a condition, an argument by value, ...). A use whose
 * context is not in the list is USE_UNKNOWN, which every later pass takes for a write that any thread may make at any
 * time. */
#include "front/unit.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

typedef struct {
    const Unit *u;
    Function *f;
    Node *statement;
    int indices; /* that follow the expression visited next */
} Walk;

static void visit(Walk *w, Node *n, UseKind kind);

static void visit_kids(Walk *w, Node *n, int from, UseKind kind)
{
    for (int i = from; i < n->n; i++)
        visit(w, n->kid[i], kind);
}

/* Is the type at i, a parameter of the kernel's template, that of an array's elements or of what a pointer points to? Then it
 * is no reference. */
static bool is_element(const Walk *w, int i)
{
    const Tokens *t = w->f->tok;
    for (int k = 0; k < w->f->ndecl; k++) {
        const Decl *d = w->f->decl[k];
        bool just = d->stars || d->ndims;
        for (int j = d->type_first; just && j <= d->type_last; j = next(t, j))
            just = is_qualifier(t, j) || is(t, j, W_SHARED) || same(t, i, j);
        if (just && !d->is_decltype && !d->is_auto)
            return true;
    }
    return false;
}

/* f<int &>(x) takes x by reference where f's parameter is a T: are the template arguments after `name` plainly others? */
static bool no_references(const Walk *w, const Node *callee, int name)
{
    const Tokens *t = w->f->tok;
    bool is_type;
    for (int i = next(t, next(t, name)); name != callee->last && i < callee->last; i = next(t, i)) {
        const bool plain = t->t[i].kind == T_NUM || is(t, i, W_COMMA) || is_type_word(t, i) || is_qualifier(t, i) ||
                           only_kind(w->u, t, i, N_CONSTANT);
        if (!plain &&
            !(ident(t, i) && template_parameter(w->u, w->f, t, i, &is_type) && (!is_type || is_element(w, i))))
            return false;
    }
    return true;
}

/* Does every function that the call may mean take this argument by value? */
static bool by_value(Walk *w, const Node *callee, int argument)
{
    const Tokens *t = w->f->tok;
    int name = callee_name(t, callee);
    if (callee->kind != E_NAME || callee->decl || callee->first != name || !no_references(w, callee, name))
        return false;
    int k = function_named(w->u, t, name, -1);
    if (k < 0) /* they take even pointers by value */
        return (is_pure_name(t, name) || is_atomic_name(t, name) || warp_function(t, name)) &&
               !hidden_by_program(w->u, w->f, t, name);
    for (; k >= 0; k = function_named(w->u, t, name, k)) {
        const Function *f = &w->u->function[k];
        if (f->body < 0 || !f->tree || argument >= f->nparams || f->decl[argument]->is_ref ||
            f->decl[argument]->is_auto)
            return false;
    }
    return true;
}

static void visit_call(Walk *w, Node *n)
{
    visit(w, n->kid[0], USE_UNKNOWN);
    for (int i = 1; i < n->n; i++) {
        bool value = by_value(w, n->kid[0], i - 1);
        if (broken(w->u, RULE_ARGUMENTS))
            value = true;
        visit(w, n->kid[i], value ? USE_READ : USE_UNKNOWN);
    }
}

/* An lvalue that is changed, or whose address is taken. */
static void visit_lvalue(Walk *w, Node *n, UseKind kind)
{
    const Node *base;
    switch (n->kind) {
    case E_INDEX:
        base = strip(n->kid[0]);
        /* of an array it is the variable that changes, of a pointer something else; of a class that is not known */
        if (base->kind == E_NAME && base->decl && base->decl->stars > 0 && !base->decl->ndims && !base->decl->is_ref)
            visit(w, n->kid[0], USE_READ);
        else
            visit(w, n->kid[0], kind);
        visit(w, n->kid[1], USE_READ);
        return;
    case E_MEMBER: visit(w, n->kid[0], n->oper == OP_ARROW ? USE_READ : kind); return;
    case E_UNARY:
        if (n->oper == OP_DEREFERENCE) {
            visit(w, n->kid[0], USE_READ);
            return;
        }
        break;
    case E_TERNARY:
        visit(w, n->kid[0], USE_READ);
        visit(w, n->kid[1], kind);
        visit(w, n->kid[2], kind);
        return;
    case E_COMMA:
        if (overloaded(w->u, w->f, n))
            break;
        visit(w, n->kid[0], USE_READ);
        visit(w, n->kid[1], kind);
        return;
    case E_ASSIGN: visit(w, n, kind); return;
    case E_CAST:
        if (!broken(w->u, RULE_CASTS))
            kind = USE_UNKNOWN;
        visit_kids(w, n, 0, kind == USE_UNKNOWN ? kind : USE_READ);
        return;
    default: break;
    }
    visit(w, n, kind);
}

static void visit_unary(Walk *w, Node *n, UseKind kind)
{
    if (is_increment(n))
        visit_lvalue(w, n->kid[0], kind == USE_UNKNOWN ? USE_UNKNOWN : USE_WRITE);
    else if (n->oper == OP_ADDRESS)
        visit_lvalue(w, n->kid[0], broken(w->u, RULE_ADDRESS) ? USE_READ : USE_ADDRESS);
    else
        visit(w, n->kid[0], operator_takes_value(w->u, w->f, n, 0) ? USE_READ : USE_UNKNOWN);
}

/* The operands of a binary operator, from this one on. */
static void visit_operands(Walk *w, Node *n, int from)
{
    for (int i = from; i < n->n; i++)
        visit(w, n->kid[i], operator_takes_value(w->u, w->f, n, i) ? USE_READ : USE_UNKNOWN);
}

static void visit_declaration(Walk *w, Node *n)
{
    for (int i = 0; i < w->f->ndecl; i++) {
        const Decl *d = w->f->decl[i];
        if (d->statement != n || !d->init)
            continue;
        bool value = !d->is_ref || broken(w->u, RULE_REFERENCES);
        if (d->init->kind == E_LIST)
            visit_kids(w, d->init, 0, value ? USE_READ : USE_UNKNOWN);
        else
            visit(w, d->init, value ? USE_READ : USE_UNKNOWN);
    }
}

/* indices: how many others follow */
static void visit_index(Walk *w, Node *n, UseKind kind, int indices)
{
    const Node *base = strip(n->kid[0]);
    bool pointer = base->kind == E_NAME && base->decl && base->decl->stars > 0 && !base->decl->is_ref;
    bool array = base->kind == E_NAME && base->decl && base->decl->ndims > 0;
    /* an element that is read; of an array of arrays, perhaps its address; of what is no array, that is not known */
    if (kind != USE_READ)
        visit_lvalue(w, n, kind);
    else if (array)
        add_use(base->decl, base->first, base->decl->ndims > 1 ? USE_ADDRESS : USE_READ, w->statement);
    else {
        w->indices = base->kind == E_MEMBER || base->kind == E_INDEX ? indices + 1 : 0;
        visit(w, n->kid[0], pointer || base->kind != E_NAME ? USE_READ : USE_UNKNOWN);
    }
    if (kind == USE_READ)
        visit(w, n->kid[1], USE_READ);
}

/* What has been read of an object.  Of an array in it that is the array's address, unless all its indices follow. */
static void visit_member(Walk *w, Node *n, UseKind kind, int indices)
{
    bool array = array_member_dims(w->u, w->f->tok, n->last) > indices && !broken(w->u, RULE_MEMBER_ARRAYS);
    if (n->oper == OP_ARROW)
        kind = USE_READ;
    else if (kind == USE_READ && array)
        kind = USE_ADDRESS;
    visit(w, n->kid[0], kind);
}

/* n in a place where the value is taken (USE_READ), it is changed (USE_WRITE), its address is (USE_ADDRESS), or what is
 * done with it is not known (USE_UNKNOWN) */
static void visit(Walk *w, Node *n, UseKind kind)
{
    int indices = w->indices;
    w->indices = 0;
    if (!n)
        return;
    switch (n->kind) {
    case E_NAME:
        if (n->decl) {
            bool array = n->decl->ndims > 0 && kind == USE_READ; /* its address is the value */
            add_use(n->decl, n->first, array ? USE_ADDRESS : kind, w->statement);
        }
        return;
    case E_LITERAL:
    case E_STRING:
    case E_SIZEOF:
    case E_OPAQUE: return; /* names in them: resolve.c */
    case E_PAREN:
        w->indices = indices;
        visit(w, n->kid[0], broken(w->u, RULE_PARENTHESES) ? USE_READ : kind);
        return;
    case E_UNARY: visit_unary(w, n, kind); return;
    case E_POSTFIX: visit_lvalue(w, n->kid[0], USE_WRITE); return;
    case E_BINARY: visit_operands(w, n, 0); return;
    case E_ASSIGN:
        visit_lvalue(w, n->kid[0], kind == USE_READ || kind == USE_WRITE ? USE_WRITE : USE_UNKNOWN);
        visit_operands(w, n, 1);
        return;
    case E_TERNARY:
        visit(w, n->kid[0], USE_READ);
        visit(w, n->kid[1], broken(w->u, RULE_TERNARY) ? USE_READ : kind);
        visit(w, n->kid[2], broken(w->u, RULE_TERNARY) ? USE_READ : kind);
        return;
    case E_COMMA:
        if (overloaded(w->u, w->f, n)) {
            visit_operands(w, n, 0);
            return;
        }
        visit(w, n->kid[0], USE_READ);
        visit(w, n->kid[1], kind);
        return;
    case E_CALL: visit_call(w, n); return;
    case E_INDEX: visit_index(w, n, kind, indices); return;
    case E_MEMBER: visit_member(w, n, kind, indices); return;
    case E_CAST: visit_kids(w, n, 0, kind == USE_READ ? USE_READ : USE_UNKNOWN); return;
    case E_LIST: visit_kids(w, n, 0, kind); return;
    case S_DECL:
        w->statement = n;
        visit_declaration(w, n);
        return;
    case S_EXPR:
        w->statement = n;
        visit(w, n->kid[0], USE_READ);
        return;
    case S_RETURN:
        w->statement = n;
        visit_kids(w, n, 0, USE_READ);
        return;
    default: visit_kids(w, n, 0, USE_READ); return;
    }
}

void effects_function(const Unit *u, Function *f)
{
    Walk w = {.u = u, .f = f};
    visit(&w, f->tree, USE_READ);
    for (int i = 0; i < f->ndecl; i++) {
        Decl *d = f->decl[i];
        d->only_read = !d->is_volatile && !d->is_ref;
        for (int k = 0; k < d->nuse; k++)
            d->only_read &= d->use[k].kind == USE_READ;
    }
}

void pass_effects(Unit *u)
{
    for (int i = 0; i < u->nfunction; i++)
        if (u->function[i].tree)
            effects_function(u, &u->function[i]);
}
