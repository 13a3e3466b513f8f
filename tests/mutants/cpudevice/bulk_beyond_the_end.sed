# file: cpudevice/checker/regions/rows.c
# test: check_bulk.sh
s/ || part.off + (here - a) > p->hi//
