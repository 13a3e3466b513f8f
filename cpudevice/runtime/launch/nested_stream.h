/* nested_stream.h: streams of kernels: each block has a default stream of its own, and threads make others. */
#ifndef NESTED_STREAM_H
#define NESTED_STREAM_H

#include "stream/stream_record.h"

struct CUstream_st *nested_stream_of(cudaStream_t s); /* NULL if it is no stream of this launch */
cudaError_t nested_stream_create(cudaStream_t *stream, unsigned flags);

#endif
