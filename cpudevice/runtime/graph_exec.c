/* graph_exec.c: graphs are instantiated, changed and launched. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "command.h"
#include "cuda_runtime_api.h"
#include "graph_nodes.h"
#include "message.h"
#include "observers.h"
#include "process.h"
#include "queue.h"
#include "stream.h"
#include "stream_record.h"

struct CUgraphExec_st {
    unsigned magic;
    struct CUgraph_st *graph; /* its own copy, children's nodes in their places */
    int *place;               /* there, of each node of the graph that it was made from */
    int places;
};

enum { EXEC_MAGIC = 0x45786563 };

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    API;
    (void)flags;
    if (!exec || !is_graph(graph))
        RETURN(cudaErrorInvalidValue);
    struct CUgraphExec_st *x = calloc(1, sizeof *x);
    if (!x)
        RETURN(cudaErrorMemoryAllocation);
    x->magic = EXEC_MAGIC;
    x->graph = graph_flat_copy(graph, &x->place);
    x->places = graph->count;
    *exec = x;
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    API;
    return call_.status = cudaGraphInstantiate(exec, graph, flags);
}

static bool is_exec(cudaGraphExec_t x) { return x && x->magic == EXEC_MAGIC; }

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    API;
    if (!is_exec(exec))
        RETURN(cudaErrorInvalidValue);
    graph_free(exec->graph);
    free(exec->place);
    exec->magic = 0;
    free(exec);
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    API;
    if (!is_exec(exec) || !is_graph(graph))
        RETURN(cudaErrorInvalidValue);
    if (info)
        memset(info, 0, sizeof *info);
    int *place;
    struct CUgraph_st *flat = graph_flat_copy(graph, &place);
    bool same = exec->graph->count == flat->count && exec->places == graph->count;
    for (int i = 0; same && i < flat->count; i++) {
        struct CUgraphNode_st *a = exec->graph->nodes[i], *b = flat->nodes[i];
        same = !a->command == !b->command && (!a->command || a->command->kind == b->command->kind) &&
               a->ndeps == b->ndeps && (a->ndeps == 0 || !memcmp(a->deps, b->deps, (size_t)a->ndeps * sizeof *a->deps));
    }
    free(place);
    graph_free(same ? exec->graph : flat);
    if (!same) {
        if (info)
            info->result = cudaGraphExecUpdateErrorTopologyChanged;
        RETURN(cudaErrorGraphExecUpdateFailure);
    }
    exec->graph = flat;
    RETURN(cudaSuccess);
}

/* Another launch in the place of the node of that number. */
static cudaError_t replace_kernel(struct CUgraph_st *g, int index, const struct cudaKernelNodeParams *p)
{
    if (index >= g->count || !g->nodes[index]->command || g->nodes[index]->command->kind != C_KERNEL)
        return cudaErrorInvalidValue;
    struct CUgraph_st *other = graph_new();
    cudaGraphNode_t node = NULL;
    cudaError_t e = cudaGraphAddKernelNode(&node, other, NULL, 0, p);
    if (!e) {
        command *c = node->command;
        node->command = g->nodes[index]->command;
        g->nodes[index]->command = c;
    }
    graph_free(other);
    return e;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    API;
    RETURN(node ? replace_kernel(node->graph, node->index, p) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *p)
{
    API;
    if (!is_exec(exec) || !node || node->index >= exec->places)
        RETURN(cudaErrorInvalidValue);
    if (node->graph->inside) {
        message("cudaGraphExecKernelNodeSetParams: not for a node of a child graph");
        RETURN(cudaErrorNotSupported);
    }
    RETURN(replace_kernel(exec->graph, exec->place[node->index], p));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    API;
    RETURN(is_exec(exec) && stream_of(stream) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!is_exec(exec) || !s)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    struct CUgraph_st *g = exec->graph;
    if (s->capture) {
        struct CUgraphNode_st *n = graph_add(s->capture, NULL, s->capture_deps, s->ncapture_deps);
        n->child = graph_copy(g);
        n->child->inside = true;
        set_deps(&s->capture_deps, &s->ncapture_deps, &n->index, 1);
        RETURN(cudaSuccess);
    }
    command **copies = malloc((size_t)(g->count + 1) * sizeof *copies);
    int **deps = malloc((size_t)(g->count + 1) * sizeof *deps);
    int *ndeps = malloc((size_t)(g->count + 1) * sizeof *ndeps);
    if (!copies || !deps || !ndeps)
        abort();
    for (int i = 0; i < g->count; i++) {
        copies[i] = g->nodes[i]->command ? command_clone(g->nodes[i]->command) : command_new(C_MARKER);
        copies[i]->correlation = current_correlation;
        deps[i] = g->nodes[i]->deps;
        ndeps[i] = g->nodes[i]->ndeps;
    }
    e = graph_queue(copies, deps, ndeps, g->count, s);
    free(copies);
    free(deps);
    free(ndeps);
    RETURN(e);
}
