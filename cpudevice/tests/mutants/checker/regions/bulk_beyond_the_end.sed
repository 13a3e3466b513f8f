# file: cpudevice/checker/regions/rows.c
# test: cpudevice/tests/checker/check_bulk.sh beyond_write
s/ || part.off + (here - a) > p->hi//
