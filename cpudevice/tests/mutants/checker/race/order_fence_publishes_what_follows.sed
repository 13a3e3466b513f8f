# file: cpudevice/checker/race/release.c
# test: cpudevice/tests/checker/litmus
s/\(r.by\[i\] = s->orders ? all : me ? me->fence\[i\] : (past){0}\);/\1, r.by[i].own = w->epoch + 1;/
