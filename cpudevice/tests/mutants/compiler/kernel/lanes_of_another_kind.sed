# file: cpudevice/compiler/kernel/lanes.c
# test: cpudevice/tests/random/random_lanes
s/{"idx", "up", "down", "xor"}/{"idx", "down", "up", "xor"}/
