# file: cpudevice/checker/check.c
# test: check_bulk.sh
s/if (unlikely(w->lazy)) footprint_put(w, w->lazy);/w->lazy = NULL;/
