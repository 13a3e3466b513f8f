# file: cpudevice/checker/core/worker.c
# test: check_loops.sh
s/if (++w->generation == GENERATIONS)/if (!w->generation \&\& ++w->generation == GENERATIONS)/
