# file: cpudevice/checker/regions/bulk.h
# test: check_bulk.sh
s/if (unlikely(w->deferred))/if (0)/
