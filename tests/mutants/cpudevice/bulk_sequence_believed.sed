# file: cpudevice/checker/regions/region.c
# test: check_bulk.sh
s/ && s->step\[s->gone\].print == f//
