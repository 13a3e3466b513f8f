# file: cpudevice/include/cpudev_lanes.h
# test: cpudevice/tests/runtime/lanes
s/live\[t \/ 32\] |= 1u << t % 32;/live[t \/ 32] = ~0u;/
