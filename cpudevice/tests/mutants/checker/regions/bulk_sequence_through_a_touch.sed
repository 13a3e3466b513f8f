# file: cpudevice/checker/regions/region.c
# test: cpudevice/tests/checker/check_bulk.sh joined
s/untouched && w->region.shared_epoch < w->first_epoch && s->gone/s->gone/
