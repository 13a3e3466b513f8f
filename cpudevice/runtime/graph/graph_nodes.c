/* graph_nodes.c: a graph as it is kept. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph_nodes.h"
#include "stream/command.h"
#include "graph/graph_memory.h"
#include "cpudev_must.h"

static conditional *conditional_of(const command *c) { return c && c->kind == C_CONDITIONAL ? c->user : NULL; }

static bool of_memory(const command *c) { return c && (c->kind == C_ALLOC || c->kind == C_RELEASE); }

struct CUgraphNode_st *graph_add(struct CUgraph_st *g, command *c, const int *deps, int ndeps)
{
    if (g->count == g->cap) {
        int cap = g->cap ? g->cap * 2 : 16;
        struct CUgraphNode_st **nodes = realloc(g->nodes, (size_t)cap * sizeof *nodes);
        if (!nodes)
            out_of_memory();
        g->nodes = nodes;
        g->cap = cap;
    }
    struct CUgraphNode_st *n = calloc(1, sizeof *n);
    if (!n || (ndeps && !(n->deps = malloc((size_t)ndeps * sizeof *deps))))
        out_of_memory();
    if (ndeps)
        memcpy(n->deps, deps, (size_t)ndeps * sizeof *deps);
    n->ndeps = ndeps;
    n->graph = g;
    n->index = g->count;
    n->made = g->made++;
    n->command = c;
    if (of_memory(c))
        graph_memory_hold(c->user);
    g->nodes[g->count++] = n;
    return n; /* cppcheck-suppress memleak ; the graph has it */
}

void set_deps(int **list, int *count, const int *deps, int n)
{
    int *copy = n ? malloc((size_t)n * sizeof *copy) : NULL;
    if (n && !copy)
        out_of_memory();
    if (n)
        memcpy(copy, deps, (size_t)n * sizeof *copy);
    free(*list);
    *list = copy;
    *count = n;
}

struct CUgraph_st *graph_new(void)
{
    struct CUgraph_st *g = calloc(1, sizeof *g);
    if (!g)
        out_of_memory();
    g->magic = GRAPH_MAGIC;
    return g;
}

static void node_free(struct CUgraphNode_st *n)
{
    if (of_memory(n->command))
        graph_memory_let(n->command->user);
    if (conditional_of(n->command))
        conditional_let(n->command->user);
    if (n->command)
        command_free(n->command);
    if (n->child)
        graph_free(n->child);
    n->graph = NULL;
    free(n->deps);
    free(n);
}

void remove_dep(struct CUgraphNode_st *n, int before)
{
    int kept = 0;
    for (int d = 0; d < n->ndeps; d++)
        if (n->deps[d] != before)
            n->deps[kept++] = n->deps[d];
    n->ndeps = kept;
}

void graph_remove(struct CUgraphNode_st *gone)
{
    struct CUgraph_st *g = gone->graph;
    const int index = gone->index;
    for (int i = index + 1; i < g->count; i++) {
        struct CUgraphNode_st *n = g->nodes[i];
        remove_dep(n, index);
        for (int d = 0; d < n->ndeps; d++)
            n->deps[d] -= n->deps[d] > index;
        n->index--;
        g->nodes[i - 1] = n;
    }
    g->count--;
    node_free(gone);
}

void graph_free(struct CUgraph_st *g)
{
    for (int i = 0; i < g->count; i++)
        node_free(g->nodes[i]);
    free(g->nodes);
    for (int i = 0; i < g->nhandles; i++)
        handle_let(g->handles[i]);
    free(g->handles);
    if (g->instance)
        *g->instance = NULL;
    g->magic = 0;
    free(g);
}

conditional_handle *handle_hold(conditional_handle *h)
{
    __atomic_add_fetch(&h->holders, 1, __ATOMIC_SEQ_CST);
    return h;
}

void handle_let(conditional_handle *h)
{
    if (__atomic_sub_fetch(&h->holders, 1, __ATOMIC_SEQ_CST))
        return;
    h->magic = 0;
    free(h);
}

conditional_handle *graph_add_handle(struct CUgraph_st *g, conditional_handle *h)
{
    conditional_handle **list = realloc(g->handles, (size_t)(g->nhandles + 1) * sizeof *list);
    if (!list || (!h && !(h = calloc(1, sizeof *h))))
        out_of_memory();
    h->magic = HANDLE_MAGIC;
    g->handles = list;
    return g->handles[g->nhandles++] = handle_hold(h);
}

static conditional *conditional_with(conditional_handle *h, enum cudaGraphConditionalNodeType type, unsigned size)
{
    conditional *k = calloc(1, sizeof *k);
    if (!k || !(k->bodies = calloc(size, sizeof *k->bodies)))
        out_of_memory();
    k->holders = 1;
    k->handle = handle_hold(h);
    k->type = type;
    k->size = size;
    return k;
}

conditional *conditional_new(conditional_handle *h, enum cudaGraphConditionalNodeType type, unsigned size)
{
    conditional *k = conditional_with(h, type, size);
    for (unsigned i = 0; i < size; i++) {
        k->bodies[i] = graph_new();
        k->bodies[i]->inside = true;
    }
    return k;
}

void conditional_hold(conditional *k) { __atomic_add_fetch(&k->holders, 1, __ATOMIC_SEQ_CST); }

void conditional_let(conditional *k)
{
    if (__atomic_sub_fetch(&k->holders, 1, __ATOMIC_SEQ_CST))
        return;
    for (unsigned i = 0; i < k->size; i++)
        graph_free(k->bodies[i]);
    free(k->bodies);
    handle_let(k->handle);
    free(k);
}

/* Copies a node's command; NULL stays NULL. The graphs of a conditional node are copied with it. */
static command *copy_of(const command *from, bool flat)
{
    command *c = from ? command_clone(from) : NULL;
    const conditional *k = conditional_of(from);
    if (!k)
        return c;
    conditional *copy = c->user = conditional_with(k->handle, k->type, k->size);
    for (unsigned i = 0; i < k->size; i++) {
        int *place = NULL;
        copy->bodies[i] = flat ? graph_flat_copy(k->bodies[i], &place) : graph_copy(k->bodies[i]);
        copy->bodies[i]->inside = true;
        free(place);
    }
    return c;
}

struct CUgraph_st *graph_copy(const struct CUgraph_st *g)
{
    struct CUgraph_st *c = graph_new();
    c->original = g;
    for (int i = 0; i < g->nhandles; i++)
        graph_add_handle(c, g->handles[i]);
    for (int i = 0; i < g->count; i++) {
        const struct CUgraphNode_st *n = g->nodes[i];
        struct CUgraphNode_st *m = graph_add(c, copy_of(n->command, false), n->deps, n->ndeps);
        m->made = n->made;
        if (n->child) {
            m->child = graph_copy(n->child);
            m->child->inside = true;
        }
    }
    c->made = g->made;
    return c;
}

/* Copies g's nodes to the end of `flat`, the first of them behind deps; a child's come in its place, with an empty node
 * that follows all of them.  place[i] becomes the number that node i has there. */
static void flatten(struct CUgraph_st *flat, const struct CUgraph_st *g, const int *deps, int ndeps, int *place)
{
    for (int i = 0; i < g->nhandles; i++)
        graph_add_handle(flat, g->handles[i]);
    for (int i = 0; i < g->count; i++) {
        const struct CUgraphNode_st *n = g->nodes[i];
        int k = n->ndeps ? n->ndeps : ndeps, *before = malloc((size_t)(k + 1) * sizeof *before);
        if (!before)
            out_of_memory();
        for (int d = 0; d < k; d++)
            before[d] = n->ndeps ? place[n->deps[d]] : deps[d];
        if (n->child && n->child->count) {
            int *inner = malloc((size_t)n->child->count * sizeof *inner);
            if (!inner)
                out_of_memory();
            flatten(flat, n->child, before, k, inner);
            place[i] = graph_add(flat, NULL, inner, n->child->count)->index;
            free(inner);
        } else
            place[i] = graph_add(flat, copy_of(n->command, true), before, k)->index;
        free(before);
    }
}

struct CUgraph_st *graph_flat_copy(const struct CUgraph_st *g, int **place)
{
    struct CUgraph_st *flat = graph_new();
    *place = malloc((size_t)(g->count + 1) * sizeof **place);
    if (!*place)
        out_of_memory();
    flatten(flat, g, NULL, 0, *place);
    return flat;
}

bool is_graph(const struct CUgraph_st *g) { return g && g->magic == GRAPH_MAGIC; }

bool graph_has_memory(const struct CUgraph_st *g)
{
    for (int i = 0; i < g->count; i++)
        if (of_memory(g->nodes[i]->command) || (g->nodes[i]->child && graph_has_memory(g->nodes[i]->child)))
            return true;
    return false;
}

bool graph_has_conditions(const struct CUgraph_st *g)
{
    for (int i = 0; i < g->count; i++)
        if (conditional_of(g->nodes[i]->command) || (g->nodes[i]->child && graph_has_conditions(g->nodes[i]->child)))
            return true;
    return false;
}

enum cudaGraphNodeType graph_node_type(const struct CUgraphNode_st *n)
{
    if (n->child)
        return cudaGraphNodeTypeGraph;
    if (!n->command)
        return cudaGraphNodeTypeEmpty;
    switch (n->command->kind) {
    case C_KERNEL: return cudaGraphNodeTypeKernel;
    case C_COPY: return cudaGraphNodeTypeMemcpy;
    case C_SET: return cudaGraphNodeTypeMemset;
    case C_CONDITIONAL: return cudaGraphNodeTypeConditional;
    case C_ALLOC: return cudaGraphNodeTypeMemAlloc;
    case C_RELEASE: return cudaGraphNodeTypeMemFree;
    case C_WRITE_VALUE:
    case C_WAIT_VALUE: return (enum cudaGraphNodeType)12; /* the driver's */
    default: return cudaGraphNodeTypeHost;
    }
}

int *graph_deps(const struct CUgraph_st *g, const cudaGraphNode_t *deps, const cudaGraphEdgeData *edges, size_t ndeps)
{
    bool good = is_graph(g) && (deps || !ndeps);
    for (size_t i = 0; good && i < ndeps; i++)
        good = deps[i] && deps[i]->graph == g && (!edges || edges[i].type <= cudaGraphDependencyTypeProgrammatic);
    if (!good)
        return NULL;
    int *list = malloc((ndeps + 1) * sizeof *list);
    if (!list)
        out_of_memory();
    for (size_t i = 0; i < ndeps; i++)
        list[i] = deps[i]->index;
    return list;
}
