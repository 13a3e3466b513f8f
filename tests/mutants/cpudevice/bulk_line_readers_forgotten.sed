# file: cpudevice/checker/shadow.h
# test: check_bulk.sh
s/if (unlikely(lines_at(c)\[k\].clean))/if (0)/
