# file: cpudevice/checker/regions/rows.c
# test: cpudevice/tests/checker/findings.sh meeting
/clear = granules_clear(w, cells_at(p->c)/{N;s/=.*;/= 1;/}
