/* graph_memory.h: memory that graphs allocate.
 *
 * An address is reserved when the node is made, and is the graph's for as long as the graph or an instance of it is
 * there: it is known to be device memory from then on. There is memory at it from the launch that allocates it until it
 * is freed: by the same graph, another one, cudaFreeAsync or cudaFree. What that may be is judged by the order of the
 * host's calls, as on a GPU.
 *
 * Memory that is freed stays with the graphs and is counted so, until cudaDeviceGraphMemTrim; a launch takes what other
 * graphs have freed, where they were launched on the same stream or are over. The pages of a large one go back to the
 * system at once. */
#ifndef GRAPH_MEMORY_H
#define GRAPH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"

typedef struct graph_memory_step { /* of a launch */
    void *p;
    bool allocates; /* else it frees */
} graph_memory_step;

cudaError_t graph_memory_new(void **p, size_t bytes); /* an address, which nothing holds yet */
bool is_graph_memory(const void *p, size_t *bytes);   /* p is such an address; bytes may be NULL */
void graph_memory_hold(const void *p);
void graph_memory_let(const void *p); /* the address is given back when nothing holds it and no memory is there */

/* A launch on the stream of that id: all steps are as good as done, or none, with cudaErrorInvalidValue for what is
 * allocated or free already. Each is then put on the stream, and calls one of the last two. */
cudaError_t graph_memory_launch(const graph_memory_step *steps, int n, uint32_t stream);
bool graph_memory_launch_frees(void *p, uint32_t stream); /* one step more; false: it is not allocated */
void graph_memory_allocated(void *p, size_t bytes);
cudaError_t graph_memory_freed(void *p);

void graph_memory_trim(void);
void graph_memory_forget(void); /* all memory is about to go */
/* Bytes: now, and the most since *most was set back to that. */
uint64_t graph_memory_used(bool most);
void graph_memory_used_reset(void);

#endif
