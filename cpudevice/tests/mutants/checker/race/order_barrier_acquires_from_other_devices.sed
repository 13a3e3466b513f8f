# file: cpudevice/checker/race/order.c
# test: cpudevice/tests/checker/check_mistakes.sh devices/devices_fence_of_reader
s/all_know(w, WIDE)/all_know(w, FAR)/
