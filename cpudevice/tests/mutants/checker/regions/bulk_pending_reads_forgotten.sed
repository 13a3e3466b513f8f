# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/checker/check_bulk.sh first
s/check_footprints_put(w);/w->region.lazy = NULL;/
