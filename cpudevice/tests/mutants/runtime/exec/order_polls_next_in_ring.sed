# file: cpudevice/runtime/exec/wait.c
# test: cpudevice/tests/runtime/order.sh threads
s/order_is_forward ? me->next : next_in_order(w, me)/me->next/
