# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/ || off + here > p->hi//
