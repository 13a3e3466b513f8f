/* stream.h: streams as programs name them. */
#ifndef STREAM_H
#define STREAM_H

#include "stream/stream_record.h"

struct CUstream_st *stream_of(cudaStream_t s); /* NULL if it is no stream */

#endif
