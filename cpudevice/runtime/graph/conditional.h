/* conditional.h: nodes of a graph that run one of their own graphs, or none, or one until a value is 0.
 *
 * The value is that of a handle, which kernels set. When such a node runs, a worker looks at the value and puts the
 * commands of the graph that it chooses below the node's own, as a kernel does with what it launches: the node is over
 * when they are, or looks again. */
#ifndef CONDITIONAL_H
#define CONDITIONAL_H

#include <stdbool.h>

#include "stream/command.h"
#include "graph/graph_nodes.h"
#include "stream/stream_record.h"

conditional_handle *handle_of(cudaGraphConditionalHandle handle); /* NULL: it is none */
/* Copies of a flat graph's commands, for one launch; the dependencies stay the graph's. All three are for free(). */
void copy_commands(const struct CUgraph_st *flat, command ***copies, int ***deps, int **ndeps);
/* A command that sets the handles of a flat graph, and of its conditions, that are set by each launch; NULL: there are
 * none. */
command *assign_handles(const struct CUgraph_st *flat);

/* A C_CONDITIONAL or C_ASSIGN runs; a C_CONDITIONAL is over. Called by way of hooks.h. */
void conditional_run(command *c);
void conditional_over(command *c);

#endif
