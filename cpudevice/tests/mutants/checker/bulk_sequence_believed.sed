# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/checker/check_bulk.sh
s/ && s->step\[s->gone\].print == f//
