# file: cpudevice/checker/race/looks.c
# test: cpudevice/tests/checker/litmus
s/^        if (!to)$/        if (0)/
