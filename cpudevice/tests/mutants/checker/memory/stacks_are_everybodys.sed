# file: cpudevice/checker/memory/other.c
# test: cpudevice/tests/checker/findings.sh another
s/a - w->fiber_stacks.lo < w->fiber_stacks.bytes)/a == 0)/
