/* queue.h: commands are put on streams. */
#ifndef QUEUE_H
#define QUEUE_H

#include "stream/command.h"
#include "stream/stream_record.h"

/* Queues c on s, or captures it; c belongs to the scheduler from here on, also where this fails. */
cudaError_t command_queue(command *c, struct CUstream_st *s);
/* A graph's commands: all after what is in the stream, and what comes next in the stream after all of them. */
cudaError_t graph_queue(command **nodes, int *const *deps, const int *ndeps, int count, struct CUstream_st *s);
/* Below a command that runs, which is over when they are. */
void graph_queue_below(command **nodes, int *const *deps, const int *ndeps, int count, command *below);

#endif
