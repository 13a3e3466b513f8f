/* bulk_values.c: which expressions may be checked in bulk: whose every access to memory has an address that is known
 * beforehand. A whitelist over the tree. */
#include "kernel/bulk_check.h"
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

char *bulk_marker(const Token *t, bool ours)
{
    return t->file ? format("\n# %d \"%s\"%s\n", t->line, t->file, ours ? " 3" : "") : format("\n");
}

char *bulk_thread_loops(const Bulk *b, const Token *t, bool slots)
{
    char *s = format("for (unsigned cpudev_z = 0; cpudev_z < blockDim.z; cpudev_z++) for (unsigned cpudev_y = 0; "
                     "cpudev_y < blockDim.y; cpudev_y++) {%s",
                     b->r->apart ? "\n#pragma GCC ivdep" : "");
    append(&s, bulk_marker(t, true));
    append(&s, format("for (unsigned cpudev_x = 0; cpudev_x < cpudev_sx; cpudev_x++) { [[maybe_unused]] const ::uint3 "
                      "threadIdx = {cpudev_x, cpudev_y, cpudev_z}; "
                      "[[maybe_unused]] const unsigned long cpudev_t = cpudev_x + (unsigned long)cpudev_sx * (cpudev_y "
                      "+ blockDim.y * cpudev_z); "));
    append(&s, bindings(b->s, b->r->first, b->r->last, slots));
    return s;
}

static const BulkLocal *local_of(const Bulk *b, const Decl *d)
{
    for (int k = b->nlocals - 1; d && k >= 0; k--)
        if (b->local[k].d == d)
            return &b->local[k];
    return NULL;
}

static bool arithmetic_call(const Bulk *b, const Node *callee)
{
    return callee->first == callee->last && calls_arithmetic(b->s->u, b->s->f, callee);
}

/* What the values in an expression are looked at for. */
typedef struct {
    Bulk *b;
    bool keys; /* note the uniform variables that they depend on */
} Dependence;

/* Uniform variables count as constants: those on which an access depends are its keys. */
static Variance name_variance(const VarianceRule *r, const Node *n)
{
    static const Variance constant = {0, STRIDE_NONE}, anything = {ON_UNKNOWN, STRIDE_ANY};
    const Dependence *x = r->context;
    Bulk *b = x->b;
    const Decl *d = n->decl;
    const BulkLocal *l = local_of(b, d);
    if (!d && is(r->f->tok, n->first, W_THREAD_IDX))
        return (Variance){ON_THREAD, STRIDE_ANY};
    if (!d && is(r->f->tok, n->first, W_BLOCK_IDX))
        return (Variance){ON_BLOCK, STRIDE_NONE};
    if (!d)
        return has_name(r->u, r->f->tok, n->first, N_MEMORY) ? anything : constant;
    if (l) {
        bool more = x->keys && d->init && d->only_read && !(l->on & ON_UNKNOWN);
        return (Variance){l->on | (more ? bulk_depends(b, d->init, true) : 0), STRIDE_ANY};
    }
    if (d->ndims || d->is_shared)
        return anything;
    if (d->placement == P_AGAIN && !d->is_param)
        return variance_of(r, d->init);
    if (d->placement != P_UNIFORM)
        return anything;
    int k = 0;
    while (x->keys && !d->is_param && k < b->nkeys && b->key[k] != d)
        k++;
    if (x->keys && !d->is_param && k == b->nkeys) {
        if (k == 4)
            return anything;
        b->key[b->nkeys++] = d;
    }
    return constant;
}

unsigned bulk_depends(Bulk *b, const Node *n, bool keys)
{
    Dependence x = {b, keys};
    const VarianceRule rule = {.u = b->s->u, .f = b->s->f, .name = name_variance, .context = &x};
    return variance_of(&rule, n).on;
}

bool bulk_keyed(Bulk *b, const Node *n)
{
    return !(bulk_depends(b, n, false) & (ON_BLOCK | ON_UNKNOWN)) && !(bulk_depends(b, n, true) & ON_UNKNOWN);
}

/* An array, or what is in shared memory. */
static bool bounded(const Decl *d) { return d && (d->ndims > 0 || d->is_shared) && !(d->is_param && d->ndims); }

int bulk_memory(const Bulk *b, const Node *n)
{
    int mem = 0;
    if (!n)
        return 0;
    if (n->kind == E_NAME && bounded(n->decl))
        mem = MEM_SHARED;
    if (n->kind == E_INDEX) {
        const Node *base = strip(n->kid[0]);
        while (base->kind == E_INDEX)
            base = strip(base->kid[0]);
        mem = base->kind == E_NAME && bounded(base->decl) ? MEM_SHARED : MEM_GLOBAL;
    }
    for (int i = 0; i < n->n; i++)
        mem |= bulk_memory(b, n->kid[i]);
    return mem;
}

/* An access to global memory, base[index].member: its address for all threads. */
static bool touch(Bulk *b, const Node *whole, const Node *element, bool write)
{
    const Tokens *t = b->s->t;
    const Node *base = element->kid[0];
    if (b->no_global || b->sites == BULK_SITES || base->kind != E_NAME || !base->decl || base->decl->stars != 1 ||
        base->decl->is_ref)
        return false;
    if (bulk_depends(b, base, false) & ON_UNKNOWN || bulk_depends(b, element->kid[1], false) & ON_UNKNOWN)
        return false;
    for (const Node *m = whole; m != element; m = m->kid[0]) /* of a vector: another member may be a bit-field */
        if (t->t[m->last].len != 1 || !strchr("xyzw", *t->t[m->last].s))
            return false;
    char *where = text_within(t, whole->first, whole->last), *loops = bulk_thread_loops(b, &t->t[base->first], false);
    append(&b->touches, loops);
    append(&b->touches,
           format("%scpudev_bytes = sizeof(%s); cpudev_at[cpudev_t] = %s%s(unsigned long)&(%s)%s; } } if "
                  "(!::cpudev_region_touch(&cpudev_r, %d, cpudev_bytes, %d)) return false; ",
                  b->locals, where, b->mask, *b->mask ? " ? " : "", where, *b->mask ? " : 0" : "", b->sites, write));
    free(where);
    b->sites++;
    b->writes |= write;
    return true;
}

/* Is n an element of an array, or of what a pointer points to, or a member of one; or a variable in shared memory? */
static const Node *element_of(const Node *n)
{
    while (n->kind == E_MEMBER)
        n = n->kid[0];
    if (n->kind == E_INDEX)
        return n;
    return n->kind == E_NAME && n->decl && (n->decl->is_shared || n->decl->ndims) ? n : NULL;
}

static bool element(Bulk *b, const Node *whole, bool write, bool read)
{
    const Node *e = element_of(whole), *base = e;
    int n = 0;
    for (const Node *m = whole; m != e; m = m->kid[0])
        if (m->oper != OP_DOT)
            return false;
    for (; base->kind == E_INDEX; base = base->kid[0], n++)
        ;
    if (base->kind != E_NAME)
        return false;
    if (!bounded(base->decl))
        return n == 1 && (!read || touch(b, whole, e, false)) && (!write || touch(b, whole, e, true));
    for (const Node *i = e; i->kind == E_INDEX; i = i->kid[0])
        if (!bulk_keyed(b, i->kid[1]))
            return false;
    return n == base->decl->ndims && !b->no_shared;
}

bool bulk_values(Bulk *b, const Node *n, bool perhaps)
{
    const Tokens *t = b->s->t;
    if (element_of(n))
        return !perhaps && element(b, n, false, true);
    switch (n->kind) {
    case E_LITERAL:
    case E_SIZEOF: return true;
    case E_NAME: return n->decl || !has_name(b->s->u, t, n->first, N_MEMORY);
    case E_PAREN: return bulk_values(b, n->kid[0], perhaps);
    case E_MEMBER: return n->oper == OP_DOT && bulk_values(b, n->kid[0], perhaps);
    case E_POSTFIX: return strip(n->kid[0])->kind == E_NAME && bulk_values(b, n->kid[0], perhaps);
    case E_UNARY:
        if (n->oper == OP_DEREFERENCE || n->oper == OP_ADDRESS)
            return false;
        if (is_increment(n) && strip(n->kid[0])->kind != E_NAME)
            return false;
        return bulk_values(b, n->kid[0], perhaps);
    case E_BINARY:
        return bulk_values(b, n->kid[0], perhaps) && bulk_values(b, n->kid[1], perhaps || is_short_circuit(n));
    case E_TERNARY:
        return bulk_values(b, n->kid[0], perhaps) && bulk_values(b, n->kid[1], true) && bulk_values(b, n->kid[2], true);
    case E_CAST:
    case E_CALL:
        if (n->kind == E_CALL && !arithmetic_call(b, n->kid[0]))
            return false;
        for (int i = n->kind == E_CALL ? 1 : 0; i < n->n; i++)
            if (!bulk_values(b, n->kid[i], perhaps))
                return false;
        return n->n > 0;
    default: return false;
    }
}

char *bulk_mask(Bulk *b, const Node *c, bool holds)
{
    char *outer = b->mask, *cond = text_of(b->s->t, c->first, c->last);
    b->mask = format("%s%s%s(%s)", outer, *outer ? " && " : "", holds ? "" : "!", cond);
    free(cond);
    return outer;
}

void bulk_unmask(Bulk *b, char *outer)
{
    free(b->mask);
    b->mask = outer;
}

bool bulk_condition(Bulk *b, const Node *c, int mem)
{
    if (bulk_depends(b, c, false) & ON_UNKNOWN)
        return false;
    if (mem & MEM_SHARED && !bulk_keyed(b, c))
        b->no_shared = true;
    return true;
}

/* May n be checked in bulk for the threads for which c holds (holds), or for the others? */
static bool values_under(Bulk *b, const Node *n, const Node *c, bool holds)
{
    char *outer = bulk_mask(b, c, holds);
    bool ok = bulk_values(b, n, false);
    bulk_unmask(b, outer);
    return ok;
}

/* n, which may be `condition ? x : y` with accesses in x and y */
static bool choice(Bulk *b, const Node *n)
{
    const Node *c = strip(n);
    int mem = c->kind == E_TERNARY ? bulk_memory(b, c->kid[1]) | bulk_memory(b, c->kid[2]) : 0;
    if (!mem)
        return bulk_values(b, n, false);
    bool no_shared = b->no_shared;
    bool ok = bulk_condition(b, c->kid[0], mem) && values_under(b, c->kid[1], c->kid[0], true) &&
              values_under(b, c->kid[2], c->kid[0], false);
    b->no_shared = no_shared;
    return ok;
}

bool bulk_expression(Bulk *b, const Node *n)
{
    n = strip(n);
    if (n->kind != E_ASSIGN)
        return choice(b, n);
    const Node *target = n->kid[0];
    bool compound = n->oper != OP_ASSIGN;
    if (!element_of(target))
        return target->kind != E_ASSIGN && bulk_values(b, target, false) && choice(b, n->kid[1]);
    char *keep = b->touches; /* the assignment comes after what it assigns */
    b->touches = format("%s", "");
    bool ok = element(b, target, true, compound);
    char *write = b->touches;
    b->touches = keep;
    ok = ok && choice(b, n->kid[1]);
    append(&b->touches, write);
    return ok;
}
