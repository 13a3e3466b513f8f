# file: cpudevice/checker/regions/region.c
# test: check_bulk.sh
s/if (r->sites \&\& !each \&\& .*/if (0)/
