# file: cpudevice/checker/memory/ranges.c
# test: cpudevice/tests/checker/check_counters.sh forms
s/^        flags |= A_PIECES;$/        flags |= 0;/
