# file: cpudevice/checker/race/shadow.h
# test: cpudevice/tests/checker/check_bulk.sh after_reads
s/if (unlikely(line_at(c, off)->state & ~LINE_LOCKED))/if (0)/
