/* graph.c: stream capture and graphs.
 *
 * A node holds a command that is never queued itself: a launch of the graph queues a copy of each, with the graph's
 * dependencies (graph_queue in sched.c).  Nodes are kept in the order of their making, and a node depends only on
 * earlier ones, so that order can be used as it is.  Memory that is allocated during a capture is allocated at once and
 * stays; a free in a captured stream is left out.  As on a GPU, a capture is spoilt by work on the legacy stream, which
 * would have to wait for the capturing one, and by calls that may wait for the device (capture_forbids). */
#include "runtime.h"
#include "tell.h"

struct CUgraphNode_st {
    struct CUgraph_st *graph;
    int index;
    command *command; /* NULL: an empty node, or a graph in this one's place */
    struct CUgraph_st *child;
    int *deps;
    int ndeps;
};

struct CUgraph_st {
    unsigned magic;
    bool inside; /* it is a node's child */
    struct CUgraphNode_st **nodes;
    int count, cap;
};
struct CUgraphExec_st {
    unsigned magic;
    struct CUgraph_st *graph; /* its own copy, children's nodes in their places */
    int *place;               /* there, of each node of the graph that it was made from */
    int places;
};
enum { GRAPH_MAGIC = 0x47726170, EXEC_MAGIC = 0x45786563 };

static struct CUgraphNode_st *add_node(struct CUgraph_st *g, command *c, const int *deps, int ndeps)
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
    g->nodes[g->count++] = n;
    return n; /* cppcheck-suppress memleak ; the graph has it */
}

static void set_deps(int **list, int *count, const int *deps, int n)
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

static struct CUgraph_st *graph_new(void)
{
    struct CUgraph_st *g = calloc(1, sizeof *g);
    if (!g)
        abort();
    g->magic = GRAPH_MAGIC;
    return g;
}

static void graph_free(struct CUgraph_st *g)
{
    for (int i = 0; i < g->count; i++) {
        if (g->nodes[i]->command)
            command_free(g->nodes[i]->command);
        if (g->nodes[i]->child)
            graph_free(g->nodes[i]->child);
        free(g->nodes[i]->deps);
        free(g->nodes[i]);
    }
    free(g->nodes);
    g->magic = 0;
    free(g);
}

static struct CUgraph_st *graph_copy(const struct CUgraph_st *g)
{
    struct CUgraph_st *c = graph_new();
    for (int i = 0; i < g->count; i++) {
        const struct CUgraphNode_st *n = g->nodes[i];
        struct CUgraphNode_st *m = add_node(c, n->command ? command_clone(n->command) : NULL, n->deps, n->ndeps);
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
            place[i] = add_node(flat, NULL, inner, n->child->count)->index;
            free(inner);
        } else
            place[i] = add_node(flat, n->command ? command_clone(n->command) : NULL, before, k)->index;
        free(before);
    }
}

static struct CUgraph_st *flat_copy(const struct CUgraph_st *g, int **place)
{
    struct CUgraph_st *flat = graph_new();
    *place = malloc((size_t)(g->count + 1) * sizeof **place);
    if (!*place)
        abort();
    flatten(flat, g, NULL, 0, *place);
    return flat;
}

cudaError_t capture_command(struct CUstream_st *s, command *c)
{
    if (c->kind == C_FREE || c->kind == C_MARKER) {
        command_free(c);
        return cudaSuccess;
    }
    c->stream = s;
    int index = add_node(s->capture, c, s->capture_deps, s->ncapture_deps)->index;
    set_deps(&s->capture_deps, &s->ncapture_deps, &index, 1);
    return cudaSuccess;
}

cudaError_t capture_event_record(struct CUstream_st *s, cudaEvent_t e)
{
    e->capture = s->capture;
    e->recorded = true;
    set_deps(&e->capture_deps, &e->ncapture_deps, s->capture_deps, s->ncapture_deps);
    return cudaSuccess;
}

cudaError_t capture_event_wait(struct CUstream_st *s, cudaEvent_t e)
{
    if (s->capture && s->capture != e->capture)
        return cudaErrorStreamCaptureMerge;
    if (s->legacy)
        return cudaErrorStreamCaptureImplicit;
    s->capture = e->capture;
    int n = s->ncapture_deps + e->ncapture_deps;
    int *all = malloc((size_t)(n ? n : 1) * sizeof *all);
    if (!all)
        abort();
    if (s->ncapture_deps)
        memcpy(all, s->capture_deps, (size_t)s->ncapture_deps * sizeof *all);
    if (e->ncapture_deps)
        memcpy(all + s->ncapture_deps, e->capture_deps, (size_t)e->ncapture_deps * sizeof *all);
    set_deps(&s->capture_deps, &s->ncapture_deps, all, n);
    free(all);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s)
        RETURN(cudaErrorInvalidResourceHandle);
    if (s->legacy)
        RETURN(cudaErrorStreamCaptureUnsupported);
    if (s->capture)
        RETURN(cudaErrorIllegalState);
    s->capture = graph_new();
    s->capture_origin = true;
    s->capture_mode = (int)mode;
    s->capture_thread = pthread_self();
    captures++;
    s->capture_invalid = 0;
    set_deps(&s->capture_deps, &s->ncapture_deps, NULL, 0);
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !graph)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (!s->capture)
        RETURN(cudaErrorIllegalState);
    if (!s->capture_origin)
        RETURN(cudaErrorStreamCaptureUnmatched);
    struct CUgraph_st *g = s->capture;
    bool invalid = s->capture_invalid, unjoined = false;
    /* what other streams did must have been waited for by this one: their last nodes lead to its */
    bool *reached = calloc((size_t)g->count + 1, 1);
    if (!reached)
        abort();
    for (int i = 0; i < s->ncapture_deps; i++)
        reached[s->capture_deps[i]] = true;
    for (int i = g->count - 1; i >= 0; i--)
        if (reached[i])
            for (int k = 0; k < g->nodes[i]->ndeps; k++)
                reached[g->nodes[i]->deps[k]] = true;
    for (int i = 0; i < g->count; i++)
        unjoined |= !reached[i];
    free(reached);
    streams_leave_capture(g);
    captures--;
    if (invalid || unjoined) {
        graph_free(g);
        *graph = NULL;
        RETURN(invalid ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined);
    }
    *graph = g;
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    API;
    struct CUstream_st *s = stream_of(stream);
    if (!s || !status)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = !s->capture          ? cudaStreamCaptureStatusNone
              : s->capture_invalid ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
    RETURN(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    API;
    if (!mode)
        RETURN(cudaErrorInvalidValue);
    enum cudaStreamCaptureMode old = thread_capture_mode;
    thread_capture_mode = *mode;
    *mode = old;
    RETURN(cudaSuccess);
}

static bool is_graph(cudaGraph_t g) { return g && g->magic == GRAPH_MAGIC; }

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    API;
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
    if (!clone || !is_graph(original))
        RETURN(cudaErrorInvalidValue);
    *clone = graph_copy(original);
    RETURN(cudaSuccess);
}

/* A stream that is not one: what is queued on it becomes a node of the graph. */
typedef struct {
    struct CUstream_st s;
} catcher;

static cudaError_t catcher_open(catcher *k, cudaGraph_t g, const cudaGraphNode_t *deps, size_t ndeps)
{
    if (!is_graph(g) || (ndeps && !deps))
        return cudaErrorInvalidValue;
    memset(k, 0, sizeof *k);
    k->s.magic = STREAM_MAGIC;
    k->s.capture = g;
    int *list = malloc((ndeps ? ndeps : 1) * sizeof *list);
    if (!list)
        abort();
    for (size_t i = 0; i < ndeps; i++) {
        if (!deps[i] || deps[i]->graph != g) {
            free(list);
            return cudaErrorInvalidValue;
        }
        list[i] = deps[i]->index;
    }
    set_deps(&k->s.capture_deps, &k->s.ncapture_deps, list, (int)ndeps);
    free(list);
    return cudaSuccess;
}

static cudaError_t catcher_close(catcher *k, cudaGraphNode_t *node, cudaError_t e)
{
    struct CUgraph_st *g = k->s.capture;
    free(k->s.capture_deps);
    if (!e && node)
        *node = g->nodes[g->count - 1];
    if (!e)
        g->nodes[g->count - 1]->command ? (void)(g->nodes[g->count - 1]->command->stream = NULL) : (void)0;
    return e;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps)
{
    API;
    catcher k;
    cudaError_t e = catcher_open(&k, graph, deps, ndeps);
    if (!e)
        add_node(graph, NULL, k.s.capture_deps, k.s.ncapture_deps);
    RETURN(e ? e : catcher_close(&k, node, e));
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                                   const struct cudaKernelNodeParams *p)
{
    API;
    if (!p)
        RETURN(cudaErrorInvalidValue);
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
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        RETURN(cudaErrorInvalidValue);
    unsigned byte = p->value & 255, all = byte * 0x01010101u;
    unsigned mask = p->elementSize == 4 ? ~0u : (1u << 8 * p->elementSize) - 1;
    if ((p->value & mask) != (all & mask)) {
        message("cudaGraphAddMemsetNode: only values whose bytes are all the same are supported");
        RETURN(cudaErrorNotSupported);
    }
    catcher k;
    cudaError_t e = catcher_open(&k, graph, deps, ndeps);
    if (e)
        RETURN(e);
    size_t width = p->width * p->elementSize;
    e = cudaMemset2DAsync(p->dst, p->height > 1 ? p->pitch : width, (int)byte, width, p->height, &k.s);
    RETURN(catcher_close(&k, node, e));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t ndeps,
                                 const struct cudaHostNodeParams *p)
{
    API;
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
    catcher k;
    cudaError_t e = is_graph(child) ? catcher_open(&k, graph, deps, ndeps) : cudaErrorInvalidValue;
    if (e)
        RETURN(e);
    struct CUgraph_st *copy = graph_copy(child);
    copy->inside = true;
    add_node(graph, NULL, k.s.capture_deps, k.s.ncapture_deps)->child = copy;
    RETURN(catcher_close(&k, node, e));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph)
{
    API;
    if (!node || !node->child || !graph)
        RETURN(cudaErrorInvalidValue);
    *graph = node->child;
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const void *edges, size_t count)
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
            abort();
        n->deps = deps;
        n->deps[n->ndeps++] = from[i]->index;
    }
    RETURN(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    API;
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
    if (!node || !type)
        RETURN(cudaErrorInvalidValue);
    command *c = node->command;
    *type = node->child           ? cudaGraphNodeTypeGraph
            : !c                  ? cudaGraphNodeTypeEmpty
            : c->kind == C_KERNEL ? cudaGraphNodeTypeKernel
            : c->kind == C_COPY   ? cudaGraphNodeTypeMemcpy
            : c->kind == C_SET    ? cudaGraphNodeTypeMemset
                                  : cudaGraphNodeTypeHost;
    RETURN(cudaSuccess);
}

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
    x->graph = flat_copy(graph, &x->place);
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
    struct CUgraph_st *flat = flat_copy(graph, &place);
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
        struct CUgraphNode_st *n = add_node(s->capture, NULL, s->capture_deps, s->ncapture_deps);
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
