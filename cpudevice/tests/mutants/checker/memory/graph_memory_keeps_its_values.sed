# file: cpudevice/checker/memory/heap.c
# test: cpudevice/tests/checker/check_launches.sh graphs/graph_memory_not_kept
s/        check_cells_drop(p->cells);/        if (!a->graph) check_cells_drop(p->cells);/;s/        p->cells = 0;/        if (!a->graph) p->cells = 0;/
