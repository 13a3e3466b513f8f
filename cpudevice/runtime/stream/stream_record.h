/* stream_record.h: what is kept of a stream and of an event.  All of it under the scheduler's lock. */
#ifndef STREAM_RECORD_H
#define STREAM_RECORD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "driver_types.h"

struct CUstream_st {
    unsigned magic; /* STREAM_MAGIC until it is destroyed */
    uint32_t id;
    unsigned flags;
    int priority;
    int device;
    bool legacy; /* its device's default stream, which waits for and holds up the others of that device */
    unsigned long long issued, completed;
    struct command *last; /* last unfinished command, or NULL */
    struct CUstream_st *next;
    struct CUgraph_st *capture; /* being captured into */
    int *capture_deps;          /* indexes of the graph's nodes that the next one follows */
    int ncapture_deps;
    bool capture_origin;                   /* the capture began here */
    bool capture_given;                    /* into a graph of the caller's, */
    int capture_first;                     /* which had so many nodes */
    struct CUgraphNode_st **capture_nodes; /* what cudaStreamGetCaptureInfo gave out last */
    int capture_invalid;
    int capture_mode; /* cudaStreamCaptureMode */
    pthread_t capture_thread;
    struct command *grid; /* of a kernel's stream: the launch that it belongs to */
    enum { IN_ORDER, FIRE_AND_FORGET, TAIL_LAUNCH } order;
};

struct CUevent_st {
    unsigned magic; /* EVENT_MAGIC until it is destroyed */
    unsigned flags;
    int device;
    bool recorded, pending;
    struct command *command;     /* the unfinished record, or NULL */
    struct shared_event *shared; /* with other processes (shared_event.h), or NULL */
    unsigned long long version;
    uint64_t time_ns;
    struct CUstream_st *stream;
    unsigned long long capture_id; /* of the capture in which it was recorded; 0: none */
    int *capture_deps;
    int ncapture_deps;
};
#define STREAM_MAGIC 0x53745265u
#define EVENT_MAGIC 0x45764e74u

extern struct CUstream_st default_stream; /* device 0's, and the first of the list of the host's streams */
void default_streams_make(int devices);   /* one of each device */
struct CUstream_st *default_stream_of(int device);

struct CUstream_st *stream_new(unsigned flags,
                               int priority); /* the current device's, in no list yet; NULL without memory */
void streams_free(struct CUstream_st *list);
/* The record of a destroyed stream or event is kept for a while, so that a handle used after its end is found out by
 * its magic number. */
void retire(void *record);

#endif
