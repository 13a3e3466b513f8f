/* graph_query.c: what graphs and their nodes are: edges, parameters, copies; nodes and edges taken out; nodes switched off. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "device/call.h"
#include "device/message.h"
#include "graph/graph_exec.h"
#include "graph/graph_nodes.h"
#include "stream/command.h"

static bool is_node(const struct CUgraphNode_st *n) { return n && is_graph(n->graph); }

static bool follows(const struct CUgraphNode_st *n, int before)
{
    for (int d = 0; d < n->ndeps; d++)
        if (n->deps[d] == before)
            return true;
    return false;
}

/* A list for the caller: of which *room entries are there, and *room becomes the number of those that are used. */
typedef struct {
    cudaGraphNode_t *node, *other;
    cudaGraphEdgeData *edge;
    size_t room, n;
} list;

static void list_add(list *l, cudaGraphNode_t node, cudaGraphNode_t other)
{
    if (l->node && l->n < l->room) {
        l->node[l->n] = node;
        if (l->other)
            l->other[l->n] = other;
        if (l->edge)
            l->edge[l->n] = (cudaGraphEdgeData){0};
    }
    l->n++;
}

static void list_end(list *l, size_t *count)
{
    for (size_t i = l->n; l->node && i < l->room; i++) {
        l->node[i] = NULL;
        if (l->other)
            l->other[i] = NULL;
    }
    *count = l->node && l->n > l->room ? l->room : l->n;
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    API;
    if (!is_graph(graph) || !count)
        RETURN(cudaErrorInvalidValue);
    list l = {.node = nodes, .room = *count};
    for (int i = 0; i < graph->count; i++)
        if (!graph->nodes[i]->ndeps)
            list_add(&l, graph->nodes[i], NULL);
    list_end(&l, count);
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges,
                              size_t *count)
{
    API;
    if (!is_graph(graph) || !count || !from != !to)
        RETURN(cudaErrorInvalidValue);
    list l = {.node = from, .other = to, .edge = edges, .room = *count};
    for (int i = 0; i < graph->count; i++)
        for (int d = 0; d < graph->nodes[i]->ndeps; d++)
            list_add(&l, graph->nodes[graph->nodes[i]->deps[d]], graph->nodes[i]);
    list_end(&l, count);
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *deps, cudaGraphEdgeData *edges,
                                         size_t *count)
{
    API;
    if (!is_node(node) || !count)
        RETURN(cudaErrorInvalidValue);
    list l = {.node = deps, .edge = edges, .room = *count};
    for (int d = 0; d < node->ndeps; d++)
        list_add(&l, node->graph->nodes[node->deps[d]], NULL);
    list_end(&l, count);
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges,
                                           size_t *count)
{
    API;
    if (!is_node(node) || !count)
        RETURN(cudaErrorInvalidValue);
    list l = {.node = nodes, .edge = edges, .room = *count};
    for (int i = node->index + 1; i < node->graph->count; i++)
        if (follows(node->graph->nodes[i], node->index))
            list_add(&l, node->graph->nodes[i], NULL);
    list_end(&l, count);
    RETURN(cudaSuccess);
}

/* CUDA takes nothing out of a graph with memory either. */
static cudaError_t may_take_out(const struct CUgraph_st *g)
{
    if (!g->capturing && !graph_has_memory(g))
        return cudaSuccess;
    message("nodes and edges cannot be taken out of a graph that is being captured into, or that has memory nodes");
    return cudaErrorNotSupported;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    API;
    if (!is_node(node))
        RETURN(cudaErrorInvalidValue);
    cudaError_t e = may_take_out(node->graph);
    if (!e)
        graph_remove(node);
    RETURN(e);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edges, size_t n)
{
    API;
    (void)edges;
    if (!is_graph(graph) || (n && (!from || !to)))
        RETURN(cudaErrorInvalidValue);
    cudaError_t e = may_take_out(graph);
    for (size_t i = 0; !e && i < n; i++)
        if (!is_node(from[i]) || !is_node(to[i]) || from[i]->graph != graph || to[i]->graph != graph ||
            !follows(to[i], from[i]->index))
            e = cudaErrorInvalidValue;
    for (size_t i = 0; !e && i < n; i++)
        remove_dep(to[i], from[i]->index);
    RETURN(e);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t clone)
{
    API;
    RESULT_AT(node);
    if (!node || !is_node(original) || !is_graph(clone) || clone->original != original->graph)
        RETURN(cudaErrorInvalidValue);
    for (int i = 0; i < clone->count; i++)
        if (clone->nodes[i]->made == original->made) {
            *node = clone->nodes[i];
            RETURN(cudaSuccess);
        }
    RETURN(cudaErrorInvalidValue);
}

/* ---- parameters ---- */

/* The node's command if it is of that kind. */
static const command *command_of(const struct CUgraphNode_st *n, command_kind kind)
{
    return is_node(n) && n->command && n->command->kind == kind ? n->command : NULL;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
    API;
    const command *c = command_of(node, C_KERNEL);
    if (!c || !params)
        RETURN(cudaErrorInvalidValue);
    if (!c->kept) {
        message(
            "cudaGraphKernelNodeGetParams: only for kernels in files that call it, whose arguments are plain bytes");
        RETURN(cudaErrorNotSupported);
    }
    void *function;
    memcpy(&function, &c->kept->function, sizeof function);
    *params = (struct cudaKernelNodeParams){.func = function,
                                            .gridDim = c->grid,
                                            .blockDim = c->block,
                                            .sharedMemBytes = (unsigned)c->shared,
                                            .kernelParams = c->kept->arguments};
    RETURN(cudaSuccess);
}

/* Of a copy from or to an array the memory that it has, as it lies. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params)
{
    API;
    const command *c = command_of(node, C_COPY);
    if (!c || !params)
        RETURN(cudaErrorInvalidValue);
    const struct command_copy *k = &c->copy;
    const size_t slices = k->dslice || k->sslice ? k->depth : 1; /* one row over itself is done in two turns (copy.c) */
    const size_t dpitch = k->dpitch ? k->dpitch : k->width, spitch = k->spitch ? k->spitch : k->width;
    *params = (struct cudaMemcpy3DParms){.kind = k->kind};
    params->srcPtr =
        make_cudaPitchedPtr((void *)(uintptr_t)k->src, spitch, k->width, k->sslice ? k->sslice / spitch : k->height);
    params->dstPtr = make_cudaPitchedPtr(k->dst, dpitch, k->width, k->dslice ? k->dslice / dpitch : k->height);
    params->extent = make_cudaExtent(k->width, k->height, slices);
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params)
{
    API;
    const command *c = command_of(node, C_SET);
    if (!c || !params)
        RETURN(cudaErrorInvalidValue);
    const struct command_copy *k = &c->copy;
    const unsigned element = k->asked_element ? k->asked_element : k->element ? (unsigned)k->element : 1;
    const unsigned value = k->asked_element ? k->asked_value
                           : k->element     ? (unsigned)k->value
                                            : (unsigned)k->value & 255;
    *params = (struct cudaMemsetParams){k->dst, k->dpitch, value, element, k->width / element, k->height};
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params)
{
    API;
    const command *c = command_of(node, C_HOST);
    if (!c || !params)
        RETURN(cudaErrorInvalidValue);
    *params = (struct cudaHostNodeParams){c->fn, c->user};
    RETURN(cudaSuccess);
}

/* ---- switched off ---- */

static struct CUgraphNode_st *switchable(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    struct CUgraphNode_st *n = is_node(node) ? exec_node(exec, node) : NULL;
    return n && !node->child && n->command && graph_node_type(n) <= cudaGraphNodeTypeMemset ? n : NULL;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled)
{
    API;
    struct CUgraphNode_st *n = switchable(exec, node);
    if (n)
        n->disabled = !enabled;
    RETURN(n ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled)
{
    API;
    const struct CUgraphNode_st *n = switchable(exec, node);
    if (!n || !enabled)
        RETURN(cudaErrorInvalidValue);
    *enabled = !n->disabled;
    RETURN(cudaSuccess);
}

/* ---- a drawing ---- */

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    static const char *const types[] = {"KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY"};
    API;
    (void)flags;
    FILE *f = is_graph(graph) && path ? fopen(path, "w") : NULL;
    if (!f)
        RETURN(cudaErrorInvalidValue);
    fputs("digraph{\n", f);
    for (int i = 0; i < graph->count; i++) {
        const struct CUgraphNode_st *n = graph->nodes[i];
        const enum cudaGraphNodeType type = graph_node_type(n);
        fprintf(f, "\"node_%d\" [label=\"%d\\n%s%s%s\"];\n", i, i,
                (size_t)type < sizeof types / sizeof *types ? types[type] : "OTHER",
                n->command && n->command->kernel ? "\\n" : "",
                n->command && n->command->kernel ? n->command->kernel->name : "");
    }
    for (int i = 0; i < graph->count; i++)
        for (int d = 0; d < graph->nodes[i]->ndeps; d++)
            fprintf(f, "\"node_%d\" -> \"node_%d\";\n", graph->nodes[i]->deps[d], i);
    fputs("}\n", f);
    RETURN(fclose(f) ? cudaErrorOperatingSystem : cudaSuccess);
}
