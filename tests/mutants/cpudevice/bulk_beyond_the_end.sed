# file: cpudevice/checker/rows.c
# test: check_bulk.sh
s/ || off + here > p->hi//
