# file: cpudevice/checker/regions/bulk.h
# test: cpudevice/tests/checker/check_bulk.sh
s/if (unlikely(w->deferred))/if (0)/
