# file: cpudevice/runtime/stream/queue.c
# test: cpudevice_nested
s/^        if (s->order == IN_ORDER) {/        if (false) {/
