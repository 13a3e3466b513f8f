# file: cpudevice/checker/race/order.c
# test: cpudevice/tests/checker/litmus
s/chains < s->chains; i++/chains < 1; i++/
