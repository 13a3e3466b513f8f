/* tell_command.h: reports work on streams to observers. */
#ifndef TELL_COMMAND_H
#define TELL_COMMAND_H

#include "stream/command.h"
#include "stream/stream_record.h"

void tell_queue(command *c, struct CUstream_st *s); /* c is about to be put on s */
void tell_queue_below(command *c, command *below);  /* below a command that runs */
void tell_done(command *c); /* by the thread that ran its last unit, without the scheduler's lock */
void tell_async_alloc(void *p, size_t bytes, struct CUstream_st *s); /* memory that belongs to s from here on */
void tell_stream_wait(struct CUstream_st *s, const void *event);
void tell_event_record(const void *event, struct CUstream_st *s);

#endif
