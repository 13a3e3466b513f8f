# file: cpudevice/runtime/stream/queue.c
# test: cpudevice_nested
s/if (s->order == TAIL_LAUNCH) {/if (false) {/
