/* graph_nodes.c: a graph as it is kept. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "graph_nodes.h"
#include "command.h"
#include "graph_memory.h"

static bool of_memory(const command *c) { return c && (c->kind == C_ALLOC || c->kind == C_RELEASE); }

struct CUgraphNode_st *graph_add(struct CUgraph_st *g, command *c, const int *deps, int ndeps)
{
    if (g->count == g->cap) {
        int cap = g->cap ? g->cap * 2 : 16;
        struct CUgraphNode_st **nodes = realloc(g->nodes, (size_t)cap * sizeof *nodes);
        if (!nodes)
            abort();
        g->nodes = nodes;
        g->cap = cap;
    }
    struct CUgraphNode_st *n = calloc(1, sizeof *n);
    if (!n || (ndeps && !(n->deps = malloc((size_t)ndeps * sizeof *deps))))
        abort();
    if (ndeps)
        memcpy(n->deps, deps, (size_t)ndeps * sizeof *deps);
    n->ndeps = ndeps;
    n->graph = g;
    n->index = g->count;
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
        abort();
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
        abort();
    g->magic = GRAPH_MAGIC;
    return g;
}

void graph_free(struct CUgraph_st *g)
{
    for (int i = 0; i < g->count; i++) {
        if (of_memory(g->nodes[i]->command))
            graph_memory_let(g->nodes[i]->command->user);
        if (g->nodes[i]->command)
            command_free(g->nodes[i]->command);
        if (g->nodes[i]->child)
            graph_free(g->nodes[i]->child);
        free(g->nodes[i]->deps);
        free(g->nodes[i]);
    }
    free(g->nodes);
    if (g->instance)
        *g->instance = NULL;
    g->magic = 0;
    free(g);
}

struct CUgraph_st *graph_copy(const struct CUgraph_st *g)
{
    struct CUgraph_st *c = graph_new();
    for (int i = 0; i < g->count; i++) {
        const struct CUgraphNode_st *n = g->nodes[i];
        struct CUgraphNode_st *m = graph_add(c, n->command ? command_clone(n->command) : NULL, n->deps, n->ndeps);
        if (n->child) {
            m->child = graph_copy(n->child);
            m->child->inside = true;
        }
    }
    return c;
}

/* Copies g's nodes to the end of `flat`, the first of them behind deps; a child's come in its place, with an empty node
 * that follows all of them.  place[i] becomes the number that node i has there. */
static void flatten(struct CUgraph_st *flat, const struct CUgraph_st *g, const int *deps, int ndeps, int *place)
{
    for (int i = 0; i < g->count; i++) {
        const struct CUgraphNode_st *n = g->nodes[i];
        int k = n->ndeps ? n->ndeps : ndeps, *before = malloc((size_t)(k + 1) * sizeof *before);
        if (!before)
            abort();
        for (int d = 0; d < k; d++)
            before[d] = n->ndeps ? place[n->deps[d]] : deps[d];
        if (n->child && n->child->count) {
            int *inner = malloc((size_t)n->child->count * sizeof *inner);
            if (!inner)
                abort();
            flatten(flat, n->child, before, k, inner);
            place[i] = graph_add(flat, NULL, inner, n->child->count)->index;
            free(inner);
        } else
            place[i] = graph_add(flat, n->command ? command_clone(n->command) : NULL, before, k)->index;
        free(before);
    }
}

struct CUgraph_st *graph_flat_copy(const struct CUgraph_st *g, int **place)
{
    struct CUgraph_st *flat = graph_new();
    *place = malloc((size_t)(g->count + 1) * sizeof **place);
    if (!*place)
        abort();
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
        abort();
    for (size_t i = 0; i < ndeps; i++)
        list[i] = deps[i]->index;
    return list;
}
