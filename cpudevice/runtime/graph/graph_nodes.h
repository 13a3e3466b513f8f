/* graph_nodes.h: a graph as it is kept.
 *
 * A node holds a command that is never queued itself: a launch of the graph queues a copy of each.  Nodes are kept in
 * the order of their making, and a node depends only on earlier ones, so that order can be used as it is. */
#ifndef GRAPH_NODES_H
#define GRAPH_NODES_H

#include "stream/command.h"
#include "cuda_runtime_api.h"

typedef struct conditional_handle {
    unsigned magic; /* HANDLE_MAGIC until it is gone */
    int holders;
    unsigned value, initial;
    bool assigned; /* each launch sets the value to `initial` */
    bool used;     /* a node has it */
} conditional_handle;
enum { HANDLE_MAGIC = 0x436f6e64 };

typedef struct conditional { /* of a C_CONDITIONAL */
    int holders;
    conditional_handle *handle;
    enum cudaGraphConditionalNodeType type;
    unsigned size;
    struct CUgraph_st **bodies; /* `size` of them; flat in what is instantiated */
} conditional;

struct CUgraphNode_st {
    struct CUgraph_st *graph;
    int index, made;  /* made: its number among all that the graph has had; that of what it is a copy of */
    bool disabled;    /* in what is instantiated: it does nothing */
    command *command; /* NULL: an empty node, or a graph in this one's place */
    struct CUgraph_st *child;
    int *deps;
    int ndeps;
};

struct CUgraph_st {
    unsigned magic;               /* GRAPH_MAGIC until it is destroyed */
    struct CUgraph_st **instance; /* with nodes of memory: its only instance's word for it */
    conditional_handle **handles; /* made for it */
    int nhandles;
    int made;                          /* nodes that it has had */
    const struct CUgraph_st *original; /* of a clone */
    bool inside;                       /* it is a node's child */
    unsigned long long capture_id;     /* of captures into it; 0: there was none */
    bool capturing;                    /* one is under way */
    struct CUgraphNode_st **nodes;
    int count, cap;
};
enum { GRAPH_MAGIC = 0x47726170 };

struct CUgraph_st *graph_new(void);
void graph_free(struct CUgraph_st *g);
struct CUgraph_st *graph_copy(const struct CUgraph_st *g);
/* A copy with each child's nodes in its place; (*place)[i], for the caller to free, is the number that node i has
 * there. */
struct CUgraph_st *graph_flat_copy(const struct CUgraph_st *g, int **place);
bool is_graph(const struct CUgraph_st *g);
conditional_handle *handle_hold(conditional_handle *h);
void handle_let(conditional_handle *h);
conditional_handle *graph_add_handle(struct CUgraph_st *g, conditional_handle *h); /* NULL: a new one */
conditional *conditional_new(conditional_handle *h, enum cudaGraphConditionalNodeType type, unsigned size);
void conditional_hold(conditional *k);
void conditional_let(conditional *k);

bool graph_has_memory(const struct CUgraph_st *g); /* nodes that allocate or free some */
bool graph_has_conditions(const struct CUgraph_st *g);
enum cudaGraphNodeType graph_node_type(const struct CUgraphNode_st *n);
/* The numbers of deps[0..ndeps) in g, for the caller to free; NULL if one is not g's, or an edge is of no kind. */
int *graph_deps(const struct CUgraph_st *g, const cudaGraphNode_t *deps, const cudaGraphEdgeData *edges, size_t ndeps);

/* The command, or NULL, becomes the graph's. */
struct CUgraphNode_st *graph_add(struct CUgraph_st *g, command *c, const int *deps, int ndeps);
void graph_remove(struct CUgraphNode_st *gone);                /* with its edges; later nodes come one forward */
void remove_dep(struct CUgraphNode_st *n, int before);         /* n no longer follows the node of that index */
void set_deps(int **list, int *count, const int *deps, int n); /* replaces a list of dependencies by a copy of deps */

#endif
