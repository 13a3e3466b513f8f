# file: cpudevice/checker/race/order.c
# test: cpudevice/tests/checker/litmus
s/k = s->list\[k - 1\]\.after/k = 0/
