# file: cpudevice/checker/check_bulk.inc
# test: check_bulk.sh
s/ | (c->w >= barrier) | (c->r1 >= barrier) | (c->r2 >= barrier)//
