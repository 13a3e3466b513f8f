/* stream_capture.c: streams are put into capture and taken out of it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "call.h"
#include "capture.h"
#include "cuda_runtime_api.h"
#include "graph_nodes.h"
#include "process.h"
#include "stream.h"
#include "stream_record.h"

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
