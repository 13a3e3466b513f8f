# file: cpudevice/checker/regions/footprint.c
# test: cpudevice/tests/checker/check_bulk.sh unset
s/r->read_first ? first : 0;/0;/
