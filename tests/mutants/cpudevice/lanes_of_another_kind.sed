# file: cpudevice/compiler/kernel/lanes.c
# test: random_lanes
s/{"idx", "up", "down", "xor"}/{"idx", "down", "up", "xor"}/
