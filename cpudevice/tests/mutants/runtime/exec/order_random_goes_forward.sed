# file: cpudevice/runtime/exec/order.c
# test: cpudevice/tests/runtime/order.sh order
s/^    kind = RANDOM;/    kind = FORWARD;/
