# file: cpudevice/checker/regions/footprint.c
# test: check_bulk.sh
s/r->read_first ? first : 0;/0;/
