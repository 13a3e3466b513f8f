# file: cpudevice/checker/counters/counters.c
# test: cpudevice/tests/model/model.sh 'regions in bulk are the same'
s/w->g\[w->count++\] = g;/w->g[w->count++] = (group){0};/
