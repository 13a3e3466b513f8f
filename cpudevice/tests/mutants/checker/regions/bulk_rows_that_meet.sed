# file: cpudevice/checker/regions/rows.c
# test: cpudevice/tests/checker/findings.sh meeting
s/clear = granules_clear(w, g, second, count, per, p->me, r->write, p->init, now);/clear = 1;/
