# file: cpudevice/checker/worker.c
# test: checker.sh loops
s/if (++w->generation == GENERATIONS)/if (!w->generation \&\& ++w->generation == GENERATIONS)/
