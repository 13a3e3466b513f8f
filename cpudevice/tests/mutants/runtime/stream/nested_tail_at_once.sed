# file: cpudevice/runtime/stream/queue.c
# test: cpudevice/tests/runtime/nested
s/if (s->order == TAIL_LAUNCH) {/if (false) {/
