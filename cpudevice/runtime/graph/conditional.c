/* conditional.c: nodes of a graph that run one of their own graphs, or none, or one until a value is 0. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "graph/conditional.h"
#include "device/call.h"
#include "cuda_runtime_api.h"
#include "memory/memory.h"
#include "device/message.h"
#include "observe/observers.h"
#include "stream/queue.h"
#include "stream/scheduler.h"
#include "exec/thread.h"
#include "cpudev_must.h"

typedef struct handle_list {
    int n;
    conditional_handle *list[];
} handle_list;

/* Appends the handles of g and of the graphs in its conditional nodes. */
static handle_list *collect(handle_list *h, const struct CUgraph_st *g)
{
    h = realloc(h, sizeof *h + ((size_t)h->n + (size_t)g->nhandles) * sizeof *h->list);
    if (!h)
        out_of_memory();
    for (int i = 0; i < g->nhandles; i++)
        if (g->handles[i]->assigned)
            h->list[h->n++] = handle_hold(g->handles[i]);
    for (int i = 0; i < g->count; i++) {
        const command *c = g->nodes[i]->command;
        const conditional *k = c && c->kind == C_CONDITIONAL ? c->user : NULL;
        for (unsigned b = 0; k && b < k->size; b++)
            h = collect(h, k->bodies[b]);
    }
    return h;
}

command *assign_handles(const struct CUgraph_st *flat)
{
    handle_list *h = calloc(1, sizeof *h);
    if (!h)
        out_of_memory();
    h = collect(h, flat);
    if (!h->n) {
        free(h);
        return NULL;
    }
    command *c = command_new(C_ASSIGN);
    c->user = h;
    return c;
}

void copy_commands(const struct CUgraph_st *flat, command ***copies, int ***deps, int **ndeps)
{
    const size_t n = (size_t)flat->count + 1;
    *copies = malloc(n * sizeof **copies);
    *deps = malloc(n * sizeof **deps);
    *ndeps = malloc(n * sizeof **ndeps);
    if (!*copies || !*deps || !*ndeps)
        out_of_memory();
    for (int i = 0; i < flat->count; i++) {
        const struct CUgraphNode_st *node = flat->nodes[i];
        command *c = node->command && !node->disabled ? command_clone(node->command) : command_new(C_MARKER);
        if (c->kind == C_CONDITIONAL)
            conditional_hold(c->user);
        c->correlation = current_correlation;
        (*copies)[i] = c;
        (*deps)[i] = node->deps;
        (*ndeps)[i] = node->ndeps;
    }
}

/* The graph that the value chooses, or NULL. */
static struct CUgraph_st *chosen(const conditional *k)
{
    const unsigned value = __atomic_load_n(&k->handle->value, __ATOMIC_SEQ_CST);
    switch (k->type) {
    case cudaGraphCondTypeIf: return value ? k->bodies[0] : k->size == 2 ? k->bodies[1] : NULL;
    case cudaGraphCondTypeWhile: return value ? k->bodies[0] : NULL;
    default: return value < k->size ? k->bodies[value] : NULL;
    }
}

static void run_body(const struct CUgraph_st *flat, command *below)
{
    command **copies;
    int **deps, *ndeps;
    copy_commands(flat, &copies, &deps, &ndeps);
    graph_queue_below(copies, deps, ndeps, flat->count, below);
    free(copies);
    free(deps);
    free(ndeps);
}

void conditional_run(command *c)
{
    if (c->kind == C_ASSIGN) {
        handle_list *h = c->user;
        for (int i = 0; i < h->n; i++) {
            __atomic_store_n(&h->list[i]->value, h->list[i]->initial, __ATOMIC_SEQ_CST);
            handle_let(h->list[i]);
        }
        free(h);
        return;
    }
    conditional *k = c->user;
    const struct CUgraph_st *body = chosen(k);
    c->family.again = body && k->type == cudaGraphCondTypeWhile;
    if (body)
        run_body(body, c);
}

void conditional_over(command *c)
{
    if (c->kind == C_CONDITIONAL)
        conditional_let(c->user);
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int defaultLaunchValue, unsigned int flags)
{
    API;
    RESULT_AT(handle);
    if (!handle || !is_graph(graph) || flags > cudaGraphCondAssignDefault)
        RETURN(cudaErrorInvalidValue);
    conditional_handle *h = graph_add_handle(graph, NULL);
    h->initial = h->value = defaultLaunchValue;
    h->assigned = flags == cudaGraphCondAssignDefault;
    *handle = (uintptr_t)h;
    RETURN(cudaSuccess);
}

conditional_handle *handle_of(cudaGraphConditionalHandle handle)
{
    conditional_handle *h = (void *)(uintptr_t)handle;
    return h && region_of(h) == R_NONE && handle_ok(h) && h->magic == HANDLE_MAGIC ? h : NULL;
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value)
{
    conditional_handle *h = handle_of(handle);
    if (h) {
        __atomic_store_n(&h->value, value, __ATOMIC_SEQ_CST);
        return;
    }
    char place[512] = "the host";
    if (cpudev_on_device())
        describe_place(place, sizeof place);
    message("cudaGraphSetConditional: %llu is not a handle of a graph: %s", handle, place);
    if (cpudev_on_device())
        fail_kernel(cudaErrorLaunchFailure);
}
