/* profiler_chunk.h: where the store gets its chunks from: memory, or a file that grows by whole chunks. Any thread. */
#ifndef PROFILER_CHUNK_H
#define PROFILER_CHUNK_H

#include "profiler_core.h"

#include <pthread.h>

typedef struct prof_chunk_file {
    pthread_mutex_t mutex;
    int fd;         /* -1: none */
    uint64_t bytes; /* taken so far */
} prof_chunk_file;

/* The file's next chunk, mapped, and its place; NULL when the disk is full. The caller unmaps it. */
prof_chunk *prof_chunk_in_file(prof_chunk_file *file, uint64_t *offset);
int prof_unnamed_file(void); /* a temporary file's descriptor, or -1 */

/* NULL out of memory. What is freed may be handed out again, with its pages. */
prof_chunk *prof_chunk_in_memory(void);
void prof_chunk_free(prof_chunk *chunk); /* of memory; NULL is nothing */

void prof_chunk_init(prof_chunk *chunk, uint32_t kind); /* empty */

#endif
