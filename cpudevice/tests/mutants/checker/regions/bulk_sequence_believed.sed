# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/checker/check_bulk.sh skips
s,s->step\[s->gone\].print == f && ,,
