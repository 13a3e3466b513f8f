# file: cpudevice/checker/race/release.c
# test: cpudevice/tests/checker/litmus
s/r.by\[i\] = s->orders ? all : fence ? me->fence\[i\] : (past){0};/r.by[i] = s->orders || fence ? past_now(w, FENCE_DEVICE) : (past){0};/
