/* graph.c: graphs are made, node by node. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "device/call.h"
#include "stream/command.h"
#include "cuda_runtime_api.h"
#include "graph/graph_nodes.h"
#include "device/message.h"
#include "device/process.h"
#include "stream/stream_record.h"
#include "exec/thread.h"
#include "cpudev_must.h"

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    API;
    RESULT_AT(graph);
    if (!graph || flags)
        RETURN(cudaErrorInvalidValue);
    *graph = graph_new();
    RETURN(device_ready());
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    API;
    if (!is_graph(graph) || graph->inside)
        RETURN(cudaErrorInvalidValue);
    graph_free(graph);
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original)
{
    API;
    RESULT_AT(clone);
    if (!clone || !is_graph(original))
        RETURN(cudaErrorInvalidValue);
    if (graph_has_memory(original) || graph_has_conditions(original))
        RETURN(cudaErrorNotSupported);
    *clone = graph_copy(original);
    RETURN(cudaSuccess);
}

/* A stream that only captures: a command that is queued on it becomes a node of the graph. */
typedef struct {
    struct CUstream_st s;
    int before; /* how many nodes the graph had */
} catcher;

static cudaError_t catcher_open(catcher *k, cudaGraph_t g, const cudaGraphNode_t *deps, size_t ndeps)
{
    int *list = graph_deps(g, deps, NULL, ndeps);
    if (!list)
        return cudaErrorInvalidValue;
    memset(k, 0, sizeof *k);
    k->s.magic = STREAM_MAGIC;
    k->s.capture = g;
    k->before = g->count;
    set_deps(&k->s.capture_deps, &k->s.ncapture_deps, list, (int)ndeps);
    free(list);
    return cudaSuccess;
}

static cudaError_t catcher_close(catcher *k, cudaGraphNode_t *node, cudaError_t e)
{
    struct CUgraph_st *g = k->s.capture;
    free(k->s.capture_deps);
    if (!e && g->count == k->before) /* a copy or set of nothing */
        e = cudaErrorInvalidValue;
    if (e)
        return e;
    struct CUgraphNode_st *n = g->nodes[g->count - 1];
    if (node)
        *node = n;
    if (n->command)
        n->command->stream = NULL;
    return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps)
{
    API;
    RESULT_AT(node);
    catcher k;
    cudaError_t e = catcher_open(&k, graph, deps, ndeps);
    if (!e)
        graph_add(graph, NULL, k.s.capture_deps, k.s.ncapture_deps);
    RETURN(e ? e : catcher_close(&k, node, e));
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                                   const struct cudaKernelNodeParams *p)
{
    API;
    RESULT_AT(node);
    if (!p)
        RETURN(cudaErrorInvalidValue);
    if (p->extra && !p->kernelParams) {
        message("cudaGraphAddKernelNode: arguments are accepted as kernelParams only");
        RETURN(cudaErrorNotSupported);
    }
    catcher k;
    cudaError_t e = catcher_open(&k, graph, deps, ndeps);
    if (e)
        RETURN(e);
    e = cudaLaunchKernel(p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, &k.s);
    RETURN(catcher_close(&k, node, e));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                                   const struct cudaMemcpy3DParms *p)
{
    API;
    RESULT_AT(node);
    catcher k;
    cudaError_t e = catcher_open(&k, graph, deps, ndeps);
    if (e)
        RETURN(e);
    e = cudaMemcpy3DAsync(p, &k.s);
    RETURN(catcher_close(&k, node, e));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                     size_t ndeps, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    API;
    RESULT_AT(node);
    catcher k;
    cudaError_t e = count ? catcher_open(&k, graph, deps, ndeps) : cudaErrorInvalidValue;
    if (e)
        RETURN(e);
    e = cudaMemcpyAsync(dst, src, count, kind, &k.s);
    RETURN(catcher_close(&k, node, e));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                                   const struct cudaMemsetParams *p)
{
    API;
    RESULT_AT(node);
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        RETURN(cudaErrorInvalidValue);
    catcher k;
    cudaError_t e = catcher_open(&k, graph, deps, ndeps);
    if (e)
        RETURN(e);
    const unsigned ones = p->elementSize == 4 ? 0x01010101u : p->elementSize == 2 ? 0x0101u : 1, byte = p->value & 255;
    const size_t width = p->width * p->elementSize;
    e = cudaMemset2DAsync(p->dst, p->height > 1 ? p->pitch : width, (int)byte, width, p->height, &k.s);
    cudaGraphNode_t added = NULL;
    e = catcher_close(&k, &added, e);
    if (!e) {
        added->command->copy.asked_element = p->elementSize;
        added->command->copy.asked_value = p->value;
    }
    if (!e && (p->value & ones * 255) != byte * ones) { /* the bytes differ */
        added->command->copy.value = (int)p->value;
        added->command->copy.element = p->elementSize;
    }
    if (!e && node)
        *node = added;
    RETURN(e);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                                 const struct cudaHostNodeParams *p)
{
    API;
    RESULT_AT(node);
    if (!p)
        RETURN(cudaErrorInvalidValue);
    catcher k;
    cudaError_t e = catcher_open(&k, graph, deps, ndeps);
    if (e)
        RETURN(e);
    e = cudaLaunchHostFunc(&k.s, p->fn, p->userData);
    RETURN(catcher_close(&k, node, e));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                       size_t ndeps, cudaGraph_t child)
{
    API;
    RESULT_AT(node);
    catcher k;
    cudaError_t e = is_graph(child) ? catcher_open(&k, graph, deps, ndeps) : cudaErrorInvalidValue;
    if (e)
        RETURN(e);
    if (graph_has_memory(child))
        RETURN(catcher_close(&k, node, cudaErrorNotSupported));
    struct CUgraph_st *copy = graph_copy(child);
    copy->inside = true;
    graph_add(graph, NULL, k.s.capture_deps, k.s.ncapture_deps)->child = copy;
    RETURN(catcher_close(&k, node, e));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph)
{
    API;
    RESULT_AT(graph);
    if (!node || !node->child || !graph)
        RETURN(cudaErrorInvalidValue);
    *graph = node->child;
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edges, size_t count)
{
    API;
    (void)edges;
    if (!is_graph(graph))
        RETURN(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        if (from[i]->graph != graph || to[i]->graph != graph)
            RETURN(cudaErrorInvalidValue);
        if (from[i]->index >= to[i]->index) {
            message("cudaGraphAddDependencies: a node may only depend on nodes made before it");
            RETURN(cudaErrorNotSupported);
        }
        struct CUgraphNode_st *n = to[i];
        int *deps = realloc(n->deps, (size_t)(n->ndeps + 1) * sizeof *deps);
        if (!deps)
            out_of_memory();
        n->deps = deps;
        n->deps[n->ndeps++] = from[i]->index;
    }
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    API;
    RESULT_AT(count);
    if (!is_graph(graph) || !count)
        RETURN(cudaErrorInvalidValue);
    if (nodes) {
        size_t n = *count < (size_t)graph->count ? *count : (size_t)graph->count;
        for (size_t i = 0; i < n; i++)
            nodes[i] = graph->nodes[i];
    }
    *count = (size_t)graph->count;
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    API;
    RESULT_AT(type);
    if (!node || !type)
        RETURN(cudaErrorInvalidValue);
    *type = graph_node_type(node);
    RETURN(cudaSuccess);
}
