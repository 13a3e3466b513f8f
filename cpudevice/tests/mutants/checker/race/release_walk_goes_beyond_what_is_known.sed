# file: cpudevice/checker/race/order.c
# test: cpudevice/tests/checker/litmus
s/ \&\& s->list\[k - 1\]\.number <= most;/ \&\& most;/
