/* stream_capture.c: streams are put into capture and taken out of it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "device/call.h"
#include "graph/capture.h"
#include "cuda_runtime_api.h"
#include "graph/graph_nodes.h"
#include "device/process.h"
#include "stream/scheduler.h"
#include "stream/stream.h"
#include "stream/stream_record.h"
#include "cpudev_must.h"

static cudaError_t may_begin(struct CUstream_st *s)
{
    cudaError_t e = device_ready();
    if (e)
        return e;
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (s->legacy)
        return cudaErrorStreamCaptureUnsupported;
    return s->capture ? cudaErrorIllegalState : cudaSuccess;
}

static void begin(struct CUstream_st *s, struct CUgraph_st *g, enum cudaStreamCaptureMode mode)
{
    static unsigned long long id;
    pthread_mutex_lock(&scheduler.lock);
    if (!g->capture_id)
        g->capture_id = ++id;
    g->capturing = true;
    s->capture = g;
    s->capture_origin = true;
    s->capture_given = false;
    s->capture_first = g->count;
    s->capture_mode = (int)mode;
    s->capture_thread = pthread_self();
    s->capture_invalid = 0;
    pthread_mutex_unlock(&scheduler.lock);
    captures++;
    set_deps(&s->capture_deps, &s->ncapture_deps, NULL, 0);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    API;
    struct CUstream_st *s = stream_of(stream);
    cudaError_t e = may_begin(s);
    if (!e)
        begin(s, graph_new(), mode);
    RETURN(e);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                          const cudaGraphEdgeData *edges, size_t ndeps, enum cudaStreamCaptureMode mode)
{
    API;
    struct CUstream_st *s = stream_of(stream);
    cudaError_t e = may_begin(s);
    if (e)
        RETURN(e);
    int *list = graph_deps(graph, deps, edges, ndeps);
    if (!list || graph->capturing) { /* one capture into a graph at a time */
        free(list);
        RETURN(list ? cudaErrorIllegalState : cudaErrorInvalidValue);
    }
    begin(s, graph, mode);
    s->capture_given = true;
    set_deps(&s->capture_deps, &s->ncapture_deps, list, (int)ndeps);
    free(list);
    RETURN(cudaSuccess);
}

/* What other streams did must have been waited for by this one: their last nodes lead to its. */
static bool all_joined(const struct CUstream_st *s)
{
    const struct CUgraph_st *g = s->capture;
    bool joined = true, *reached = calloc((size_t)g->count + 1, 1);
    if (!reached)
        out_of_memory();
    for (int i = 0; i < s->ncapture_deps; i++)
        reached[s->capture_deps[i]] = true;
    for (int i = g->count - 1; i >= 0; i--)
        if (reached[i])
            for (int k = 0; k < g->nodes[i]->ndeps; k++)
                reached[g->nodes[i]->deps[k]] = true;
    for (int i = s->capture_first; i < g->count; i++)
        joined &= reached[i];
    free(reached);
    return joined;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    API;
    RESULT_AT(graph);
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !s->capture)
        RETURN(s ? cudaErrorIllegalState : cudaErrorInvalidResourceHandle);
    if (!graph && !s->capture_given && !s->capture_invalid)
        RETURN(cudaErrorInvalidValue);
    if (!s->capture_origin)
        RETURN(cudaErrorStreamCaptureUnmatched);
    struct CUgraph_st *g = s->capture;
    const bool invalid = s->capture_invalid, joined = all_joined(s), given = s->capture_given;
    streams_leave_capture(g);
    captures--;
    g->capturing = false;
    s->capture_given = false;
    const bool good = !invalid && joined;
    if (!good && !given)
        graph_free(g);
    if (graph)
        *graph = good ? g : NULL;
    RETURN(good ? cudaSuccess : invalid ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined);
}

static enum cudaStreamCaptureStatus status_of(const struct CUstream_st *s)
{
    return !s->capture          ? cudaStreamCaptureStatusNone
           : s->capture_invalid ? cudaStreamCaptureStatusInvalidated
                                : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    API;
    struct CUstream_st *s = stream_of(stream);
    if (!s || !status)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = status_of(s);
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **deps, const cudaGraphEdgeData **edges,
                                     size_t *ndeps)
{
    API;
    RESULT_AT(status);
    RESULT_AT(id);
    RESULT_AT(graph);
    RESULT_AT(ndeps);
    struct CUstream_st *s = stream_of(stream);
    if (!s || !status)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *status = status_of(s);
    if (*status != cudaStreamCaptureStatusActive)
        RETURN(cudaSuccess);
    const size_t bytes = (size_t)(s->ncapture_deps + 1) * sizeof *s->capture_nodes;
    struct CUgraphNode_st **nodes = realloc(s->capture_nodes, bytes);
    if (!nodes)
        RETURN(cudaErrorMemoryAllocation);
    s->capture_nodes = nodes;
    for (int i = 0; i < s->ncapture_deps; i++)
        nodes[i] = s->capture->nodes[s->capture_deps[i]];
    if (id)
        *id = s->capture->capture_id;
    if (graph)
        *graph = s->capture;
    if (deps)
        *deps = nodes;
    if (edges)
        *edges = NULL;
    if (ndeps)
        *ndeps = (size_t)s->ncapture_deps;
    RETURN(cudaSuccess);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *deps,
                                                const cudaGraphEdgeData *edges, size_t ndeps, unsigned int flags)
{
    API;
    struct CUstream_st *s = stream_of(stream);
    if (!s || flags > cudaStreamSetCaptureDependencies)
        RETURN(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (!s->capture)
        RETURN(cudaErrorIllegalState);
    int *list = graph_deps(s->capture, deps, edges, ndeps);
    if (!list)
        RETURN(cudaErrorInvalidValue);
    const int kept = flags == cudaStreamAddCaptureDependencies ? s->ncapture_deps : 0, n = kept + (int)ndeps;
    int *all = malloc((size_t)(n + 1) * sizeof *all);
    if (!all)
        out_of_memory();
    for (int i = 0; i < n; i++)
        all[i] = i < kept ? s->capture_deps[i] : list[i - kept];
    set_deps(&s->capture_deps, &s->ncapture_deps, all, n);
    free(all);
    free(list);
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
