# file: cpudevice/runtime/exec/cluster.c
# test: cpudevice/tests/runtime/order.sh order
s/order_number(k->unit, k->command->units)/k->unit/
