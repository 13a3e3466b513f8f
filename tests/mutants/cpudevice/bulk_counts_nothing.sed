# file: cpudevice/checker/regions/region.c
# test: check_bulk.sh
s/if (f->delta_count)/if (0)/
