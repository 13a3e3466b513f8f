/* graph_memory_nodes.c: nodes that allocate and free memory. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph_memory_nodes.h"
#include "device/call.h"
#include "stream/command.h"
#include "graph/graph_memory.h"
#include "observe/observers.h"
#include "device/process.h"

/* The last node of g that allocates or frees p, or NULL. */
static const struct CUgraphNode_st *last_of(const struct CUgraph_st *g, const void *p)
{
    for (int i = g->count - 1; i >= 0; i--) {
        const command *c = g->nodes[i]->command;
        if (c && (c->kind == C_ALLOC || c->kind == C_RELEASE) && c->user == p)
            return g->nodes[i];
    }
    return NULL;
}

/* An address of that size that a forebear of a node behind deps has freed last, or NULL. An observer that keeps the
 * memory tells one allocation from another by the address. */
static void *freed_before(const struct CUgraph_st *g, const int *deps, int ndeps, size_t bytes)
{
    void *found = NULL;
    bool *before = ASK(alloc) ? NULL : calloc((size_t)g->count + 1, 1);
    for (int i = 0; before && i < ndeps; i++)
        before[deps[i]] = true;
    for (int i = g->count - 1; before && i >= 0 && !found; i--) {
        const struct CUgraphNode_st *n = g->nodes[i];
        size_t size = 0;
        for (int k = 0; before[i] && k < n->ndeps; k++)
            before[n->deps[k]] = true;
        if (before[i] && n->command && n->command->kind == C_RELEASE && last_of(g, n->command->user) == n &&
            is_graph_memory(n->command->user, &size) && size == bytes)
            found = n->command->user;
    }
    free(before);
    /* not another graph's, which only frees it */
    for (int i = 0; found && i < g->count; i++) {
        const command *c = g->nodes[i]->command;
        if (c && c->user == found && c->kind == C_ALLOC)
            return found;
    }
    return NULL;
}

cudaError_t graph_add_alloc(struct CUgraph_st *g, const int *deps, int ndeps, size_t bytes, void **p)
{
    if (!p || !bytes)
        return cudaErrorInvalidValue;
    void *address = freed_before(g, deps, ndeps, bytes);
    cudaError_t e = address ? cudaSuccess : graph_memory_new(&address, bytes);
    if (e)
        return e;
    command *c = command_new(C_ALLOC);
    c->user = *p = address;
    c->copy.width = bytes;
    graph_add(g, c, deps, ndeps);
    return cudaSuccess;
}

cudaError_t graph_add_free(struct CUgraph_st *g, const int *deps, int ndeps, void *p)
{
    const struct CUgraphNode_st *last = last_of(g, p);
    if (!is_graph_memory(p, NULL) || (last && last->command->kind == C_RELEASE))
        return cudaErrorInvalidValue;
    command *c = command_new(C_RELEASE);
    c->user = p;
    graph_add(g, c, deps, ndeps);
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                     size_t ndeps, struct cudaMemAllocNodeParams *p)
{
    API;
    RESULT_AT(node);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!node || !p || p->poolProps.allocType != cudaMemAllocationTypePinned || p->poolProps.handleTypes ||
        p->poolProps.location.type != cudaMemLocationTypeDevice || p->poolProps.location.id != 0)
        RETURN(cudaErrorInvalidValue);
    for (size_t i = 0; i < p->accessDescCount; i++)
        if (!p->accessDescs || p->accessDescs[i].location.type != cudaMemLocationTypeDevice ||
            p->accessDescs[i].location.id != 0)
            RETURN(cudaErrorInvalidValue);
    int *list = graph_deps(graph, deps, NULL, ndeps);
    if (!list)
        RETURN(cudaErrorInvalidValue);
    e = graph_add_alloc(graph, list, (int)ndeps, p->bytesize, &p->dptr);
    free(list);
    if (!e)
        *node = graph->nodes[graph->count - 1];
    RETURN(e);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                                    void *dptr)
{
    API;
    RESULT_AT(node);
    int *list = node ? graph_deps(graph, deps, NULL, ndeps) : NULL;
    if (!list)
        RETURN(cudaErrorInvalidValue);
    cudaError_t e = graph_add_free(graph, list, (int)ndeps, dptr);
    free(list);
    if (!e)
        *node = graph->nodes[graph->count - 1];
    RETURN(e);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *p)
{
    API;
    RESULT_AT(p);
    if (!node || !p || graph_node_type(node) != cudaGraphNodeTypeMemAlloc)
        RETURN(cudaErrorInvalidValue);
    memset(p, 0, sizeof *p);
    p->poolProps.allocType = cudaMemAllocationTypePinned;
    p->poolProps.location.type = cudaMemLocationTypeDevice;
    p->bytesize = node->command->copy.width;
    p->dptr = node->command->user;
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out)
{
    API;
    if (!node || !dptr_out || graph_node_type(node) != cudaGraphNodeTypeMemFree)
        RETURN(cudaErrorInvalidValue);
    *(void **)dptr_out = node->command->user;
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    API;
    cudaError_t e = device_ready();
    if (!e && !device)
        graph_memory_trim();
    RETURN(device ? cudaErrorInvalidDevice : e);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    API;
    if (device)
        RETURN(cudaErrorInvalidDevice);
    if (!value || (unsigned)attr > cudaGraphMemAttrReservedMemHigh)
        RETURN(cudaErrorInvalidValue);
    const uint64_t bytes =
        graph_memory_used(attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh);
    memcpy(value, &bytes, sizeof bytes);
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    API;
    if (device)
        RETURN(cudaErrorInvalidDevice);
    uint64_t zero = 1;
    if (value)
        memcpy(&zero, value, sizeof zero);
    if (zero || (attr != cudaGraphMemAttrUsedMemHigh && attr != cudaGraphMemAttrReservedMemHigh))
        RETURN(cudaErrorInvalidValue); /* a high mark can be set back, no more */
    graph_memory_used_reset();
    RETURN(cudaSuccess);
}
