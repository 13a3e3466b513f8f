# file: cpudevice/runtime/exec/order.c
# test: cpudevice/tests/runtime/order.sh order
s/return count - 1 - place;/return count - place;/
