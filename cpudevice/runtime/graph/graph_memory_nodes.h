/* graph_memory_nodes.h: nodes that allocate and free memory. */
#ifndef GRAPH_MEMORY_NODES_H
#define GRAPH_MEMORY_NODES_H

#include "graph/graph_nodes.h"

/* *p is the address. It is one that the node's forebears have freed, where there is one of that size. */
cudaError_t graph_add_alloc(struct CUgraph_st *g, const int *deps, int ndeps, size_t bytes, void **p);
/* An error if p is no graph's memory, or this graph has freed it already. */
cudaError_t graph_add_free(struct CUgraph_st *g, const int *deps, int ndeps, void *p);

#endif
