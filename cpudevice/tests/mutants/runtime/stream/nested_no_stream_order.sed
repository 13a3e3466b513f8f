# file: cpudevice/runtime/stream/queue.c
# test: cpudevice/tests/runtime/nested
s/^        if (s->order == IN_ORDER) {/        if (false) {/
