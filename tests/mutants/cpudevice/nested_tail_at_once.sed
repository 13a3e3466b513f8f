# file: cpudevice/runtime/sched.c
# test: cpudevice_nested
s/if (s->order == TAIL_LAUNCH) {/if (false) {/
