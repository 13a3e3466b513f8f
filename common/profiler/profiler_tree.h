/* profiler_tree.h: the two tables of an analysis, for who replays events into it. Its rows are the lines of all
 * reports, one for each name and kind. Its tree has a node for each path of ranges, which collects the device time of
 * the work started there; prof_analysis_finish() sums it up the tree into the rows. Both are found by open addressing.
 * */
#ifndef PROFILER_TREE_H
#define PROFILER_TREE_H

#include "profiler_core.h"

typedef struct prof_node {
    uint32_t parent, stat; /* the node above, and the row of the range that leads here from it */
    uint64_t self_cuda_ns; /* of work started in this path itself, not in one below it */
} prof_node;

/* The number of the row, made if there is none; UINT32_MAX out of memory. All steps of a loop share one row. */
uint32_t prof_stat_find(prof_analysis *a, const char *name, int kind);
/* The number of the node below `parent`, made if there is none. Node 0, made with the first, is "in no range"; it also
 * stands for what there is no memory for. */
uint32_t prof_node_find(prof_analysis *a, uint32_t parent, uint32_t stat);

#endif
