# file: cpudevice/checker/regions/bulk.h
# test: cpudevice/tests/checker/check_bulk.sh late_write
s/if (unlikely(w->region.deferred))/if (0)/
