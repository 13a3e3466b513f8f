# file: cpudevice/include/curand_lanes.h
# test: cpudevice/tests/runtime/random
s/rest > first ? rest - first : 0/rest > first ? 0 : 0 * first/
