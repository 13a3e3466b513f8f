# file: cpudevice/checker/core/worker.c
# test: cpudevice/tests/checker/check_loops.sh
s/if (++w->generation == GENERATIONS)/if (!w->generation \&\& ++w->generation == GENERATIONS)/
