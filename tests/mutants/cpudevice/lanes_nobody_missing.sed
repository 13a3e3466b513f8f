# file: cpudevice/include/cpudev_lanes.h
# test: cpudevice_lanes
s/if (named \& ~alike)/if (false)/
