/* capture.h: what is queued on a stream in capture becomes nodes of a graph.
 *
 * Memory that is allocated or freed in the order of a captured stream becomes a node, too (pool.c).
 * As on a GPU, a capture becomes invalid by work on the legacy stream, which would have to wait for the capturing one,
 * and by calls that may wait for the device. */
#ifndef CAPTURE_H
#define CAPTURE_H

#include "stream/command.h"
#include "stream/stream_record.h"

extern _Atomic int captures; /* under way */
extern __thread enum cudaStreamCaptureMode thread_capture_mode;

/* An error if a capture is under way that forbids work on the legacy stream, or else a call that may wait for the
 * device; that capture is invalid from then on. */
cudaError_t capture_forbids(bool legacy);
void streams_leave_capture(struct CUgraph_st *g);

cudaError_t capture_command(struct CUstream_st *s, command *c);
cudaError_t capture_event_record(struct CUstream_st *s, cudaEvent_t e);
/* An error if the event was recorded in a capture last: it represents nodes of a graph, and nothing can wait for those.
 * The capture, if it is under way, is invalid from then on. */
cudaError_t capture_owns(const struct CUevent_st *e);
cudaError_t capture_event_wait(struct CUstream_st *s, cudaEvent_t e);

#endif
