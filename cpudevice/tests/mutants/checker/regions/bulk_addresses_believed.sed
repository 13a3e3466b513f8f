# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/checker/check_bulk.sh hidden
s/if (r->sites \&\& !each \&\& .*/if (0)/
