/* print_regions.c: work-item loops, for a kernel that has been split.
 *
 * Contract of pass_work_items: attaches text to the canonical tokens. A region becomes a work-item loop round its statements:
 *     ::cpudev::for_threads(blockDim, [&](const uint3 threadIdx, unsigned long cpudev_t) { BINDINGS { statements } });
 * A variable x that lives across barriers is bound in each region that uses it:
 *     P_UNIFORM   const auto x = x__cpudev;      if all threads change it together; otherwise it is one const for all
 *     P_AGAIN     const T x = initialiser;
 *     P_FRESH     T x;
 *     P_SLOT      x__cpudev_t &x = x__cpudev[cpudev_t];
 * Copies are const, so that g++ refuses what would change one. Under --check a region is plain loops, without a
 * closure, whose captures would be memory that is looked at; and code that can be checked in bulk is written twice
 * (bulk.c). */
#include "analysis/analysis.h"
#include "kernel/split.h"
#include "emit/printer.h"

#include <stdlib.h>
#include <string.h>

/* a..b on one line, with the variables that all threads change together by the names that they have between regions */
static char *kernel_text(const Split *s, int a, int b)
{
    char *out = format("%s", "");
    for (int i = a; i <= b; i = next(s->t, i))
        append(&out,
               format("%s%.*s%s", i > a && (!adjacent(s->t, i - 1) || passed_over(s->t, i - 1)) ? " " : "",
                      s->t->t[i].len, s->t->t[i].s, s->used[i] && s->used[i]->written_together ? "__cpudev" : ""));
    return out;
}

/* ---- declarations ---- */

/* Is the variable's address assigned to something, from where another thread could have it? */
static bool address_is_kept(const Split *s, const Decl *d)
{
    for (int i = 0; i < d->nuse; i++) {
        int at = d->use[i].at, p = prev(s->t, at), e = next(s->t, at), n = 0;
        const bool address = is(s->t, p, W_AND);
        for (; is(s->t, e, W_SQUARE); e = next(s->t, mate(s->t, e)))
            n++;
        if ((address || n < d->ndims) && is(s->t, address ? prev(s->t, p) : p, W_ASSIGN))
            return true;
    }
    return false;
}

/* Under --check the checker knows whose the slots of a variable are, if another thread could have its address. To all
 * others it says nothing: what it knows, g++ could no longer keep in registers. */
static char *watched(const Split *s, const Decl *d)
{
    if (!s->u->check || !address_is_kept(s, d))
        return format("%s", "");
    return format(" ::cpudev::slots_guard %.*s__cpudev_guard(%.*s__cpudev, \"%.*s\");", d->len, d->name, d->len,
                  d->name, d->len, d->name);
}

/* Storage of one slot a thread, in front of the region that declares the variable. */
static char *storage(const Split *s, const Decl *d)
{
    char *type = value_type(s, d), *dims = d->ndims ? text_of(s->t, d->dims_first, d->dims_last) : format("%s", "");
    char *alignment = format("%s", "");
    for (int i = d->type_first; d->is_aligned && i <= d->type_last; i = next(s->t, i))
        if ((is(s->t, i, W_ALIGNAS) || is(s->t, i, W_ALIGNED)) && is(s->t, next(s->t, i), W_PAREN)) {
            free(alignment);
            char *n = text_of(s->t, next(s->t, next(s->t, i)), prev(s->t, mate(s->t, next(s->t, i))));
            alignment = format(", %s", n);
            free(n);
        }
    char *guard = watched(s, d);
    char *out = format(
        " typedef %s %.*s__cpudev_t%s; static_assert(::cpudev::slot_type<%.*s__cpudev_t>::value, \"cucc: kernel "
        "%d runs on fibers\"); "
        "::cpudev::slots<%.*s__cpudev_t%s> %.*s__cpudev;%s",
        type, d->len, d->name, dims, d->len, d->name, s->k->id, d->len, d->name, alignment, d->len, d->name, guard);
    free(guard);
    free(type);
    free(dims);
    free(alignment);
    return out;
}

/* A uniform variable, moved in front of the region that declares it. */
static char *hoisted(const Split *s, const Decl *d)
{
    if (!d->written_together) {
        char *type = text_of(s->t, d->type_first, d->type_last);
        char *stars = d->at > d->first ? text_of(s->t, d->first, prev(s->t, d->at)) : format("%s", "");
        char *rest = kernel_text(s, d->at, d->last);
        char *out = format(" [[maybe_unused]] %s%s %s%s%s;", d->stars == 0 && !d->is_const ? "const " : "", type, stars,
                           d->stars > 0 && !pointer_is_const(s, d) ? " const " : " ", rest);
        free(type);
        free(stars);
        free(rest);
        return out;
    }
    char *text = kernel_text(s, d->first, d->last), *type = value_type(s, d);
    while (d->stars && *type && type[strlen(type) - 1] == '*')
        type[strlen(type) - 1] = 0;
    char *out = format(" [[maybe_unused]] %s %s;", type, text);
    free(text);
    free(type);
    return out;
}

static void print_slot(Split *s, const Decl *d, const char *type)
{
    char *name = format("%.*s", d->len, d->name);
    if (!d->init) {
        char *text = binding(s, d);
        drop_range(s->t, d->first, d->last);
        put_before(s->t, d->first, text);
    } else {
        put_before(s->t, d->first, format("%s ", type));
        put_after(s->t, d->at, format("__cpudev_v"));
        if (d->is_auto)
            put_after(
                s->t, d->last,
                format("; static_assert(::std::is_same<typename ::std::remove_const<decltype(%s__cpudev_v)>::type, "
                       "%s__cpudev_t>::value, \"cucc: kernel %d runs on fibers\")",
                       name, name, s->k->id));
        put_after(s->t, d->last,
                  format("; [[maybe_unused]] %s%s__cpudev_t &%s = %s__cpudev.put(cpudev_t, %s__cpudev_v);",
                         d->is_const ? "const " : "", name, name, name, name));
    }
    free(name);
}

/* A declaration of a region: each declarator becomes a statement of its own. */
static void print_declaration(Split *s, const Node *n)
{
    bool changed = false, first = true;
    for (int i = 0; i < s->f->ndecl; i++)
        changed |= s->f->decl[i]->statement == n && s->f->decl[i]->placement != P_PRIVATE;
    if (!changed)
        return;
    for (int i = 0; i < s->f->ndecl; i++) {
        const Decl *d = s->f->decl[i];
        if (d->statement != n)
            continue;
        char *type = text_of(s->t, d->type_first, d->type_last);
        if (first)
            drop_range(s->t, d->type_first, d->type_last);
        else
            s->t->t[prev(s->t, d->first)].drop = true; /* the comma */
        first = false;
        switch (d->placement) {
        case P_UNIFORM: drop_range(s->t, d->first, d->last); break;
        case P_FRESH: /* here too, if it is used here */
            put_before(s->t, d->first, format("[[maybe_unused]] %s ", type));
            put_after(s->t, d->last, format(";"));
            break;
        case P_AGAIN:
            put_before(s->t, d->first,
                       format("[[maybe_unused]] %s%s ", d->stars == 0 && !d->is_const ? "const " : "", type));
            if (d->stars > 0 && !pointer_is_const(s, d))
                put_before(s->t, d->at, format(" const "));
            put_after(s->t, d->last, format(";"));
            break;
        case P_SLOT: print_slot(s, d, type); break;
        default: put_before(s->t, d->first, format("%s ", type)); put_after(s->t, d->last, format(";"));
        }
        free(type);
    }
}

/* ---- regions ---- */

/* Is anything left of the region when its uniform variables have moved? */
static bool anything_left(const Split *s, const Region *r)
{
    for (int i = 0; i < r->n; i++) {
        if (r->statement[i]->kind == S_EMPTY)
            continue;
        if (r->statement[i]->kind != S_DECL)
            return true;
        for (int k = 0; k < s->f->ndecl; k++) {
            const Decl *d = s->f->decl[k];
            bool moved = d->placement == P_UNIFORM || d->placement == P_AGAIN || d->placement == P_FRESH;
            if (d->statement == r->statement[i] && !moved && !(d->placement == P_SLOT && !d->init))
                return true;
        }
    }
    return false;
}

static char *region_head(const Split *s, const Region *r)
{
    char *out = format("%s", r->list ? "" : "{ ");
    for (int i = 0; i < r->n; i++)
        for (int k = 0; r->statement[i]->kind == S_DECL && k < s->f->ndecl; k++) {
            const Decl *d = s->f->decl[k];
            if (d->statement == r->statement[i] && d->placement == P_SLOT)
                append(&out, storage(s, d));
            else if (d->statement == r->statement[i] && d->placement == P_UNIFORM)
                append(&out, hoisted(s, d));
        }
    return out;
}

/* Under --check: a return goes on to the next thread. */
static void print_returns(Split *s, const Region *r)
{
    for (int i = r->first; i <= r->last; i = next(s->t, i))
        if (ident(s->t, i) && is(s->t, i, W_RETURN) && !s->t->t[i].drop) {
            s->t->t[i].drop = true;
            put_before(s->t, i, format("goto cpudev_next_%d", r->first));
        }
}

static void print_region(Split *s, const Region *r)
{
    static const char plain[] = "[&]([[maybe_unused]] const ::uint3 threadIdx, "
                                "[[maybe_unused]] const unsigned long cpudev_t) "
                                "__attribute__((always_inline)) { ";
    static const char checked[] = " for (unsigned cpudev_z = 0; cpudev_z < blockDim.z; cpudev_z++) for (unsigned "
                                  "cpudev_y = 0; cpudev_y < blockDim.y; cpudev_y++) "
                                  "for (unsigned cpudev_x = 0; cpudev_x < blockDim.x; cpudev_x++) { [[maybe_unused]] "
                                  "const ::uint3 threadIdx = {cpudev_x, cpudev_y, cpudev_z}; "
                                  "const unsigned long cpudev_t = cpudev_x + blockDim.x * (cpudev_y + blockDim.y * "
                                  "cpudev_z); ::cpudev::turn(cpudev_t); ";
    char *bulk_before = NULL, *bulk_after = NULL, *front = region_head(s, r);
    if (!anything_left(s, r)) {
        for (int i = 0; i < r->n; i++)
            drop_range(s->t, r->statement[i]->first, r->statement[i]->last);
        put_first(s->t, r->first, front);
        put_after(s->t, r->last, format(r->list ? "" : "}"));
        return;
    }
    char *heads = bindings(s, r->first, r->last, true);
    for (int i = 0; i < r->n; i++)
        if (r->statement[i]->kind == S_DECL)
            print_declaration(s, r->statement[i]);
    if (s->u->check)
        print_bulk(s, r, &bulk_before, &bulk_after);
    char *loop = s->u->check ? format("%s", checked)
                             : format(" ::cpudev::for_threads<%s>(%s, %s", r->apart ? "true" : "false",
                                      s->k->guarded ? "cpudev_boxes" : "blockDim", plain);
    append(&front, format("%s%s%s{ ", bulk_before ? bulk_before : "", loop, heads));
    free(loop);
    put_first(s->t, r->first, front);
    if (s->u->check && r->returns)
        print_returns(s, r);
    put_after(s->t, r->last,
              s->u->check && r->returns ? format(" } cpudev_next_%d:; }", r->first)
                                        : format(s->u->check ? " } }" : " } });"));
    if (bulk_after)
        put_after(s->t, r->last, bulk_after);
    if (!r->list)
        put_after(s->t, r->last, format(" }"));
    free(bulk_before);
    free(heads);
}

/* What a barrier becomes, after the loop over the threads. */
static const char *barrier(const Split *s, const Node *n)
{
    if (n->barrier == BARRIER_EXCHANGE)
        return " cpudev_lanes.exchange(false); ";
    if (n->barrier == BARRIER_LAST_EXCHANGE)
        return " cpudev_lanes.exchange(true); ";
    return s->u->check ? " ::cpudev_loop_barrier(); " : " ; ";
}

/* Does each round of the loop come to a barrier, at which the counters begin anew? */
static bool barrier_in_each_round(const Node *body)
{
    bool found = body->kind == S_BARRIER;
    for (int i = 0; body->kind == S_LIST && i < body->n; i++)
        found |= body->kid[i]->kind == S_BARRIER;
    return found;
}

/* Under --check: a round of a loop that all threads go through together. */
static void print_round(Split *s, const Node *loop)
{
    const Node *body = loop->kid[loop->kind == S_DO ? 0 : loop->n - 1];
    if (barrier_in_each_round(body))
        return;
    if (body->kind == S_LIST)
        put_after(s->t, body->first, format(" cpudev_check_block_round();"));
    else
        put_round(s->t, body->first, body->last, format("{ cpudev_check_block_round(); "), format(" }"));
}

/* What is between regions: barriers go, and variables that all threads change together have their other names. */
static void print_between(Split *s, const Node *n)
{
    if (!n || is_expression(n))
        return;
    if (n->kind == S_BARRIER) {
        drop_range(s->t, n->first, n->last);
        put_before(s->t, n->first, format("%s", barrier(s, n)));
    }
    if (s->u->check && n->has_barrier && (n->kind == S_FOR || n->kind == S_WHILE || n->kind == S_DO))
        print_round(s, n);
    if (n->kind == S_FOR || n->has_barrier)
        for (int i = 0; i < n->n; i++)
            print_between(s, n->kid[i]);
}

static void print_names(Split *s)
{
    for (int i = s->f->body; i < s->f->end; i = next(s->t, i))
        if (s->used[i] && s->used[i]->written_together && !region_of(s, i))
            put_after(s->t, i, format("__cpudev"));
}

/* The values that lanes exchange are kept for the whole block. The functions that exchange them are given that storage
 * and the thread. */
static void print_lanes(Split *s, char **head)
{
    append(head, format(" ::cpudev::lanes cpudev_lanes(blockDim%s);", s->k->guarded ? ", cpudev_boxes" : ""));
    for (int i = s->f->body; i < s->f->end; i = next(s->t, i))
        if (is_lane_name(s->t, i))
            put_after(s->t, next(s->t, i), format("cpudev_lanes, threadIdx, blockDim, "));
}

/* Parameters that the kernel changes: each thread has its own. */
static char *parameters(const Split *s)
{
    char *out = format("%s", "");
    for (int i = 0; i < s->f->nparams; i++) {
        const Decl *d = s->f->decl[i];
        if (d->placement == P_SLOT && d->nuse > 0)
            append(
                &out,
                format(" typedef typename std::remove_cv<decltype(%.*s)>::type %.*s__cpudev_t; "
                       "static_assert(::cpudev::slot_type<%.*s__cpudev_t>::value, \"cucc: kernel %d runs on fibers\"); "
                       "::cpudev::slots<%.*s__cpudev_t> %.*s__cpudev; %.*s__cpudev.fill(%.*s);",
                       d->len, d->name, d->len, d->name, d->len, d->name, s->k->id, d->len, d->name, d->len, d->name,
                       d->len, d->name, d->len, d->name));
    }
    return out;
}

/* A::b in what is computed more than once, or for all threads: it must be a constant. */
static void judge_constants(Split *s, const Node *n, char **out)
{
    if (!n)
        return;
    if (n->kind == E_NAME && !n->decl && n->first != n->last) {
        char *text = text_of(s->t, n->first, n->last);
        append(out, format(" enum : unsigned char { cpudev_constant_%d = (%s) ? 1 : 0 };", n->first, text));
        free(text);
    }
    for (int i = 0; i < n->n; i++)
        judge_constants(s, n->kid[i], out);
}

static void judge_conditions(Split *s, const Node *n, char **out)
{
    if (!(n->has_barrier || n->kind == S_GUARD) || is_expression(n))
        return;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && is_expression(n->kid[i]))
            judge_constants(s, n->kid[i], out);
        else if (n->kid[i])
            judge_conditions(s, n->kid[i], out);
}

static void print_regions(Split *s)
{
    char *head = static_assertion(s->k);
    judge_conditions(s, s->f->tree, &head);
    for (int i = 0; i < s->f->ndecl; i++)
        if (!s->f->decl[i]->is_param &&
            (s->f->decl[i]->placement == P_UNIFORM || s->f->decl[i]->placement == P_AGAIN) &&
            !s->f->decl[i]->is_constexpr)
            judge_constants(s, s->f->decl[i]->init, &head);
    append(&head, parameters(s));
    if (s->k->lanes)
        print_lanes(s, &head);
    put_after(s->t, s->f->body, head);
    print_names(s);
    for (int i = 0; i < s->nregion; i++)
        print_region(s, &s->region[i]);
    print_between(s, s->f->tree);
}

void pass_work_items(Unit *u)
{
    for (int i = 0; i < u->nkernel; i++) {
        Kernel *k = &u->kernel[i];
        if (k->run == RUN_LOOP && k->judged)
            put_after(k->canonical.tok, k->canonical.body, static_assertion(k));
        if (k->run != RUN_REGIONS)
            continue;
        if (k->guarded)
            print_active(k->split);
        print_regions(k->split);
    }
}
