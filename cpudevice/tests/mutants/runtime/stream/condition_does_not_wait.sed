# file: cpudevice/runtime/stream/queue.c
# test: cpudevice/tests/runtime/graph_conditional
/^void graph_queue_below/,/^}/{s/    below->family.children += count + 1;/    begin->family.parent = NULL;/;s/        nodes\[i\]->family.parent = below;//}
