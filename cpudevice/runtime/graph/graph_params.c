/* graph_params.c: nodes of graphs by their parameters: made, and changed, in a graph or in one that is instantiated. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>

#include "device/call.h"
#include "stream/command.h"
#include "graph/conditional.h"
#include "cuda_runtime_api.h"
#include "graph/graph_exec.h"
#include "graph/graph_nodes.h"
#include "device/message.h"

typedef struct cudaGraphNodeParams node_params;

static struct cudaKernelNodeParams kernel_params(const struct cudaKernelNodeParamsV2 *k)
{
    return (struct cudaKernelNodeParams){k->func,           k->gridDim,      k->blockDim,
                                         k->sharedMemBytes, k->kernelParams, k->extra};
}

static struct cudaMemsetParams memset_params(const struct cudaMemsetParamsV2 *m)
{
    return (struct cudaMemsetParams){m->dst, m->pitch, m->value, m->elementSize, m->width, m->height};
}

static cudaError_t add_child(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                             const struct cudaChildGraphNodeParams *p)
{
    if (p->ownership == cudaGraphChildGraphOwnershipClone)
        return cudaGraphAddChildGraphNode(node, graph, deps, ndeps, p->graph);
    if (p->ownership != cudaGraphChildGraphOwnershipMove || !is_graph(p->graph) || p->graph->inside ||
        p->graph == graph)
        return cudaErrorInvalidValue;
    int *list = graph_deps(graph, deps, NULL, ndeps);
    if (!list)
        return cudaErrorInvalidValue;
    *node = graph_add(graph, NULL, list, (int)ndeps);
    (*node)->child = p->graph;
    p->graph->inside = true;
    free(list);
    return cudaSuccess;
}

static cudaError_t add_conditional(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                                   struct cudaConditionalNodeParams *p)
{
    conditional_handle *h = handle_of(p->handle);
    const unsigned most = p->type == cudaGraphCondTypeIf ? 2 : p->type == cudaGraphCondTypeWhile ? 1 : 1u << 20;
    if (!h || h->used || (unsigned)p->type > cudaGraphCondTypeSwitch || !p->size || p->size > most)
        return cudaErrorInvalidValue;
    int *list = graph_deps(graph, deps, NULL, ndeps);
    if (!list)
        return cudaErrorInvalidValue;
    command *c = command_new(C_CONDITIONAL);
    conditional *k = c->user = conditional_new(h, p->type, p->size);
    h->used = true;
    *node = graph_add(graph, c, list, (int)ndeps);
    p->phGraph_out = k->bodies;
    free(list);
    return cudaSuccess;
}

static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                       node_params *p)
{
    switch (p->type) {
    case cudaGraphNodeTypeKernel: {
        const struct cudaKernelNodeParams k = kernel_params(&p->kernel);
        return cudaGraphAddKernelNode(node, graph, deps, ndeps, &k);
    }
    case cudaGraphNodeTypeMemcpy:
        return p->memcpy.flags ? cudaErrorInvalidValue
                               : cudaGraphAddMemcpyNode(node, graph, deps, ndeps, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
        const struct cudaMemsetParams m = memset_params(&p->memset);
        return cudaGraphAddMemsetNode(node, graph, deps, ndeps, &m);
    }
    case cudaGraphNodeTypeHost: {
        const struct cudaHostNodeParams h = {p->host.fn, p->host.userData};
        return cudaGraphAddHostNode(node, graph, deps, ndeps, &h);
    }
    case cudaGraphNodeTypeGraph: return add_child(node, graph, deps, ndeps, &p->graph);
    case cudaGraphNodeTypeMemAlloc: {
        struct cudaMemAllocNodeParams a = {p->alloc.poolProps, p->alloc.accessDescs, p->alloc.accessDescCount,
                                           p->alloc.bytesize, NULL};
        cudaError_t e = cudaGraphAddMemAllocNode(node, graph, deps, ndeps, &a);
        p->alloc.dptr = a.dptr;
        return e;
    }
    case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(node, graph, deps, ndeps, p->free.dptr);
    case cudaGraphNodeTypeConditional: return add_conditional(node, graph, deps, ndeps, &p->conditional);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, deps, ndeps);
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
        message("cudaGraphAddNode: event nodes and external semaphore nodes are not supported");
        return cudaErrorNotSupported;
    default: return cudaErrorInvalidValue;
    }
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                             const cudaGraphEdgeData *edges, size_t ndeps, struct cudaGraphNodeParams *p)
{
    API;
    RESULT_AT(node);
    int *list = node && p ? graph_deps(graph, deps, edges, ndeps) : NULL;
    if (!list)
        RETURN(cudaErrorInvalidValue);
    free(list);
    RETURN(add(node, graph, deps, ndeps, p));
}

static bool same_shape(const struct CUgraph_st *a, int from, const struct CUgraph_st *b)
{
    for (int i = 0; i < b->count; i++) {
        const struct CUgraphNode_st *x = a->nodes[from + i], *y = b->nodes[i];
        if (graph_node_type(x) != graph_node_type(y) || (y->ndeps && x->ndeps != y->ndeps))
            return false;
    }
    return true;
}

static void swap_commands(struct CUgraphNode_st *a, struct CUgraphNode_st *b)
{
    command *c = a->command;
    a->command = b->command;
    b->command = c;
}

/* In a flat graph a child's nodes stand before the node that follows them all, `end`. */
static cudaError_t replace_flat_child(struct CUgraph_st *g, int end, const struct CUgraph_st *child)
{
    if (!is_graph(child))
        return cudaErrorInvalidValue;
    int *place;
    struct CUgraph_st *flat = graph_flat_copy(child, &place);
    const int from = end - flat->count;
    const bool same = from >= 0 && g->nodes[end]->ndeps == flat->count && same_shape(g, from, flat);
    for (int i = 0; same && i < flat->count; i++)
        swap_commands(g->nodes[from + i], flat->nodes[i]);
    graph_free(flat);
    free(place);
    return same ? cudaSuccess : cudaErrorInvalidValue;
}

/* Another command in the place of the node of that number, or another graph in a child's place. */
static cudaError_t replace(struct CUgraph_st *g, int index, node_params *p, bool flat)
{
    struct CUgraphNode_st *n = g->nodes[index];
    if (flat && p->type == cudaGraphNodeTypeGraph)
        return replace_flat_child(g, index, p->graph.graph);
    if (graph_node_type(n) != p->type)
        return cudaErrorInvalidValue;
    if (p->type > cudaGraphNodeTypeEmpty) /* of memory and conditions */
        return cudaErrorNotSupported;
    struct CUgraph_st *other = graph_new();
    cudaGraphNode_t node = NULL;
    cudaError_t e = add(&node, other, NULL, 0, p);
    if (!e) {
        swap_commands(n, node);
        struct CUgraph_st *child = n->child;
        n->child = node->child;
        node->child = child;
    }
    graph_free(other);
    return e;
}

static cudaError_t change(cudaGraphNode_t node, node_params *p)
{
    return node && p ? replace(node->graph, node->index, p, false) : cudaErrorInvalidValue;
}

static cudaError_t change_exec(cudaGraphExec_t exec, cudaGraphNode_t node, node_params *p)
{
    const struct CUgraphNode_st *to = exec_node(exec, node);
    if (!to || !p || graph_node_type(node) != p->type)
        return cudaErrorInvalidValue;
    if (node->graph->inside) {
        message(
            "the nodes of a child graph are changed by new parameters for the child graph (cudaGraphNodeTypeGraph)");
        return cudaErrorNotSupported;
    }
    return replace(exec->graph, to->index, p, true);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    API;
    RETURN(change(node, p));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    API;
    RETURN(change_exec(exec, node, p));
}

static node_params of_kernel(const struct cudaKernelNodeParams *k)
{
    node_params p = {.type = cudaGraphNodeTypeKernel};
    p.kernel =
        (struct cudaKernelNodeParamsV2){k->func, k->gridDim, k->blockDim, k->sharedMemBytes, k->kernelParams, k->extra};
    return p;
}

static node_params of_memcpy(const struct cudaMemcpy3DParms *c)
{
    node_params p = {.type = cudaGraphNodeTypeMemcpy};
    p.memcpy.copyParams = *c;
    return p;
}

static node_params of_memset(const struct cudaMemsetParams *m)
{
    node_params p = {.type = cudaGraphNodeTypeMemset};
    p.memset = (struct cudaMemsetParamsV2){m->dst, m->pitch, m->value, m->elementSize, m->width, m->height};
    return p;
}

static node_params of_host(const struct cudaHostNodeParams *h)
{
    node_params p = {.type = cudaGraphNodeTypeHost};
    p.host = (struct cudaHostNodeParamsV2){h->fn, h->userData};
    return p;
}

/* NAME takes one kind of parameters, for a node and for a node of what is instantiated. */
#define SET_PARAMS(Kind, kind, type)                                                                                   \
    cudaError_t cudaGraph##Kind##NodeSetParams(cudaGraphNode_t node, const struct type *p)                             \
    {                                                                                                                  \
        API;                                                                                                           \
        if (!p)                                                                                                        \
            RETURN(cudaErrorInvalidValue);                                                                             \
        node_params all = of_##kind(p);                                                                                \
        RETURN(change(node, &all));                                                                                    \
    }                                                                                                                  \
    cudaError_t cudaGraphExec##Kind##NodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const struct type *p)   \
    {                                                                                                                  \
        API;                                                                                                           \
        if (!p)                                                                                                        \
            RETURN(cudaErrorInvalidValue);                                                                             \
        node_params all = of_##kind(p);                                                                                \
        RETURN(change_exec(exec, node, &all));                                                                         \
    }
SET_PARAMS(Kernel, kernel, cudaKernelNodeParams)
SET_PARAMS(Memcpy, memcpy, cudaMemcpy3DParms)
SET_PARAMS(Memset, memset, cudaMemsetParams)
SET_PARAMS(Host, host, cudaHostNodeParams)

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *src,
                                               size_t count, enum cudaMemcpyKind kind)
{
    API;
    struct cudaMemcpy3DParms c = {.kind = kind};
    c.srcPtr = make_cudaPitchedPtr((void *)src, count, count, 1);
    c.dstPtr = make_cudaPitchedPtr(dst, count, count, 1);
    c.extent = make_cudaExtent(count, 1, 1);
    node_params all = of_memcpy(&c);
    RETURN(change_exec(exec, node, &all));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child)
{
    API;
    node_params all = {.type = cudaGraphNodeTypeGraph};
    all.graph.graph = child;
    RETURN(change_exec(exec, node, &all));
}
