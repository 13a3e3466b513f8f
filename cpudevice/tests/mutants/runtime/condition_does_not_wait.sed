# file: cpudevice/runtime/stream/queue.c
# test: cpudevice/tests/runtime/graph_conditional
/^void graph_queue_below/,/^}/{s/    below->children += count + 1;/    begin->parent = NULL;/;s/        nodes\[i\]->parent = below;//}
