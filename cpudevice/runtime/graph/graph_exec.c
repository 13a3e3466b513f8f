/* graph_exec.c: graphs are instantiated, changed and launched. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "device/call.h"
#include "stream/command.h"
#include "graph/conditional.h"
#include "cuda_runtime_api.h"
#include "graph/graph_exec.h"
#include "graph/graph_nodes.h"
#include "device/message.h"
#include "observe/observers.h"
#include "device/process.h"
#include "stream/queue.h"
#include "stream/stream.h"
#include "stream/stream_record.h"
#include "cpudev_must.h"

bool is_exec(const struct CUgraphExec_st *x) { return x && x->magic == EXEC_MAGIC; }

struct CUgraphNode_st *exec_node(const struct CUgraphExec_st *x, const struct CUgraphNode_st *n)
{
    for (int i = 0; is_exec(x) && n && i < x->places; i++)
        if (x->made[i] == n->made)
            return x->graph->nodes[x->place[i]];
    return NULL;
}

static void list_memory(struct CUgraphExec_st *x, struct CUgraph_st *origin)
{
    x->memory = calloc((size_t)x->graph->count + 1, sizeof *x->memory);
    if (!x->memory)
        out_of_memory();
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

/* What a condition's graph may not hold, anywhere in it. */
static bool body_ok(const struct CUgraph_st *flat)
{
    for (int i = 0; i < flat->count; i++) {
        const command *c = flat->nodes[i]->command;
        if (c && c->kind != C_KERNEL && c->kind != C_COPY && c->kind != C_SET && c->kind != C_CONDITIONAL)
            return false;
    }
    return true;
}

static bool bodies_ok(const struct CUgraph_st *flat)
{
    for (int i = 0; i < flat->count; i++) {
        const command *c = flat->nodes[i]->command;
        const conditional *k = c && c->kind == C_CONDITIONAL ? c->user : NULL;
        for (unsigned b = 0; k && b < k->size; b++)
            if (!body_ok(k->bodies[b]) || !bodies_ok(k->bodies[b]))
                return false;
    }
    return true;
}

static bool handles_used(const struct CUgraph_st *g)
{
    for (int i = 0; i < g->nhandles; i++)
        if (!g->handles[i]->used)
            return false;
    return true;
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
        message("cudaGraphInstantiate: a graph with memory nodes has one instance at a time");
        return cudaErrorNotSupported;
    }
    if (!handles_used(graph))
        return cudaErrorInvalidValue;
    struct CUgraphExec_st *x = calloc(1, sizeof *x);
    if (!x)
        return cudaErrorMemoryAllocation;
    x->magic = EXEC_MAGIC;
    x->flags = flags;
    x->graph = graph_flat_copy(graph, &x->place);
    x->places = graph->count;
    x->made = malloc(((size_t)graph->count + 1) * sizeof *x->made);
    if (!x->made)
        out_of_memory();
    for (int i = 0; i < graph->count; i++)
        x->made[i] = graph->nodes[i]->made;
    if (!bodies_ok(x->graph)) {
        message("cudaGraphInstantiate: a conditional node's graph can have only kernels, copies, memsets, child graphs "
                "and conditional nodes");
        graph_free(x->graph);
        free(x->place);
        free(x->made);
        free(x);
        return cudaErrorInvalidValue;
    }
    list_memory(x, graph);
    *exec = x;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    API;
    RESULT_AT(exec);
    RETURN(flags & cudaGraphInstantiateFlagUpload ? cudaErrorInvalidValue : instantiate(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    API;
    RESULT_AT(exec);
    RETURN(flags & cudaGraphInstantiateFlagUpload ? cudaErrorInvalidValue : instantiate(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *p)
{
    API;
    RESULT_AT(exec);
    if (!p)
        RETURN(cudaErrorInvalidValue);
    p->errNode_out = NULL;
    cudaError_t e = (p->flags & cudaGraphInstantiateFlagUpload) && !stream_of(p->uploadStream)
                        ? cudaErrorInvalidValue
                        : instantiate(exec, graph, p->flags);
    p->result_out = !e                                        ? cudaGraphInstantiateSuccess
                    : is_graph(graph) && !handles_used(graph) ? cudaGraphInstantiateConditionalHandleUnused
                                                              : cudaGraphInstantiateError;
    RETURN(e);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    API;
    RESULT_AT(flags);
    if (!is_exec(exec) || !flags)
        RETURN(cudaErrorInvalidValue);
    *flags = exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch; /* an H200 returns no other flag either */
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    API;
    if (!is_exec(exec))
        RETURN(cudaErrorInvalidValue);
    graph_free(exec->graph);
    free(exec->place);
    free(exec->made);
    free(exec->memory);
    if (exec->origin)
        exec->origin->instance = NULL;
    exec->magic = 0;
    free(exec);
    RETURN(cudaSuccess);
}

static bool same_topology(const struct CUgraph_st *a, const struct CUgraph_st *b);

static bool same_node(const struct CUgraphNode_st *a, const struct CUgraphNode_st *b)
{
    const command *c = a->command, *d = b->command;
    if (!c != !d || (c && c->kind != d->kind) || a->ndeps != b->ndeps ||
        (a->ndeps && memcmp(a->deps, b->deps, (size_t)a->ndeps * sizeof *a->deps)))
        return false;
    if (c && (c->kind == C_ALLOC || c->kind == C_RELEASE))
        return c->user == d->user;
    if (!c || c->kind != C_CONDITIONAL)
        return true;
    const conditional *k = c->user, *l = d->user;
    bool same = k->type == l->type && k->size == l->size;
    for (unsigned i = 0; same && i < k->size; i++)
        same = same_topology(k->bodies[i], l->bodies[i]);
    return same;
}

static bool same_topology(const struct CUgraph_st *a, const struct CUgraph_st *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = same_node(a->nodes[i], b->nodes[i]);
    return same;
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
    const bool same = exec->places == graph->count && same_topology(exec->graph, flat);
    free(place);
    for (int i = 0; same && i < flat->count; i++)
        flat->nodes[i]->disabled = exec->graph->nodes[i]->disabled;
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
        message("cudaGraphLaunch: a graph with memory nodes cannot be launched in a capture");
        s->capture_invalid = 1;
        RETURN(cudaErrorStreamCaptureUnsupported);
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
    command *first = assign_handles(g);
    if (first && (e = command_queue(first, s)))
        RETURN(e);
    command **copies;
    int **deps, *ndeps;
    copy_commands(g, &copies, &deps, &ndeps);
    e = graph_queue(copies, deps, ndeps, g->count, s);
    free(copies);
    free(deps);
    free(ndeps);
    RETURN(e);
}
