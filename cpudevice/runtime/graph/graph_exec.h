/* graph_exec.h: a graph that is instantiated, for those who change it. */
#ifndef GRAPH_EXEC_H
#define GRAPH_EXEC_H

#include <stdbool.h>

#include "graph/graph_memory.h"
#include "graph/graph_nodes.h"

struct CUgraphExec_st {
    unsigned magic; /* EXEC_MAGIC until it is destroyed */
    unsigned long long flags;
    struct CUgraph_st *origin; /* of one with memory: what it was made from, until that is destroyed */
    graph_memory_step *memory; /* what a launch allocates and frees, in order */
    int nmemory;
    struct CUgraph_st *graph; /* its own copy, children's nodes in their places */
    int *place;               /* there, of each node of the graph that it was made from, */
    int *made;                /* which had this number (graph_nodes.h) */
    int places;
};
enum { EXEC_MAGIC = 0x45786563 };

/* The node of the instance that n, of the graph that it was made from, became; NULL: n is none of them. */
struct CUgraphNode_st *exec_node(const struct CUgraphExec_st *x, const struct CUgraphNode_st *n);
bool is_exec(const struct CUgraphExec_st *x);

#endif
