# file: cpudevice/checker/race/shadow.h
# test: cpudevice/tests/checker/check_bulk.sh
s/if (unlikely(line_at(c, off)->state & ~LINE_LOCKED))/if (0)/
