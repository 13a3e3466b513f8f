# file: cpudevice/checker/race/order.c
# test: cpudevice/tests/checker/litmus
s/list\[m\]\.until <= epoch/list[m].until <= epoch + 1/
