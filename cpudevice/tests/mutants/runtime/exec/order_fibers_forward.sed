# file: cpudevice/runtime/exec/fiber.c
# test: cpudevice/tests/runtime/order.sh threads
s/(unsigned)order_number(place, n)/place/
