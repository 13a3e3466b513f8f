# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/r->read_first ? first : 0;/0;/
