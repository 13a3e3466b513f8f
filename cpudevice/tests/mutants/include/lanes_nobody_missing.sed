# file: cpudevice/include/cpudev_lanes.h
# test: cpudevice/tests/runtime/lanes
s/if (named \& ~alike)/if (false)/
