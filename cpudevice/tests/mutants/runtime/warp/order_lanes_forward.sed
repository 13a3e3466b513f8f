# file: cpudevice/runtime/warp/warp.c
# test: cpudevice/tests/runtime/order.sh threads
s/__builtin_expect(!order_is_forward, 0)/0/
