# file: cpudevice/include/cpudev_lanes.h
# test: conformance/loops/lanes/block_sum
s/given\[base + from\[base + i\]\]/given[base + i]/
