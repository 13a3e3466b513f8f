# file: cpudevice/checker/regions/footprint.c
# test: cpudevice/tests/checker/check_bulk.sh joined
s/ | (c->w >= barrier) | (c->r1 >= barrier) | (c->r2 >= barrier)//
