# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/checker/check_bulk.sh
s/if (f->delta_count)/if (0)/
