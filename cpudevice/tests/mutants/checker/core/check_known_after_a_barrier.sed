# file: cpudevice/checker/core/worker.c
# test: cpudevice/tests/checker/findings.sh loops
s/if (++w->generation == GENERATIONS)/if (!w->generation \&\& ++w->generation == GENERATIONS)/
