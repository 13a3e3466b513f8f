# file: cpudevice/checker/shared.h
# test: check_bulk.sh
s/check_footprint_put(w, w->lazy);/w->lazy = NULL;/
