/* graph_exec.c: graphs are instantiated, changed and launched. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "command.h"
#include "cuda_runtime_api.h"
#include "graph_exec.h"
#include "graph_nodes.h"
#include "message.h"
#include "observers.h"
#include "process.h"
#include "queue.h"
#include "stream.h"
#include "stream_record.h"

bool is_exec(const struct CUgraphExec_st *x) { return x && x->magic == EXEC_MAGIC; }

static void list_memory(struct CUgraphExec_st *x, struct CUgraph_st *origin)
{
    x->memory = calloc((size_t)x->graph->count + 1, sizeof *x->memory);
    if (!x->memory)
        abort();
    for (int i = 0; i < x->graph->count; i++) {
        const command *c = x->graph->nodes[i]->command;
        if (c && (c->kind == C_ALLOC || c->kind == C_RELEASE))
            x->memory[x->nmemory++] = (graph_memory_step){c->user, c->kind == C_ALLOC};
    }
    if (!x->nmemory)
        return;
    x->origin = origin;
    origin->instance = &x->origin;
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    if (!exec || !is_graph(graph) || flags & ~15ull)
        return cudaErrorInvalidValue;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
        message("cudaGraphInstantiate: kernels do not launch graphs (cudaGraphInstantiateFlagDeviceLaunch)");
        return cudaErrorNotSupported;
    }
    if (graph->instance) {
        message("cudaGraphInstantiate: a graph with nodes of memory has one instance at a time");
        return cudaErrorNotSupported;
    }
    struct CUgraphExec_st *x = calloc(1, sizeof *x);
    if (!x)
        return cudaErrorMemoryAllocation;
    x->magic = EXEC_MAGIC;
    x->flags = flags;
    x->graph = graph_flat_copy(graph, &x->place);
    x->places = graph->count;
    list_memory(x, graph);
    *exec = x;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    API;
    RETURN(flags & cudaGraphInstantiateFlagUpload ? cudaErrorInvalidValue : instantiate(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    API;
    RETURN(flags & cudaGraphInstantiateFlagUpload ? cudaErrorInvalidValue : instantiate(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *p)
{
    API;
    if (!p)
        RETURN(cudaErrorInvalidValue);
    p->errNode_out = NULL;
    cudaError_t e = (p->flags & cudaGraphInstantiateFlagUpload) && !stream_of(p->uploadStream)
                        ? cudaErrorInvalidValue
                        : instantiate(exec, graph, p->flags);
    p->result_out = e ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
    RETURN(e);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    API;
    if (!is_exec(exec) || !flags)
        RETURN(cudaErrorInvalidValue);
    *flags = exec->flags;
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    API;
    if (!is_exec(exec))
        RETURN(cudaErrorInvalidValue);
    graph_free(exec->graph);
    free(exec->place);
    free(exec->memory);
    if (exec->origin)
        exec->origin->instance = NULL;
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
               (!a->command || a->command->kind != C_ALLOC || a->command->user == b->command->user) &&
               (!a->command || a->command->kind != C_RELEASE || a->command->user == b->command->user) &&
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

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    API;
    RETURN(is_exec(exec) && stream_of(stream) ? cudaSuccess : cudaErrorInvalidValue);
}

/* A launch that frees what the one before has left does so in the stream's order. */
static cudaError_t launch_memory(struct CUgraphExec_st *x, struct CUstream_st *s)
{
    for (int i = 0; x->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch && i < x->nmemory; i++)
        if (x->memory[i].allocates && graph_memory_launch_frees(x->memory[i].p, s->id)) {
            command *c = command_new(C_RELEASE);
            c->user = x->memory[i].p;
            cudaError_t e = command_queue(c, s);
            if (e)
                return e;
        }
    return graph_memory_launch(x->memory, x->nmemory, s->id);
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
    if (s->capture && exec->nmemory) {
        message("cudaGraphLaunch: a graph with nodes of memory is not launched in a capture");
        RETURN(cudaErrorNotSupported);
    }
    if (s->capture) {
        struct CUgraphNode_st *n = graph_add(s->capture, NULL, s->capture_deps, s->ncapture_deps);
        n->child = graph_copy(g);
        n->child->inside = true;
        set_deps(&s->capture_deps, &s->ncapture_deps, &n->index, 1);
        RETURN(cudaSuccess);
    }
    if (exec->nmemory && (e = launch_memory(exec, s)))
        RETURN(e);
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
