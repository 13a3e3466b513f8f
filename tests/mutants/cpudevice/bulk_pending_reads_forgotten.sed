# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/if (w->lazy) footprint_put(w, w->lazy);/w->lazy = NULL;/
