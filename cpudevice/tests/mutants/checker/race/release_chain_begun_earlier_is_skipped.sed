# file: cpudevice/checker/race/order.c
# test: cpudevice/tests/checker/litmus
s/list\[i\]\.before > begin/list[i].before/
